//===- Recentre.cpp - sums of squares about a mean ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopMappings/Recentre.h"

#include "dialects/LoopMappings/Launches.h"
#include "dialects/LoopToLLVM/Ranges.h"
#include "dialects/LoopToLLVM/ResidentRows.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace kern::ir::loop;

/// Whether it adds up f32 or f64, all of them, in a body without branches.
static bool isPlainSum(ReduceOp op) {
  Type type = op.getValueType();
  return op.getKind() == ReduceKind::Sum && (type.isF32() || type.isF64()) &&
         !op.getKept() && op.getBody().hasOneBlock();
}

static Value yielded(ReduceOp op) {
  return op.entry().getTerminator()->getOperand(0);
}

static bool isInside(Value value, ReduceOp op) {
  return op.getBody().isAncestor(value.getParentRegion());
}

std::optional<Distance> kern::ir::loop::squaredDistance(ReduceOp squares) {
  if (!isPlainSum(squares))
    return std::nullopt;
  auto product = yielded(squares).getDefiningOp<arith::MulFOp>();
  if (!product || product.getLhs() != product.getRhs() ||
      !arith::bitEnumContainsAll(product.getFastmath(),
                                 arith::FastMathFlags::contract))
    return std::nullopt;
  auto difference = product.getLhs().getDefiningOp<arith::SubFOp>();
  if (!difference || !isInside(difference.getResult(), squares))
    return std::nullopt;
  for (unsigned centre : {1, 0})
    if (!isInside(difference->getOperand(centre), squares))
      return Distance{product, difference, centre};
  return std::nullopt;
}

static bool isWritten(Value array, KernelOp kernel) {
  return Touched(kernel).written.contains(array);
}

/// Whether each iteration of two reductions computes the same value, from
/// elements that nothing writes.
static bool isSameValue(Value a, ReduceOp inA, Value b, ReduceOp inB,
                        KernelOp kernel,
                        llvm::DenseSet<std::pair<Value, Value>> &seen) {
  if (!seen.insert({a, b}).second)
    return true; // they are compared already, and one difference ends it all
  if (!isInside(a, inA) || !isInside(b, inB))
    return a == b || isSameIndex(a, b);
  if (a == inA.inductionVar() || b == inB.inductionVar())
    return a == inA.inductionVar() && b == inB.inductionVar();
  Operation *first = a.getDefiningOp(), *second = b.getDefiningOp();
  if (!first || !second || first->getName() != second->getName() ||
      first->getAttrDictionary() != second->getAttrDictionary() ||
      first->getResultTypes() != second->getResultTypes() ||
      first->getNumOperands() != second->getNumOperands() ||
      first->getNumRegions() || first->getNumResults() != 1)
    return false;
  auto load = dyn_cast<LoadOp>(first);
  if (load ? isWritten(load.getArray(), kernel) : !isMemoryEffectFree(first))
    return false;
  return llvm::all_of(llvm::zip(first->getOperands(), second->getOperands()),
                      [&](auto pair) {
                        auto [x, y] = pair;
                        return isSameValue(x, inA, y, inB, kernel, seen);
                      });
}

ReduceOp kern::ir::loop::sumOfSameValues(ReduceOp squares) {
  std::optional<Distance> distance = squaredDistance(squares);
  auto kernel = dyn_cast<KernelOp>(squares->getParentOp());
  if (!distance || !kernel)
    return nullptr;
  for (auto sum : squares->getBlock()->getOps<ReduceOp>()) {
    if (sum == squares)
      break;
    llvm::DenseSet<std::pair<Value, Value>> seen;
    if (isPlainSum(sum) && sum.getValueType() == squares.getValueType() &&
        isSameIndex(sum.getLower(), squares.getLower()) &&
        sum.getUpper() == squares.getUpper() &&
        isSameIndex(sum.getStep(), squares.getStep()) &&
        isSameValue(yielded(sum), sum, distance->value(), squares, kernel,
                    seen))
      return sum;
  }
  return nullptr;
}

/// The number as a float, at least 1.
static Value asFloat(ImplicitLocOpBuilder &b, Value count, Type type) {
  Value one = arith::ConstantOp::create(b, b.getI64IntegerAttr(1));
  return arith::SIToFPOp::create(b, type,
                                 b.createOrFold<arith::MaxSIOp>(count, one));
}

Value kern::ir::loop::sliceMean(ImplicitLocOpBuilder &b, Value values,
                                Value count) {
  return arith::DivFOp::create(b, values, asFloat(b, count, values.getType()));
}

/// Values that are not finite, or too far apart, give what squares about the
/// centre would: an infinity or NaN.
Value kern::ir::loop::squaresAbout(ImplicitLocOpBuilder &b,
                                   const SliceSums &slice, Value centre) {
  auto type = cast<FloatType>(centre.getType());
  auto constant = [&](const llvm::APFloat &value) -> Value {
    return arith::ConstantOp::create(b, b.getFloatAttr(type, value));
  };
  auto zero = llvm::APFloat::getZero(type.getFloatSemantics()),
       infinity = llvm::APFloat::getInf(type.getFloatSemantics());
  Value count = asFloat(b, slice.count, type);
  Value mean = sliceMean(b, slice.values, slice.count);
  Value error = arith::DivFOp::create(b, slice.distances, count);
  Value own = arith::SubFOp::create(
      b, slice.squares, arith::MulFOp::create(b, slice.distances, error));
  Value atLeast0 = arith::MaximumFOp::create(b, own, constant(zero));
  Value apart =
      arith::AddFOp::create(b, arith::SubFOp::create(b, mean, centre), error);
  Value moved =
      arith::MulFOp::create(b, count, arith::MulFOp::create(b, apart, apart));
  Value isFinite = arith::CmpFOp::create(b, arith::CmpFPredicate::OLT,
                                         slice.squares, constant(infinity));
  return arith::SelectOp::create(
      b, isFinite, arith::AddFOp::create(b, atLeast0, moved), slice.squares);
}

bool kern::ir::loop::recentres(KernelOp kernel) {
  Launches launches(kernel, /*recentres=*/true);
  return launches.count && *launches.count == 2 &&
         !launches.recentred.empty() && launches.placed.empty() &&
         llvm::all_of(launches.ofLoop,
                      [](const auto &loop) { return loop.second == 0; }) &&
         residentRows(kernel);
}
