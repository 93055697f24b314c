//===- Quotients.cpp - quotients and remainders of floats on the GPU ------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The estimate of a quotient is the dividend times an approximate reciprocal.
// That of f32 is off by 2^-22 of the quotient; f64's, by 2^-18, is corrected to
// 2^-51. Both treat subnormal divisors as 0 and give 0 for the largest, so
// these take the long way, by libdevice's fmod.
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/FloatDivision.h"
#include "compiler/targets/nvptx/Passes.h"

#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace kern::compiler;

/// Whether quotients from `limit` on, or divisors outside of [least, most).
static Value *isRare(IRBuilder<> &b, Value *quotient, double limit, Value *y,
                     double least, double most) {
  auto number = [&](double value) {
    return ConstantFP::get(y->getType(), value);
  };
  Value *size = b.CreateUnaryIntrinsic(Intrinsic::fabs, quotient);
  Value *isOutside = b.CreateOr(b.CreateFCmpOLT(y, number(least)),
                                b.CreateFCmpOGE(y, number(most)));
  return b.CreateOr(b.CreateFCmpOGE(size, number(limit)), isOutside);
}

static Estimate estimateSingle(IRBuilder<> &b, Value *x, Value *y) {
  Value *reciprocal = b.CreateIntrinsic(Intrinsic::nvvm_rcp_approx_ftz_f, {y});
  Value *quotient = b.CreateFMul(x, reciprocal);
  return {quotient, isRare(b, quotient, 0x1p20, y, 0x1p-126, 0x1p125)};
}

static Estimate estimateDouble(IRBuilder<> &b, Value *x, Value *y) {
  Type *type = y->getType();
  auto fma = [&](Value *p, Value *q, Value *r) {
    return b.CreateIntrinsic(Intrinsic::fma, {type}, {p, q, r});
  };
  Value *rough = b.CreateIntrinsic(Intrinsic::nvvm_rcp_approx_ftz_d, {y});
  Value *error = fma(b.CreateFNeg(y), rough, ConstantFP::get(type, 1));
  Value *reciprocal = fma(rough, fma(error, error, error), rough);
  Value *quotient = b.CreateFMul(x, reciprocal);
  return {quotient, isRare(b, quotient, 0x1p49, y, 0x1p-1022, 0x1p1021)};
}

void kern::compiler::nvptx::defineDivisions(Module &module) {
  SmallVector<Function *> remainders;
  for (Function &function : make_early_inc_range(module)) {
    std::optional<Division> division = divisionOf(function.getName());
    if (!division || !function.isDeclaration())
      continue;
    const bool isSingle = function.getReturnType()->isFloatTy();
    auto *fmod = cast<Function>(
        module
            .getOrInsertFunction(isSingle ? "__nv_fmodf" : "__nv_fmod",
                                 function.getFunctionType())
            .getCallee());
    fmod->setAttributes(function.getAttributes());
    defineDivision(function, *division,
                   {isSingle ? estimateSingle : estimateDouble, fmod});
    remainders.push_back(fmod);
  }
  // One copy serves several functions.
  for (Function *fmod : remainders)
    if (fmod->hasNUsesOrMore(2))
      for (User *user : fmod->users())
        cast<CallBase>(user)->addFnAttr(Attribute::NoInline);
}
