//===- Mappings.cpp - kernels of a mapping --------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopMappings/Mappings.h"

#include "dialects/LoopMappings/CoreExtents.h"
#include "dialects/LoopMappings/Elementwise.h"
#include "dialects/LoopMappings/Flatten.h"
#include "dialects/LoopMappings/MatrixProduct.h"
#include "dialects/LoopMappings/OrderedLoop.h"
#include "dialects/LoopMappings/Phases.h"
#include "dialects/LoopMappings/Privatise.h"
#include "dialects/LoopMappings/Recentre.h"
#include "dialects/LoopMappings/Scans.h"
#include "dialects/LoopMappings/Slices.h"
#include "dialects/LoopMappings/Staged.h"
#include "dialects/LoopMappings/Tiling.h"
#include "dialects/LoopMappings/Unroll.h"
#include "dialects/LoopMappings/Windows.h"
#include "dialects/LoopToLLVM/Body.h"
#include "dialects/LoopToLLVM/ResidentRows.h"
#include "dialects/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace kern::ir::loop;

bool kern::ir::loop::canGoAcross(KernelOp kernel) {
  return kernel.getBody().hasOneBlock() &&
         (kernel.entry().getOps<ScanOp>().empty() || scanRows(kernel));
}

static void windowIn(KernelOp kernel, const Windows &windows,
                     unsigned columns) {
  for (const WindowPlan &shape : windows.shapes)
    if (shape.columns() == columns)
      return window(kernel, shape);
}

/// The shape that warpgroups compute in place of this one, if they can.
static TilePlan byWarpgroups(const Tiling &tiling, const TilePlan &shape) {
  std::optional<TilePlan> other;
  if (tiling.product)
    other = warpgroupShape(*tiling.product);
  bool fits = other && other->rows() == shape.rows() &&
              other->columns() == shape.columns() &&
              other->threads() == shape.threads();
  return fits ? *other : shape;
}

void kern::ir::loop::applyMapping(KernelOp kernel,
                                  kern::runtime::Mapping mapping, bool asUfunc,
                                  bool hasWarpgroups) {
  if (kernel.isUfunc())
    return;
  if (mapping.phase && phasesOf(kernel))
    keepPhase(kernel, mapping.phase);
  if (mapping.staged) {
    stage(kernel, mapping.spread);
    return;
  }
  if (mapping.flat)
    loopsToReductions(kernel);
  bool isFlat = mapping.flat && flatten(kernel);
  if (isFlat && asUfunc && elementwiseAccesses(kernel)) {
    makeUfunc(kernel);
    return;
  }
  if (mapping.unrolled && isFlat) {
    if (unrollingOf(kernel) && unroll(kernel)) {
      // What loops now runs one result after the other, and rarely.
      kernel->removeAttr(unrolledAttribute);
      kernel->setAttr(writtenOutAttribute, UnitAttr::get(kernel.getContext()));
      windowIn(kernel, windowsOfUnrolled(kernel), mapping.tile);
    }
    return;
  }
  if (mapping.tile && isFlat) {
    if (Found<Tiling> tiling = tilingOf(kernel))
      for (const TilePlan &shape : tiling->shapes)
        if (shape.columns() == mapping.tile) {
          tile(kernel, *tiling,
               hasWarpgroups ? byWarpgroups(*tiling, shape) : shape);
          return;
        }
    if (std::optional<Windows> windows = windowsOf(kernel))
      windowIn(kernel, *windows, mapping.tile);
    return;
  }
  if (mapping.across && canGoAcross(kernel))
    kernel.setAcross(true);
  if (Found<ScanRows> scans = scanRows(kernel); mapping.resident && scans) {
    keepScans(kernel, *scans, mapping);
    return;
  }
  const bool isRecentred =
      mapping.sliced && mapping.recentred && recentres(kernel);
  const bool isResident =
      mapping.resident && residentRows(kernel) &&
      (!mapping.sliced || isRecentred || mayCooperate(kernel));
  if (mapping.sliced && slicedLaunches(kernel))
    slice(kernel, /*isCooperative=*/isResident && !isRecentred, isRecentred);
  if (isResident)
    kernel.setResident(mapping.chunks);
  if (mapping.ahead && kernel.getCooperative() && mayFetchRows(kernel))
    fetchAhead(kernel);
  if (mapping.privatised && !mapping.across && !privateSums(kernel).empty())
    privatise(kernel);
}

namespace kern::ir {

#define GEN_PASS_DEF_LOOPMAP
#include "dialects/Passes.h.inc"

namespace {
struct LoopMapPass : impl::LoopMapBase<LoopMapPass> {
  using Base::Base;

  void runOnOperation() override {
    for (KernelOp kernel :
         llvm::make_early_inc_range(getOperation().getOps<KernelOp>())) {
      setConstantExtents(kernel, constants);
      applyMapping(kernel,
                   {.flat = flat,
                    .across = across,
                    .sliced = sliced,
                    .resident = resident > 0,
                    .chunks = resident,
                    .ahead = ahead,
                    .recentred = recentred,
                    .privatised = privatised,
                    .staged = staged,
                    .spread = spread,
                    .unrolled = unrolled,
                    .tile = tile,
                    .phase = phase},
                   ufunc, warpgroups);
      if (together)
        readTogether(kernel);
    }
  }
};
} // namespace

} // namespace kern::ir
