//===- Selects.cpp - choices by masks of bits -----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/nvptx/defects/Defects.h"
#include "compiler/targets/nvptx/defects/Text.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

#include <string>

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace kern;

/// All bits of an integer type where `condition` is `where`, by text that LLVM
/// does not look into.
static Value *maskOf(IRBuilder<> &builder, Value *condition, bool where,
                     Type *type) {
  if (type->isIntegerTy(8))
    return builder.CreateTrunc(
        maskOf(builder, condition, where, builder.getInt16Ty()), type);
  const unsigned width = type->getIntegerBitWidth();
  const char *result = width == 16 ? "=h,b" : width == 32 ? "=r,b" : "=l,b";
  std::string text = "selp.b" + std::to_string(width) +
                     (where ? " $0, -1, 0, $1;" : " $0, 0, -1, $1;");
  return nvptx::asText(builder, type, text, result, condition);
}

/// The mask of each lane of `bits`.
static Value *masksOf(IRBuilder<> &builder, Value *condition, bool where,
                      Type *bits) {
  auto *lanes = dyn_cast<FixedVectorType>(bits);
  if (!lanes)
    return maskOf(builder, condition, where, bits);
  auto mask = [&](Value *one) {
    return maskOf(builder, one, where, lanes->getElementType());
  };
  if (condition->getType()->isVectorTy())
    return nvptx::byLanes(builder, condition, mask);
  return builder.CreateVectorSplat(lanes->getElementCount(), mask(condition));
}

static bool isZero(Value *value) { return match(value, m_ZeroInt()); }

static Value *chosenByBits(IRBuilder<> &builder, SelectInst &select) {
  Type *bits = select.getType()->getWithNewType(
      builder.getIntNTy(select.getType()->getScalarSizeInBits()));
  // What is not chosen may be poison, which a select keeps back.
  auto bitsOf = [&](Value *value) {
    if (!isGuaranteedNotToBeUndefOrPoison(value))
      value = builder.CreateFreeze(value);
    return builder.CreateBitCast(value, bits);
  };
  auto masks = [&](bool where) {
    return masksOf(builder, select.getCondition(), where, bits);
  };
  Value *chosen = bitsOf(select.getTrueValue());
  Value *otherwise = bitsOf(select.getFalseValue());
  Value *result;
  if (isZero(otherwise))
    result = builder.CreateAnd(chosen, masks(true));
  else if (isZero(chosen))
    result = builder.CreateAnd(otherwise, masks(false));
  else
    result = builder.CreateXor(
        otherwise,
        builder.CreateAnd(builder.CreateXor(chosen, otherwise), masks(true)));
  return builder.CreateBitCast(result, select.getType());
}

/// Whether a value is of 16-bit floats, or of the bits of such.
static bool isShortFloat(SelectInst &select) {
  Type *type = select.getType()->getScalarType();
  auto isCast = [](Value *value) { return isa<BitCastInst>(value); };
  return type->isHalfTy() || type->isBFloatTy() ||
         (type->isIntegerTy(16) &&
          (any_of(select.users(), isCast) || isCast(select.getTrueValue()) ||
           isCast(select.getFalseValue())));
}

/// Whether an integer or zero meets another in an `and`, which follows by
/// itself where a byte is taken from a register.
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

void kern::nvptx::chooseByBits(Module &module) {
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
