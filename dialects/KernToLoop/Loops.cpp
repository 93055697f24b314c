//===- Loops.cpp - parallel loops and reductions --------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/KernToLoop/Emitters.h"
#include "dialects/KernToLoop/KernelLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace kern::ir {

using runtime::DType;

/// The type of the values that a reduction yields; nothing if it yields none.
static std::optional<DType> accumulatorType(ReduceOp op) {
  for (Block &block : op.getBody())
    if (auto yield = dyn_cast<YieldOp>(block.getTerminator()))
      if (Value value = yield.getValue())
        return toDType(value.getType());
  return std::nullopt;
}

/// The loop dialect's kind for accumulators of `type`; it includes the sign of
/// integers. Nothing if the kind cannot reduce such values: any and all of
/// types other than bool, and means.
static std::optional<loop::ReduceKind> loopKind(ReduceKind kind, DType type) {
  using Loop = loop::ReduceKind;
  auto ordered = [&](Loop ofSigned, Loop ofUnsigned,
                     Loop ofFloat) -> std::optional<Loop> {
    if (isFloat(type) || isComplex(type))
      return ofFloat;
    return isSigned(type) ? ofSigned : ofUnsigned; // bool is unsigned
  };
  auto truth = [&](Loop found) -> std::optional<Loop> {
    return type == DType::Bool ? std::optional(found) : std::nullopt;
  };
  switch (kind) {
  case ReduceKind::Sum:
    return Loop::Sum;
  case ReduceKind::Prod:
    return Loop::Prod;
  case ReduceKind::Min:
    return ordered(Loop::SMin, Loop::UMin, Loop::FMinNan);
  case ReduceKind::Max:
    return ordered(Loop::SMax, Loop::UMax, Loop::FMaxNan);
  case ReduceKind::Any:
    return truth(Loop::Any);
  case ReduceKind::All:
    return truth(Loop::All);
  case ReduceKind::Mean: // a sum in typed code
    return std::nullopt;
  case ReduceKind::ArgMin:
    return ordered(Loop::ArgSMin, Loop::ArgUMin, Loop::ArgFMin);
  case ReduceKind::ArgMax:
    return ordered(Loop::ArgSMax, Loop::ArgUMax, Loop::ArgFMax);
  }
  return std::nullopt;
}

LogicalResult KernelLowering::lowerYield(YieldOp op) {
  SmallVector<Value> values;
  for (Value value :
       {Value(op.getValue()), Value(op.getKeep()), Value(op.getCount())})
    if (value)
      values.push_back(mapping.lookup(value));
  if (op.getCount() && !op.getKeep())
    values.insert(values.begin() + 1,
                  arith::ConstantOp::create(builder, op.getLoc(),
                                            builder.getBoolAttr(true)));
  loop::YieldOp::create(builder, op.getLoc(), values);
  return success();
}

LogicalResult KernelLowering::lowerParallel(ScalarBuilder &s, ParallelOp op) {
  SmallVector<Value> lowers = indices(s, op.getLowers());
  SmallVector<Value> uppers = indices(s, op.getUppers());
  SmallVector<Value> steps = indices(s, op.getSteps());
  auto parallel =
      loop::ParallelOp::create(builder, op.getLoc(), lowers, uppers, steps);
  OpBuilder::InsertionGuard guard(builder);
  if (!races)
    return lowerBlocks(op.getBody(), parallel.getBody());
  races->enter(op, parallel);
  LogicalResult result = lowerBlocks(op.getBody(), parallel.getBody());
  races->leave();
  return result;
}

LogicalResult KernelLowering::lowerReduce(ScalarBuilder &s, ReduceOp op) {
  std::optional<DType> type = accumulatorType(op);
  if (!type)
    return op.emitOpError("yields no typed value");
  std::optional<loop::ReduceKind> kind = loopKind(op.getKind(), *type);
  if (!kind)
    return op.emitOpError("of ")
           << std::string(name(*type)) << " values has no implementation yet";
  Value lower = index(s, op.getLower()), upper = index(s, op.getUpper()),
        step = index(s, op.getStep());
  auto reduce = loop::ReduceOp::create(builder, op.getLoc(), *kind,
                                       loopType(builder.getContext(), *type),
                                       lower, upper, step, bool(op.getKept()));
  mapping.map(op.getResult(), reduce.getResult());
  if (op.getKept())
    mapping.map(op.getKept(), reduce.getKept());
  OpBuilder::InsertionGuard guard(builder);
  return lowerBlocks(op.getBody(), reduce.getBody());
}

LogicalResult KernelLowering::lowerScan(ScalarBuilder &s, ScanOp op) {
  SmallVector<Value> initial;
  const bool hasInitial = !op.getInitial().empty();
  for (BlockArgument element :
       op.getCombine().getArguments().take_front(op.width())) {
    std::optional<DType> type = toDType(element.getType());
    if (!type)
      return op.emitOpError("has an element of type ") << element.getType();
    initial.push_back(
        hasInitial
            ? mapping.lookup(op.getInitial()[initial.size()])
            : emitConstant(s, IntegerAttr::get(builder.getIntegerType(128), 0),
                           *type)
                  ->value);
  }
  Value has = arith::ConstantOp::create(builder, op.getLoc(),
                                        builder.getBoolAttr(hasInitial));
  Value lower = index(s, op.getLower()), upper = index(s, op.getUpper()),
        step = index(s, op.getStep());
  auto scan =
      loop::ScanOp::create(builder, op.getLoc(), ValueRange(initial).getTypes(),
                           lower, upper, step, initial, has);
  if (hasInitial)
    for (auto [from, to] : llvm::zip(op.getTotals(), scan.getTotals()))
      mapping.map(from, to);
  OpBuilder::InsertionGuard guard(builder);
  if (failed(lowerBlocks(op.getElements(), scan.getElements())) ||
      failed(lowerBlocks(op.getCombine(), scan.getCombine())))
    return failure();
  return op.getWrite().empty() ? success()
                               : lowerBlocks(op.getWrite(), scan.getWrite());
}

} // namespace kern::ir
