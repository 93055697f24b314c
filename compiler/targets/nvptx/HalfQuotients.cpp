//===- HalfQuotients.cpp - divisions of f16 and bf16 ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A quotient of halves would be one of f32, rounded again: a dozen
// instructions, with a branch to a rare path for each element. Without branches
// it has the same bits, since few digits need less, and elements of a thread
// overlap. Let d be the digits of the half. A quotient that is not subnormal
// lies at least 2^-(2d+1), relatively, from the middle of two halves, and never
// in the middle: that has an odd significand of d + 1 digits, of which the
// dividend would be a multiple.
//
// Of f16 the reciprocal's error is 2^-23, as is that distance. So what is left
// of the dividend, which is exact, corrects the quotient: then it is that of
// f32, but for 2^-46. Nothing is left, or NaN, of zeros and infinities, where
// the first quotient is right.
//
// Of bf16 the distance is 2^-17, and x times the reciprocal of y is exact
// enough. Its numbers are as large and small as f32's, where the reciprocal may
// be subnormal and counts as 0. So both are scaled before, exactly: by 2^8 for
// |y| < 2^-8, where an x that overflows gives a quotient that does, else by
// 2^-2, which leaves subnormal numbers of bf16 digits enough.
//
// A subnormal quotient may lie in the middle of two bf16, at a multiple of
// 2^-134; if not, it is 2^-142 away or more. A sum with 1.5 · 2^-121 rounds it
// to a multiple of 2^-144, so that it is in the middle if it should be. Larger
// quotients lose their last digits at most.
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/nvptx/Passes.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

static Value *number(IRBuilder<> &b, double value) {
  return ConstantFP::get(b.getFloatTy(), value);
}

/// Of two f16, as f32.
static Value *quotientOfF16(IRBuilder<> &b, Value *x, Value *y) {
  auto fma = [&](Value *p, Value *q, Value *r) {
    return b.CreateIntrinsic(Intrinsic::fma, {b.getFloatTy()}, {p, q, r});
  };
  Value *reciprocal =
      b.CreateIntrinsic(Intrinsic::nvvm_rcp_approx_ftz_f, {}, {y});
  Value *rough = b.CreateFMul(x, reciprocal);
  Value *left = fma(b.CreateFNeg(rough), y, x);
  Value *isLeft = b.CreateFCmpOGT(b.CreateUnaryIntrinsic(Intrinsic::fabs, left),
                                  number(b, 0));
  return b.CreateSelect(isLeft, fma(left, reciprocal, rough), rough);
}

/// Of two bf16, as f32.
static Value *quotientOfBF16(IRBuilder<> &b, Value *x, Value *y) {
  Value *isSmall = b.CreateFCmpOLT(b.CreateUnaryIntrinsic(Intrinsic::fabs, y),
                                   number(b, 0x1p-8));
  Value *scale = b.CreateSelect(isSmall, number(b, 0x1p8), number(b, 0x1p-2));
  Value *reciprocal = b.CreateIntrinsic(Intrinsic::nvvm_rcp_approx_ftz_f, {},
                                        {b.CreateFMul(y, scale)});
  Value *rough = b.CreateFMul(b.CreateFMul(x, scale), reciprocal);
  Value *shift = number(b, 0x1.8p-121);
  Value *rounded = b.CreateFSub(b.CreateFAdd(rough, shift), shift);
  // The sign of a zero. LLVM would copy it after rounding to bf16.
  auto bits = [&](Value *value) {
    return b.CreateBitCast(value, b.getInt32Ty());
  };
  Value *sign = b.CreateAnd(bits(rough), 0x80000000);
  return b.CreateBitCast(b.CreateOr(bits(rounded), sign), b.getFloatTy());
}

static Value *quotient(IRBuilder<> &b, Value *x, Value *y) {
  Type *half = x->getType(), *wide = b.getFloatTy();
  auto divide = half->isHalfTy() ? quotientOfF16 : quotientOfBF16;
  return b.CreateFPTrunc(
      divide(b, b.CreateFPExt(x, wide), b.CreateFPExt(y, wide)), half);
}

void kern::compiler::nvptx::divideHalves(Function &function) {
  for (Instruction &division : make_early_inc_range(instructions(function))) {
    Type *type = division.getType(), *half = type->getScalarType();
    if (division.getOpcode() != Instruction::FDiv ||
        !(half->isHalfTy() || half->isBFloatTy()))
      continue;
    IRBuilder<> b(&division);
    Value *x = division.getOperand(0), *y = division.getOperand(1);
    Value *result = nullptr;
    if (const auto *vector = dyn_cast<FixedVectorType>(type)) {
      result = PoisonValue::get(type);
      for (unsigned i = 0; i < vector->getNumElements(); ++i)
        result = b.CreateInsertElement(result,
                                       quotient(b, b.CreateExtractElement(x, i),
                                                b.CreateExtractElement(y, i)),
                                       i);
    } else {
      result = quotient(b, x, y);
    }
    division.replaceAllUsesWith(result);
    division.eraseFromParent();
  }
}
