//===- Selects.cpp - choices between 16-bit floats ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/nvptx/defects/Defects.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

/// All bits of 16 where `condition` holds, by text that LLVM does not look
/// into.
static Value *maskOf(IRBuilder<> &builder, Value *condition) {
  Type *bits = builder.getInt16Ty();
  auto *text = InlineAsm::get(
      FunctionType::get(bits, {condition->getType()}, false),
      "selp.b16 $0, 0xFFFF, 0, $1;", "=h,b", /*hasSideEffects=*/false);
  return builder.CreateCall(text, {condition});
}

/// The mask of each lane of `bits`, a type of 16-bit integers.
static Value *masksOf(IRBuilder<> &builder, Value *condition, Type *bits) {
  auto *lanes = dyn_cast<FixedVectorType>(bits);
  if (!lanes)
    return maskOf(builder, condition);
  if (!condition->getType()->isVectorTy())
    return builder.CreateVectorSplat(lanes->getElementCount(),
                                     maskOf(builder, condition));
  Value *masks = PoisonValue::get(lanes);
  for (unsigned i = 0; i < lanes->getNumElements(); ++i)
    masks = builder.CreateInsertElement(
        masks, maskOf(builder, builder.CreateExtractElement(condition, i)), i);
  return masks;
}

static Value *chosenByBits(IRBuilder<> &builder, SelectInst &select) {
  Type *bits = select.getType()->getWithNewType(builder.getInt16Ty());
  // What is not chosen may be poison, which a select keeps back.
  auto bitsOf = [&](Value *value) {
    return builder.CreateBitCast(builder.CreateFreeze(value), bits);
  };
  Value *otherwise = bitsOf(select.getFalseValue());
  Value *difference =
      builder.CreateXor(bitsOf(select.getTrueValue()), otherwise);
  Value *mask = masksOf(builder, select.getCondition(), bits);
  return builder.CreateBitCast(
      builder.CreateXor(otherwise, builder.CreateAnd(difference, mask)),
      select.getType());
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

void kern::nvptx::chooseByBits(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction :
         make_early_inc_range(instructions(function)))
      if (auto *select = dyn_cast<SelectInst>(&instruction);
          select && isShortFloat(*select)) {
        IRBuilder<> builder(select);
        select->replaceAllUsesWith(chosenByBits(builder, *select));
        select->eraseFromParent();
      }
}
