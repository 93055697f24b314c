//===- RowsAhead.cpp - fetching later rows of arrays ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/RowsAhead.h"

#include "dialects/LoopToHost/Divergence.h"
#include "dialects/LoopToHost/Forms.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace kern::ir::loop;
using Predicate = KernelBuilder::Predicate;

/// Rows may be a power of two apart, where a CPU fetches nothing by itself.
/// So many of four lines are 8 KiB. It does so where rows are next to each
/// other, and is held up by fetches.
static constexpr int64_t rowsAhead = 32, shortStride = int64_t(1) << 10;

namespace {
/// The values of a loop some iterations later.
class LaterValues {
public:
  LaterValues(KernelBuilder &b, const CountedLoop &loop) : b(b), loop(loop) {}
  /// Whether a value is computed from the counter.
  bool follows(Value value);
  /// The factor by which a value follows the counter; null if there is none.
  Value factorOf(Value value);
  /// A value when the counter is `counter`; null if it is not computed from
  /// the counter alone.
  Value of(Value value, Value counter) {
    known[loop.counter()] = counter;
    return of(value);
  }

private:
  Value of(Value value);

  KernelBuilder &b;
  const CountedLoop &loop;
  llvm::DenseMap<Value, Value> known;
  llvm::DenseMap<Value, bool> following;
};
} // namespace

bool LaterValues::follows(Value value) {
  if (value == loop.counter())
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || loop.isOutside(value))
    return false;
  auto [known, isNew] = following.try_emplace(value, false);
  if (!isNew)
    return known->second;
  bool does = llvm::any_of(op->getOperands(),
                           [&](Value operand) { return follows(operand); });
  return following[value] = does;
}

Value LaterValues::factorOf(Value value) {
  llvm::SetVector<Value> seen;
  seen.insert(value);
  for (size_t i = 0; i < seen.size(); ++i) {
    Operation *op = seen[i].getDefiningOp();
    if (!op || !follows(seen[i]))
      continue;
    if (isa<arith::MulIOp>(op))
      for (unsigned k : {0u, 1u})
        if (op->getOperand(k) == loop.counter() &&
            loop.isOutside(op->getOperand(1 - k)))
          return op->getOperand(1 - k);
    seen.insert_range(op->getOperands());
  }
  return {};
}

Value LaterValues::of(Value value) {
  if (loop.isOutside(value))
    return value;
  if (auto then = known.find(value); then != known.end())
    return then->second;
  known[value] = {};
  Operation *op = value.getDefiningOp();
  if (!op || !isPure(op))
    return {};
  IRMapping operands;
  for (Value operand : op->getOperands()) {
    Value then = of(operand);
    if (!then)
      return {};
    operands.map(operand, then);
  }
  auto result = cast<OpResult>(value);
  return known[value] =
             b.clone(*op, operands)->getResult(result.getResultNumber());
}

Value kern::ir::loop::hasNearRows(KernelBuilder &b, const CountedLoop &loop,
                                  Value address) {
  Value stride = LaterValues(b, loop).factorOf(address);
  if (!stride)
    return {};
  return b.compare(Predicate::ult, b.add(stride, b.i64(shortStride - 1)),
                   b.i64(2 * shortStride - 1));
}

void kern::ir::loop::fetchRow(KernelBuilder &b, Value address, Type element) {
  constexpr unsigned reads = 0, toSecondLevel = 2, data = 1;
  auto fetch = LLVM::Prefetch::create(b, address, reads, toSecondLevel, data);
  fetch->setAttr(fetchedBytes, b.getI64IntegerAttr(storedSize(element)));
}

void kern::ir::loop::fetchRowsAhead(KernelBuilder &b, LLVM::LLVMFuncOp body) {
  OpBuilder::InsertionGuard guard(b);
  for (Block &block : body.getBody()) {
    std::optional<CountedLoop> loop = CountedLoop::of(block.getTerminator());
    if (!loop || !loop->isOutside(loop->trips) ||
        vectorFacts(loop->blocks.getArrayRef()).hasLoops)
      continue;
    llvm::DenseSet<Value> fetched;
    for (Block *inner : loop->blocks)
      for (LLVM::LoadOp load : llvm::to_vector(inner->getOps<LLVM::LoadOp>())) {
        LaterValues later(b, *loop);
        if (localArrayOf(load.getAddr()) || !later.follows(load.getAddr()) ||
            !fetched.insert(load.getAddr()).second)
          continue;
        b.setInsertionPoint(load);
        Value ahead = b.i64(rowsAhead);
        if (Value isNear = hasNearRows(b, *loop, load.getAddr()))
          ahead = arith::SelectOp::create(b, isNear, b.i64(0), ahead);
        Value counter = arith::MinSIOp::create(b, b.add(loop->counter(), ahead),
                                               b.sub(loop->trips, b.i64(1)));
        Value address = later.of(load.getAddr(), counter);
        if (!address)
          continue;
        fetchRow(b, address, load.getType());
      }
  }
}
