//===- Quotients.cpp - remainders and their whole quotients ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Floor division as NumPy defines it takes t = fmod(a, b), and then the
// quotient (a - t) / b, which it rounds to a whole number. libdevice's fmod
// finds that number and throws it away. Where it is below 2^20 (f32) or 2^50
// (f64), one division and two fused multiply-adds give both. The quotient is
// whole then, and (a - t) / b is rounded to it: its two roundings are off by
// less than 1/4.
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/nvptx/Passes.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace {

/// libdevice's remainder of a type. Divisors in [least, most) and quotients
/// below `limit` are those of the short way. An approximate division is off by
/// 2 units in the last place there.
struct Row {
  StringLiteral remainder, name;
  double limit, least, most;
  bool isApproximate;
};

constexpr Row rows[] = {
    {"__nv_fmodf", "kern.fmod.quotient.f32", 0x1p20, 0x1p-126, 0x1p126, true},
    {"__nv_fmod", "kern.fmod.quotient.f64", 0x1p50, 0x1p-1022, 0x1p1022,
     false}};

/// A remainder, and the divisions of what it leaves.
struct Division {
  CallInst *remainder;
  SmallVector<BinaryOperator *, 1> quotients;
};

} // namespace

/// The remainders of which the program also takes the quotient.
static SmallVector<Division> divisionsOf(Function &remainder) {
  using namespace PatternMatch;
  SmallVector<Division> found;
  for (User *user : remainder.users()) {
    auto *call = dyn_cast<CallInst>(user);
    if (!call || call->getCalledFunction() != &remainder)
      continue;
    Division division = {call, {}};
    Value *a = call->getArgOperand(0), *b = call->getArgOperand(1);
    for (User *rest : call->users())
      if (match(rest, m_FSub(m_Specific(a), m_Specific(call))))
        for (User *quotient : rest->users())
          if (match(quotient, m_FDiv(m_Specific(rest), m_Specific(b))))
            division.quotients.push_back(cast<BinaryOperator>(quotient));
    if (!division.quotients.empty())
      found.push_back(std::move(division));
  }
  return found;
}

/// Defines the function that gives a remainder and its quotient.
static Function *define(Module &module, Function &remainder, const Row &row) {
  LLVMContext &context = module.getContext();
  Type *type = remainder.getReturnType();
  auto *both = StructType::get(type, type);
  Function *function =
      Function::Create(FunctionType::get(both, {type, type}, false),
                       GlobalValue::InternalLinkage, row.name, module);
  function->addFnAttr(Attribute::AlwaysInline);
  BasicBlock *entry = BasicBlock::Create(context, "", function),
             *rare = BasicBlock::Create(context, "", function),
             *done = BasicBlock::Create(context, "", function);
  IRBuilder<> b(entry);
  Value *dividend = function->getArg(0), *divisor = function->getArg(1);
  auto number = [&](double value) { return ConstantFP::get(type, value); };
  auto fma = [&](Value *x, Value *y, Value *z) {
    return b.CreateIntrinsic(Intrinsic::fma, {type}, {x, y, z});
  };
  Value *left = b.CreateUnaryIntrinsic(Intrinsic::fabs, dividend);
  Value *right = b.CreateUnaryIntrinsic(Intrinsic::fabs, divisor);
  Value *estimate = b.CreateFDiv(left, right);
  if (auto *division = dyn_cast<Instruction>(estimate);
      division && row.isApproximate)
    division->setHasApproxFunc(true);
  Value *whole = b.CreateUnaryIntrinsic(Intrinsic::trunc, estimate);
  // It may be off by one either way.
  Value *rest = fma(b.CreateFNeg(whole), right, left);
  Value *more = b.CreateSelect(b.CreateFCmpOGE(rest, right),
                               b.CreateFAdd(whole, number(1)), whole);
  whole = b.CreateSelect(b.CreateFCmpOLT(rest, number(0)),
                         b.CreateFSub(whole, number(1)), more);
  rest = fma(b.CreateFNeg(whole), right, left);
  // Signs: the dividend's, and the product of both.
  Value *isShort =
      b.CreateAnd(b.CreateFCmpOLT(estimate, number(row.limit)),
                  b.CreateAnd(b.CreateFCmpOGE(right, number(row.least)),
                              b.CreateFCmpOLT(right, number(row.most))));
  Value *signedRest =
      b.CreateBinaryIntrinsic(Intrinsic::copysign, rest, dividend);
  Value *one = b.CreateBinaryIntrinsic(Intrinsic::copysign, number(1), divisor);
  Value *signedWhole = b.CreateFMul(
      b.CreateBinaryIntrinsic(Intrinsic::copysign, whole, dividend), one);
  b.CreateCondBr(isShort, done, rare,
                 MDBuilder(context).createLikelyBranchWeights());
  b.SetInsertPoint(rare);
  Value *exact = b.CreateCall(&remainder, {dividend, divisor});
  Value *quotient = b.CreateFDiv(b.CreateFSub(dividend, exact), divisor);
  b.CreateBr(done);
  b.SetInsertPoint(done);
  PHINode *ofRest = b.CreatePHI(type, 2), *ofWhole = b.CreatePHI(type, 2);
  ofRest->addIncoming(signedRest, entry);
  ofRest->addIncoming(exact, rare);
  ofWhole->addIncoming(signedWhole, entry);
  ofWhole->addIncoming(quotient, rare);
  Value *result = b.CreateInsertValue(PoisonValue::get(both), ofRest, 0);
  b.CreateRet(b.CreateInsertValue(result, ofWhole, 1));
  return function;
}

void kern::compiler::nvptx::fuseQuotients(Module &module) {
  for (const Row &row : rows) {
    Function *remainder = module.getFunction(row.remainder);
    if (!remainder)
      continue;
    SmallVector<Division> divisions = divisionsOf(*remainder);
    if (divisions.empty())
      continue;
    Function *both = define(module, *remainder, row);
    for (const Division &division : divisions) {
      CallInst *call = division.remainder;
      IRBuilder<> b(call);
      Value *made =
          b.CreateCall(both, {call->getArgOperand(0), call->getArgOperand(1)});
      Value *rest = b.CreateExtractValue(made, 0);
      Value *whole = b.CreateExtractValue(made, 1);
      for (BinaryOperator *quotient : division.quotients) {
        quotient->replaceAllUsesWith(whole);
        quotient->eraseFromParent();
      }
      call->replaceAllUsesWith(rest);
      call->eraseFromParent();
    }
  }
}
