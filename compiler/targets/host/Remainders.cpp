//===- Remainders.cpp - remainders of floats on the CPU -------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/host/Remainders.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

static Type *typeOf(Type *element, unsigned lanes) {
  return lanes == 1 ? element : FixedVectorType::get(element, lanes);
}

static FunctionType *binaryType(Type *type) {
  return FunctionType::get(type, {type, type}, /*isVarArg=*/false);
}

/// Defines a function that calls the C library's for each lane. It is not
/// inlined, as it is rarely called.
static Function *defineByLanes(Function &library, Type *type, unsigned lanes,
                               const Twine &name) {
  Module &module = *library.getParent();
  if (lanes == 1)
    return &library;
  Function *function = Function::Create(
      binaryType(type), GlobalValue::InternalLinkage, name, module);
  function->setAttributes(library.getAttributes());
  function->addFnAttr(Attribute::NoInline);
  function->addFnAttr(Attribute::Cold);
  IRBuilder<> b(BasicBlock::Create(module.getContext(), "", function));
  Value *result = PoisonValue::get(type);
  for (unsigned lane = 0; lane < lanes; ++lane) {
    Value *parts[] = {b.CreateExtractElement(function->getArg(0), lane),
                      b.CreateExtractElement(function->getArg(1), lane)};
    result = b.CreateInsertElement(result, b.CreateCall(&library, parts), lane);
  }
  b.CreateRet(result);
  return function;
}

namespace {
/// A remainder, and the lanes in which it may be wrong.
struct Found {
  Value *remainder, *isTooLarge;
};
} // namespace

/// The quotient is truncated in f64. That of two f32 below 2^28 is never
/// rounded up to a whole number: it is a whole number or at
/// least 2^-24 away from one. Its product with the divisor has 52 bits, so the
/// difference is exact. The quotient of two f64 may be rounded up, which makes
/// it too large by 1. The difference is a number all the same, and exact.
static Found find(IRBuilder<> &b, Value *a, Value *divisor, unsigned lanes) {
  Type *type = a->getType(), *wide = typeOf(b.getDoubleTy(), lanes);
  bool isWidened = type != wide;
  auto magnitude = [&](Value *value) -> Value * {
    value = b.CreateUnaryIntrinsic(Intrinsic::fabs, value);
    return isWidened ? b.CreateFPExt(value, wide) : value;
  };
  Value *left = magnitude(a), *right = magnitude(divisor);
  Value *zero = ConstantFP::get(wide, 0.0);
  Value *quotient =
      b.CreateUnaryIntrinsic(Intrinsic::trunc, b.CreateFDiv(left, right));
  Value *rest = b.CreateIntrinsic(Intrinsic::fma, {wide},
                                  {b.CreateFNeg(quotient), right, left});
  if (!isWidened)
    rest = b.CreateSelect(b.CreateFCmpOLT(rest, zero),
                          b.CreateFAdd(rest, right), rest);
  // This holds for an infinite divisor too, whose product with 0 is NaN.
  rest = b.CreateSelect(b.CreateFCmpOLT(left, right), left, rest);
  Value *limit = ConstantFP::get(wide, isWidened ? 0x1p28 : 0x1p53);
  Value *isLarge = b.CreateFCmpOGE(quotient, limit);
  // Remainders of infinities and by zero are NaN, as in IEEE 754.
  Value *isFinite =
      b.CreateAnd(b.CreateFCmpOLT(left, ConstantFP::getInfinity(wide)),
                  b.CreateFCmpOGT(right, zero));
  if (isWidened)
    rest = b.CreateFPTrunc(rest, type);
  return {b.CreateBinaryIntrinsic(Intrinsic::copysign, rest, a),
          b.CreateAnd(isLarge, isFinite)};
}

Function *kern::compiler::host::defineRemainder(Function &library,
                                                unsigned lanes,
                                                const Twine &name) {
  Module &module = *library.getParent();
  LLVMContext &context = module.getContext();
  Type *type = typeOf(library.getReturnType(), lanes);
  Function *byLanes = defineByLanes(library, type, lanes, name + ".by.lanes");
  Function *function = Function::Create(
      binaryType(type), GlobalValue::InternalLinkage, name, module);
  function->setAttributes(library.getAttributes());
  function->addFnAttr(Attribute::AlwaysInline);
  BasicBlock *entry = BasicBlock::Create(context, "", function),
             *rare = BasicBlock::Create(context, "", function),
             *done = BasicBlock::Create(context, "", function);
  IRBuilder<> b(entry);
  Value *a = function->getArg(0), *divisor = function->getArg(1);
  Found found = find(b, a, divisor, lanes);
  Value *isRare =
      lanes == 1 ? found.isTooLarge : b.CreateOrReduce(found.isTooLarge);
  b.CreateCondBr(isRare, rare, done,
                 MDBuilder(context).createUnlikelyBranchWeights());
  b.SetInsertPoint(rare);
  Value *exact = b.CreateCall(byLanes, {a, divisor});
  b.CreateBr(done);
  b.SetInsertPoint(done);
  PHINode *result = b.CreatePHI(type, 2);
  result->addIncoming(found.remainder, entry);
  result->addIncoming(exact, rare);
  b.CreateRet(result);
  return function;
}
