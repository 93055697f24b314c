//===- Saturation.cpp - floats to narrow integers -------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/Forms.h"

using namespace mlir;
using namespace kern::ir::loop;

/// The limits of an integer type as a float, if both are exact and a conversion
/// to i32 holds them.
static std::optional<std::pair<APFloat, APFloat>>
limitsOf(IntegerType to, FloatType from, bool isSigned) {
  unsigned width = to.getWidth();
  if (width > (isSigned ? 32 : 16) || !(from.isF32() || from.isF64()))
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

void kern::ir::loop::clampConversions(LLVM::LLVMFuncOp body) {
  body.walk([](LLVM::CallIntrinsicOp op) {
    bool isSigned = op.getIntrin() == "llvm.fptosi.sat";
    if (!isSigned && op.getIntrin() != "llvm.fptoui.sat")
      return;
    Value value = op.getArgs().front();
    auto from = dyn_cast<FloatType>(value.getType());
    auto to = dyn_cast<IntegerType>(op.getResult(0).getType());
    auto limits = from && to ? limitsOf(to, from, isSigned) : std::nullopt;
    if (!limits)
      return;
    ImplicitLocOpBuilder b(op.getLoc(), op);
    auto number = [&](const APFloat &limit) -> Value {
      return arith::ConstantOp::create(b, b.getFloatAttr(from, limit));
    };
    // NaN is the second choice of a comparison that does not hold.
    Value zero = number(APFloat::getZero(from.getFloatSemantics())),
          low = number(limits->first), high = number(limits->second);
    auto choose = [&](arith::CmpFPredicate predicate, Value x, Value y) {
      return arith::SelectOp::create(
          b, arith::CmpFOp::create(b, predicate, x, y), x, y);
    };
    Value known = isSigned
                      ? arith::SelectOp::create(
                            b,
                            arith::CmpFOp::create(b, arith::CmpFPredicate::ORD,
                                                  value, value),
                            value, zero)
                            .getResult()
                      : value;
    Value above = choose(arith::CmpFPredicate::OGT, known, low);
    Value within = choose(arith::CmpFPredicate::OLT, above, high);
    Value wide = arith::FPToSIOp::create(b, b.getI32Type(), within);
    if (to.getWidth() < 32)
      wide = arith::TruncIOp::create(b, to, wide);
    op.getResult(0).replaceAllUsesWith(wide);
    op.erase();
  });
}
