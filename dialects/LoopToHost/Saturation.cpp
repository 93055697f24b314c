//===- Saturation.cpp - floats to integers --------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/Forms.h"

#include <cmath>

using namespace mlir;
using namespace kern::ir::loop;

/// The limits of an integer type as a float, if both are exact and a conversion
/// to i32 holds them.
static std::optional<std::pair<APFloat, APFloat>>
limitsOf(IntegerType to, FloatType from, bool isSigned) {
  unsigned width = to.getWidth();
  if (width > (isSigned ? 32 : 16))
    return std::nullopt;
  APInt low = isSigned ? APInt::getSignedMinValue(width) : APInt(width, 0);
  APInt high =
      isSigned ? APInt::getSignedMaxValue(width) : APInt::getMaxValue(width);
  auto convert = [&](const APInt &limit, bool &isExact) {
    APFloat number(from.getFloatSemantics());
    isExact &= number.convertFromAPInt(limit, isSigned,
                                       APFloat::rmTowardZero) == APFloat::opOK;
    return number;
  };
  bool isExact = true;
  std::pair<APFloat, APFloat> limits = {convert(low, isExact),
                                        convert(high, isExact)};
  return isExact ? std::optional(limits) : std::nullopt;
}

/// A conversion by way of i32 of what is clamped to limits of the type.
static Value clamped(ImplicitLocOpBuilder &b, Value value, IntegerType to,
                     const std::pair<APFloat, APFloat> &limits, bool isSigned) {
  auto from = cast<FloatType>(value.getType());
  auto number = [&](const APFloat &limit) -> Value {
    return arith::ConstantOp::create(b, b.getFloatAttr(from, limit));
  };
  // NaN is the second choice of a comparison that does not hold.
  Value zero = number(APFloat::getZero(from.getFloatSemantics())),
        low = number(limits.first), high = number(limits.second);
  auto choose = [&](arith::CmpFPredicate predicate, Value x, Value y) {
    return arith::SelectOp::create(b, arith::CmpFOp::create(b, predicate, x, y),
                                   x, y);
  };
  Value known = isSigned ? arith::SelectOp::create(
                               b,
                               arith::CmpFOp::create(
                                   b, arith::CmpFPredicate::ORD, value, value),
                               value, zero)
                               .getResult()
                         : value;
  Value above = choose(arith::CmpFPredicate::OGT, known, low);
  Value within = choose(arith::CmpFPredicate::OLT, above, high);
  Value wide = arith::FPToSIOp::create(b, b.getI32Type(), within);
  return to.getWidth() < 32 ? Value(arith::TruncIOp::create(b, to, wide))
                            : wide;
}

/// A conversion of what the type holds, and choices of other results: a
/// conversion that does not hold is poison, which a choice does not pass on.
static Value chosen(ImplicitLocOpBuilder &b, Value value, IntegerType to,
                    bool isSigned) {
  auto from = cast<FloatType>(value.getType());
  unsigned width = to.getWidth();
  auto holds = [&](arith::CmpFPredicate predicate, double limit) -> Value {
    Value number = arith::ConstantOp::create(b, b.getFloatAttr(from, limit));
    return arith::CmpFOp::create(b, predicate, value, number);
  };
  auto choose = [&](Value condition, Value x, const APInt &other) -> Value {
    Value y = arith::ConstantOp::create(b, b.getIntegerAttr(to, other));
    return arith::SelectOp::create(b, condition, x, y);
  };
  using enum arith::CmpFPredicate;
  if (!isSigned) { // comparisons do not hold for NaN
    Value result =
        choose(holds(OGT, 0.0), arith::FPToUIOp::create(b, to, value),
               APInt(width, 0));
    return choose(holds(ULT, std::ldexp(1.0, int(width))), result,
                  APInt::getMaxValue(width));
  }
  double end = std::ldexp(1.0, int(width) - 1);
  Value result = choose(holds(OGE, -end), arith::FPToSIOp::create(b, to, value),
                        APInt::getSignedMinValue(width));
  result = choose(holds(ULT, end), result, APInt::getSignedMaxValue(width));
  return choose(holds(ORD, 0.0), result, APInt(width, 0));
}

void kern::ir::loop::clampConversions(LLVM::LLVMFuncOp body) {
  body.walk([](LLVM::CallIntrinsicOp op) {
    bool isSigned = op.getIntrin() == "llvm.fptosi.sat";
    if (!isSigned && op.getIntrin() != "llvm.fptoui.sat")
      return;
    Value value = op.getArgs().front();
    auto from = dyn_cast<FloatType>(value.getType());
    auto to = dyn_cast<IntegerType>(op.getResult(0).getType());
    if (!from || !to || to.getWidth() > 64 || !(from.isF32() || from.isF64()))
      return;
    ImplicitLocOpBuilder b(op.getLoc(), op);
    auto limits = limitsOf(to, from, isSigned);
    op.getResult(0).replaceAllUsesWith(
        limits ? clamped(b, value, to, *limits, isSigned)
               : chosen(b, value, to, isSigned));
    op.erase();
  });
}
