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

/// Libdevice's fmod of the type of a division's operands.
static Function *declareRemainder(Function &division) {
  Type *type = division.getArg(0)->getType();
  auto *fmod = cast<Function>(
      division.getParent()
          ->getOrInsertFunction(type->isFloatTy() ? "__nv_fmodf" : "__nv_fmod",
                                FunctionType::get(type, {type, type}, false))
          .getCallee());
  fmod->setAttributes(division.getAttributes());
  return fmod;
}

/// The call of `remainder` with the operands of `quotient`, in its block.
static CallInst *findRemainder(CallInst &quotient, Function &remainder) {
  for (Instruction &instruction : *quotient.getParent())
    if (auto *call = dyn_cast<CallInst>(&instruction);
        call && call->getCalledFunction() == &remainder &&
        call->getArgOperand(0) == quotient.getArgOperand(0) &&
        call->getArgOperand(1) == quotient.getArgOperand(1))
      return call;
  return nullptr;
}

/// Replaces quotients and remainders of the same operands by calls of one
/// function, which takes the long way once. Returns it, or null.
static Function *fuse(Function *quotient, Function *remainder,
                      const Twine &name) {
  if (!quotient || !remainder)
    return nullptr;
  Type *type = quotient->getReturnType();
  Function *both = nullptr;
  for (User *user : make_early_inc_range(quotient->users())) {
    auto *call = cast<CallInst>(user);
    CallInst *rest = findRemainder(*call, *remainder);
    if (!rest)
      continue;
    if (!both) {
      both = Function::Create(
          FunctionType::get(StructType::get(type, type), {type, type}, false),
          GlobalValue::InternalLinkage, name, *quotient->getParent());
      both->setAttributes(quotient->getAttributes());
    }
    IRBuilder<> b(call->comesBefore(rest) ? call : rest);
    Value *made =
        b.CreateCall(both, {call->getArgOperand(0), call->getArgOperand(1)});
    call->replaceAllUsesWith(b.CreateExtractValue(made, 0));
    rest->replaceAllUsesWith(b.CreateExtractValue(made, 1));
    call->eraseFromParent();
    rest->eraseFromParent();
  }
  return both;
}

void kern::compiler::nvptx::defineDivisions(Module &module) {
  SmallVector<std::pair<Function *, Division>> divisions;
  for (StringRef type : {"f32", "f64"})
    if (Function *both =
            fuse(module.getFunction(("kern.floor_divide." + type).str()),
                 module.getFunction(("kern.remainder." + type).str()),
                 "kern.divmod." + type))
      divisions.push_back({both, Division::Both});
  for (Function &function : module)
    if (std::optional<Division> division = divisionOf(function.getName());
        division && function.isDeclaration() && !function.use_empty())
      divisions.push_back({&function, *division});
  SmallVector<Function *> remainders;
  for (auto [function, division] : divisions) {
    const bool isSingle = function->getArg(0)->getType()->isFloatTy();
    remainders.push_back(declareRemainder(*function));
    defineDivision(
        *function, division,
        {isSingle ? estimateSingle : estimateDouble, remainders.back()});
  }
  // One copy serves several functions.
  for (Function *fmod : remainders)
    if (fmod->hasNUsesOrMore(2))
      for (User *user : fmod->users())
        cast<CallBase>(user)->addFnAttr(Attribute::NoInline);
}
