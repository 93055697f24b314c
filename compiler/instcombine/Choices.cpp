//===- Choices.cpp - choices between converted numbers --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/instcombine/Guard.h"

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

/// A conversion between floats.
struct Conversion {
  Instruction::CastOps opcode;
  Type *from;
  Type *to;
  const DataLayout &layout;

  /// The value that the conversion turns into `value`; null if there is none.
  Value *before(Value *value) const;
};

} // namespace

Value *Conversion::before(Value *value) const {
  if (auto *cast = dyn_cast<CastInst>(value))
    return cast->getOpcode() == opcode && cast->getSrcTy() == from
               ? cast->getOperand(0)
               : nullptr;
  auto *constant = dyn_cast<Constant>(value);
  if (!constant)
    return nullptr;
  Instruction::CastOps inverse =
      opcode == Instruction::FPExt ? Instruction::FPTrunc : Instruction::FPExt;
  Constant *original = ConstantFoldCastOperand(inverse, constant, from, layout);
  return original && ConstantFoldCastOperand(opcode, original, to, layout) ==
                         constant
             ? original
             : nullptr;
}

/// The conversion that made one of a choice's two values.
static std::optional<Conversion> conversionOf(SelectInst &select) {
  for (Value *value : {select.getTrueValue(), select.getFalseValue()})
    if (auto *cast = dyn_cast<CastInst>(value);
        isa_and_nonnull<FPExtInst, FPTruncInst>(cast))
      return Conversion{cast->getOpcode(), cast->getSrcTy(), cast->getType(),
                        select.getDataLayout()};
  return std::nullopt;
}

/// The value of type `type` that a comparison's operand stands for. InstCombine
/// compares numbers before they are widened.
static Value *comparedValue(Value *operand, Type *type,
                            const DataLayout &layout) {
  if (operand->getType() == type)
    return operand;
  return Conversion{Instruction::FPExt, type, operand->getType(), layout}
      .before(operand);
}

static bool isSame(Value *a, Value *b) {
  return a == b || (match(a, m_AnyZeroFP()) && match(b, m_AnyZeroFP()));
}

static void chooseBefore(SelectInst &select) {
  Value *condition = select.getCondition();
  bool isNegated = match(condition, m_Not(m_Value(condition)));
  auto *compare = dyn_cast<FCmpInst>(condition);
  if (!compare || compare->isEquality() || select.hasNoSignedZeros())
    return;
  std::optional<Conversion> conversion = conversionOf(select);
  if (!conversion)
    return;
  Value *chosen = conversion->before(select.getTrueValue());
  Value *otherwise = conversion->before(select.getFalseValue());
  if (isNegated)
    std::swap(chosen, otherwise);
  const DataLayout &layout = select.getDataLayout();
  Value *left = comparedValue(compare->getOperand(0), conversion->from, layout);
  Value *right =
      comparedValue(compare->getOperand(1), conversion->from, layout);
  if (!chosen || !otherwise || !left || !right ||
      !((isSame(chosen, left) && isSame(otherwise, right)) ||
        (isSame(chosen, right) && isSame(otherwise, left))))
    return;
  IRBuilder<> builder(&select);
  condition = builder.CreateFCmp(compare->getPredicate(), left, right);
  Value *narrow = builder.CreateSelect(condition, chosen, otherwise);
  select.replaceAllUsesWith(
      builder.CreateCast(conversion->opcode, narrow, conversion->to));
  select.eraseFromParent();
}

void kern::compiler::chooseBeforeConversion(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (auto *select = dyn_cast<SelectInst>(&instruction);
        select && select->getType()->isFPOrFPVectorTy())
      chooseBefore(*select);
}
