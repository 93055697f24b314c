//===- Selects.cpp - selects as bit masks ---------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/nvptx/defects/Defects.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

/// A mask of type `bits`: all ones in the lanes where `condition` holds.
static Value *maskOf(IRBuilder<> &builder, Value *condition, Type *bits) {
  auto *lanes = dyn_cast<FixedVectorType>(bits);
  if (!lanes || condition->getType()->isVectorTy())
    return builder.CreateSExt(condition, bits);
  return builder.CreateVectorSplat(
      lanes->getElementCount(),
      builder.CreateSExt(condition, lanes->getElementType()));
}

static bool isZero(Value *value) { return match(value, m_ZeroInt()); }

static Value *chosenByBits(IRBuilder<> &builder, SelectInst &select) {
  Type *bits = select.getType()->getWithNewType(
      builder.getIntNTy(select.getType()->getScalarSizeInBits()));
  // A select ignores poison in the value that it does not choose; a mask would
  // not.
  auto bitsOf = [&](Value *value) {
    if (!isGuaranteedNotToBeUndefOrPoison(value))
      value = builder.CreateFreeze(value);
    return builder.CreateBitCast(value, bits);
  };
  Value *condition = select.getCondition();
  Value *chosen = bitsOf(select.getTrueValue());
  Value *otherwise = bitsOf(select.getFalseValue());
  Value *result;
  if (isZero(otherwise))
    result = builder.CreateAnd(chosen, maskOf(builder, condition, bits));
  else if (isZero(chosen))
    result = builder.CreateAnd(
        otherwise, maskOf(builder, builder.CreateNot(condition), bits));
  else
    result = builder.CreateXor(
        otherwise, builder.CreateAnd(builder.CreateXor(chosen, otherwise),
                                     maskOf(builder, condition, bits)));
  return builder.CreateBitCast(result, select.getType());
}

/// Whether a select is of 16-bit floats, or of their bits.
static bool isShortFloat(SelectInst &select) {
  Type *type = select.getType()->getScalarType();
  auto isCast = [](Value *value) { return isa<BitCastInst>(value); };
  return type->isHalfTy() || type->isBFloatTy() ||
         (type->isIntegerTy(16) &&
          (any_of(select.users(), isCast) || isCast(select.getTrueValue()) ||
           isCast(select.getFalseValue())));
}

/// Whether a select of an integer or zero is an operand of an `and`. A byte
/// always is: taking it from a register adds an `and`.
static bool isMasking(SelectInst &select) {
  Type *type = select.getType()->getScalarType();
  bool isRegister = type->isIntegerTy(8) || type->isIntegerTy(16) ||
                    type->isIntegerTy(32) || type->isIntegerTy(64);
  if (!isRegister ||
      !(isZero(select.getTrueValue()) || isZero(select.getFalseValue())))
    return false;
  auto isAnd = [](const User *user) {
    return match(user, m_And(m_Value(), m_Value()));
  };
  return type->isIntegerTy(8) || any_of(select.users(), [&](const User *user) {
           return isAnd(user) ||
                  (isa<CastInst>(user) && any_of(user->users(), isAnd));
         });
}

void kern::compiler::nvptx::chooseByBits(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction :
         make_early_inc_range(instructions(function)))
      if (auto *select = dyn_cast<SelectInst>(&instruction);
          select && (isShortFloat(*select) || isMasking(*select))) {
        IRBuilder<> builder(select);
        select->replaceAllUsesWith(chosenByBits(builder, *select));
        select->eraseFromParent();
      }
}
