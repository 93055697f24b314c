//===- TableReductions.cpp - reductions over tables -----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/TableReductions.h"

#include "dialects/LoopToLLVM/Carried.h"
#include "dialects/LoopToLLVM/GroupSharing.h"
#include "dialects/LoopToLLVM/Ranges.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace kern::ir::loop;

/// The value that a lookup with a constant index finds; null for others.
static Value foundValue(OpBuilder &b, LookupOp lookup) {
  APInt index;
  auto values = dyn_cast<DenseElementsAttr>(lookup.getValues());
  if (!values || !matchPattern(lookup.getIndex(), m_ConstantInt(&index)) ||
      index.uge(values.getNumElements()))
    return {};
  auto value = cast<TypedAttr>(
      values.getValues<Attribute>()[size_t(index.getZExtValue())]);
  if (lookup.getType().isInteger(1))
    value = b.getBoolAttr(!cast<IntegerAttr>(value).getValue().isZero());
  return value.getType() == lookup.getType()
             ? arith::ConstantOp::create(b, lookup.getLoc(), value).getResult()
             : Value();
}

/// A copy of an operation, or the constant that it is.
static void cloneFolded(ImplicitLocOpBuilder &b, Operation &op,
                        IRMapping &map) {
  Operation *copy = b.clone(op, map);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(copy);
  SmallVector<Value> results;
  if (auto lookup = dyn_cast<LookupOp>(copy)) {
    if (Value value = foundValue(b, lookup))
      results.push_back(value);
  } else if (isa<arith::ArithDialect>(copy->getDialect()) &&
             failed(b.tryFold(copy, results))) {
    results.clear();
  }
  if (results.empty()) // or it was changed in place
    return;
  map.map(op.getResults(), results);
  copy->erase();
}

bool kern::ir::loop::writeOut(ReduceOp reduce, int64_t most) {
  ImplicitLocOpBuilder b(reduce.getLoc(), reduce);
  APInt trips;
  if (!matchPattern(
          tripCount(b, reduce.getLower(), reduce.getUpper(), reduce.getStep()),
          m_ConstantInt(&trips)) ||
      trips.sgt(most))
    return false;
  int64_t count = std::max<int64_t>(trips.getSExtValue(), 0);
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b, b.getI64IntegerAttr(value));
  };
  Carried sum = Carried::initial(b, reduce, number(count > 0 ? 0 : INT64_MAX));
  for (int64_t k = 0; k < count; ++k) {
    IRMapping map;
    map.map(reduce.inductionVar(),
            inductionValue(b, reduce.getLower(), reduce.getStep(), number(k)));
    for (Operation &op : reduce.entry().without_terminator())
      cloneFolded(b, op, map);
    SmallVector<Value> yielded;
    for (Value value : reduce.entry().getTerminator()->getOperands())
      yielded.push_back(map.lookupOrDefault(value));
    const bool isExtremum = reduce.getKind() == ReduceKind::FMinNan ||
                            reduce.getKind() == ReduceKind::FMaxNan;
    if (k == 0 && isExtremum && yielded.size() == 1 && !sum.sum.index &&
        !reduce.getKept())
      sum.sum.value = yielded.front();
    else
      sum = accumulate(b, reduce.getKind(), sum, yielded, number(k));
  }
  reduce.getResult().replaceAllUsesWith(result(b, reduce.getKind(), sum.sum));
  if (reduce.getKept())
    reduce.getKept().replaceAllUsesWith(sum.kept);
  reduce.erase();
  return true;
}

/// Whether a value is computed from another, within the region of that.
static bool isFrom(Value value, Value origin) {
  llvm::SmallPtrSet<Operation *, 8> seen;
  SmallVector<Value> pending{value};
  while (!pending.empty()) {
    Value next = pending.pop_back_val();
    if (next == origin)
      return true;
    Operation *op = next.getDefiningOp();
    if (op && origin.getParentRegion()->isAncestor(op->getParentRegion()) &&
        seen.insert(op).second)
      llvm::append_range(pending, op->getOperands());
  }
  return false;
}

/// The most iterations of a reduction that is written out: its body is short,
/// has no branches and no loops, and looks up a value for each iteration. None
/// for others.
static int64_t iterationsToWriteOut(ReduceOp reduce) {
  constexpr int64_t maxIterations = 64, maxOperations = 2048;
  if (!reduce.getBody().hasOneBlock())
    return -1;
  bool looksUp = false;
  int64_t operations = 0;
  for (Operation &op : reduce.entry()) {
    ++operations;
    if (op.getNumRegions() > 0)
      return -1;
    if (auto lookup = dyn_cast<LookupOp>(op))
      looksUp = looksUp || isFrom(lookup.getIndex(), reduce.inductionVar());
  }
  return looksUp ? std::min(maxIterations, maxOperations / operations) : -1;
}

void kern::ir::loop::writeOutTables(KernelOp kernel) {
  SmallVector<ReduceOp> reductions; // inner ones first
  kernel.getBody().walk<WalkOrder::PostOrder>(
      [&](ReduceOp reduce) { reductions.push_back(reduce); });
  for (ReduceOp reduce : reductions)
    if (int64_t most = iterationsToWriteOut(reduce); most > 0)
      writeOut(reduce, most);
  if (reductions.empty())
    return;
  SmallVector<Operation *> constants; // which remain of what was folded
  kernel.getBody().walk([&](arith::ConstantOp op) {
    if (op.use_empty())
      constants.push_back(op);
  });
  for (Operation *constant : constants)
    constant->erase();
}

namespace kern::ir {

#define GEN_PASS_DEF_LOOPWRITEOUT
#include "dialects/Passes.h.inc"

namespace {
struct WriteOutPass : impl::LoopWriteOutBase<WriteOutPass> {
  void runOnOperation() override {
    for (KernelOp kernel : getOperation().getOps<KernelOp>())
      writeOutTables(kernel);
  }
};
} // namespace

} // namespace kern::ir
