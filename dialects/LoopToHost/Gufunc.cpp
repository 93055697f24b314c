//===- Gufunc.cpp - entry points of gufuncs on the CPU --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/GufuncCall.h"
#include "dialects/LoopToHost/GufuncLanes.h"
#include "dialects/LoopToHost/IterationLanes.h"
#include "dialects/LoopToHost/RowsTogether.h"
#include "dialects/LoopToHost/VectorLoops.h"

using namespace mlir;
using namespace kern::ir::loop;
using kern::runtime::Form;
using Predicate = KernelBuilder::Predicate;

namespace {

class GeneralForm {
public:
  /// `unit`: the body for unit strides. `together`: how many loop elements run
  /// at once, if it has a vector body.
  GeneralForm(KernelBuilder &b, const KernelFacts &kernel,
              LLVM::LLVMFuncOp body, LLVM::LLVMFuncOp unit,
              std::optional<unsigned> together = {});
  void emit();
  void emit(GufuncLanes &vectors);

private:
  /// Emits the loop over loop elements, from the builder's insertion point to
  /// `end`.
  void loop(bool hasUnitStrides, Block *end);

  KernelBuilder &b;
  LLVM::LLVMFuncOp body, unit;
  GufuncCall call;
};

} // namespace

static LLVM::LLVMFuncOp startGeneral(KernelBuilder &b,
                                     const KernelFacts &kernel,
                                     std::optional<unsigned> together) {
  // An estimate: some loops along core dimensions use vectors (VectorLoops.h).
  constexpr unsigned lanes = 4;
  LLVM::LLVMFuncOp entry =
      startEntry(b, kernel, Form::General, together.value_or(1), lanes);
  if (together)
    entry.setPassthroughAttr(b.getStrArrayAttr({vectorsAttribute}));
  return entry;
}

GeneralForm::GeneralForm(KernelBuilder &b, const KernelFacts &kernel,
                         LLVM::LLVMFuncOp body, LLVM::LLVMFuncOp unit,
                         std::optional<unsigned> together)
    : b(b), body(body), unit(unit),
      call(b, kernel, startGeneral(b, kernel, together)) {}

void GeneralForm::loop(bool hasUnitStrides, Block *end) {
  Block *header = b.block(TypeRange{b.getI64Type()}), *step = b.block();
  b.branch(header, b.i64(0));
  b.at(header);
  Value index = header->getArgument(0);
  b.branch(b.compare(Predicate::slt, index, call.count), step, end);
  b.at(step);
  call.run(b, hasUnitStrides ? unit : body, index, hasUnitStrides);
  leaveAlone(LLVM::BrOp::create(b, b.add(index, b.i64(1)), header));
}

void GeneralForm::emit() {
  Block *end = b.block();
  if (Value isUnit = call.hasUnitStrides(b)) {
    Block *unit = b.block(), *strided = b.block();
    b.branch(isUnit, unit, strided);
    b.at(unit);
    loop(/*hasUnitStrides=*/true, end);
    b.at(strided);
  }
  loop(/*hasUnitStrides=*/false, end);
  b.at(end);
  b.ret();
}

void GeneralForm::emit(GufuncLanes &vectors) {
  Block *end = b.block();
  vectors.emit(call.count, call.operands, end);
  b.at(end);
  b.ret();
}

LLVM::LLVMFuncOp kern::ir::loop::vectoriseCore(KernelBuilder &b,
                                               const KernelFacts &kernel,
                                               LLVM::LLVMFuncOp body,
                                               HostOptions options) {
  LLVM::LLVMFuncOp unit;
  if (!kernel.hasChecks())
    unit = runIterationsInLanes(b, kernel, body, options.lanes);
  if (!unit && !kernel.hasChecks()) {
    OpBuilder::InsertionGuard guard(b);
    unit = body.clone();
    unit.setSymName((body.getSymName() + "__unit").str());
    b.insert(unit);
    if (!addUpRowsTogether(b, unit)) {
      unit.erase();
      unit = {};
    }
  }
  vectoriseLoops(body);
  if (!unit)
    return body;
  vectoriseLoops(unit);
  return unit;
}

void kern::ir::loop::emitGufunc(KernelBuilder &b, const KernelFacts &kernel,
                                LLVM::LLVMFuncOp body,
                                const std::optional<CoreShapes> &shapes,
                                HostOptions options) {
  if (shapes && !kernel.entry.inParts) {
    if (!kernel.hasChecks())
      joinStores(body);
    if (GufuncLanes vectors(b, kernel, body, *shapes, options.lanes);
        vectors.isPossible()) {
      body.erase();
      GeneralForm(b, kernel, {}, {}, vectors.count()).emit(vectors);
      return;
    }
  }
  LLVM::LLVMFuncOp unit = vectoriseCore(b, kernel, body, options);
  GeneralForm(b, kernel, body, unit).emit();
}
