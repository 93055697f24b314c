//===- Negation.cpp - the smallest integers, negated ----------------------===//
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
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

/// Negates an integer of 32 or 64 bits by text that neither LLVM nor the
/// driver's translator looks into.
static Value *negateAsText(IRBuilder<> &builder, Value *value) {
  Type *type = value->getType();
  bool isWide = type->isIntegerTy(64);
  auto *negation =
      InlineAsm::get(FunctionType::get(type, {type}, false),
                     isWide ? "neg.s64 $0, $1;" : "neg.s32 $0, $1;",
                     isWide ? "=l,l" : "=r,r", /*hasSideEffects=*/false);
  return builder.CreateCall(negation, {value});
}

/// `compute` on a scalar, made wide enough before and cut to its type after.
static Value *inAtLeast32Bits(IRBuilder<> &builder, Value *value,
                              function_ref<Value *(Value *)> compute) {
  Type *type = value->getType();
  if (type->getIntegerBitWidth() < 32)
    value = builder.CreateSExt(value, builder.getInt32Ty());
  return builder.CreateTrunc(compute(value), type);
}

/// Replaces an instruction by `compute` of each lane of `operand`.
static void replaceByLanes(Instruction &instruction, Value *operand,
                           function_ref<Value *(IRBuilder<> &, Value *)> lane) {
  IRBuilder<> builder(&instruction);
  Value *result = nullptr;
  if (auto *vector = dyn_cast<FixedVectorType>(instruction.getType())) {
    result = PoisonValue::get(vector);
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      result = builder.CreateInsertElement(
          result, lane(builder, builder.CreateExtractElement(operand, i)), i);
  } else {
    result = lane(builder, operand);
  }
  instruction.replaceAllUsesWith(result);
  instruction.eraseFromParent();
}

static Value *negate(IRBuilder<> &builder, Value *value) {
  return inAtLeast32Bits(
      builder, value, [&](Value *wide) { return negateAsText(builder, wide); });
}

static Value *absoluteValue(IRBuilder<> &builder, Value *value) {
  return inAtLeast32Bits(builder, value, [&](Value *wide) {
    return builder.CreateBinaryIntrinsic(Intrinsic::smax, wide,
                                         negateAsText(builder, wide));
  });
}

void kern::nvptx::keepSmallestIntegers(Module &module) {
  using namespace PatternMatch;
  for (Function &function : module)
    for (Instruction &instruction :
         make_early_inc_range(instructions(function))) {
      Type *scalar = instruction.getType()->getScalarType();
      if (!scalar->isIntegerTy() || scalar->isIntegerTy(1) ||
          scalar->getIntegerBitWidth() > 64)
        continue;
      Value *operand = nullptr;
      if (match(&instruction, m_Intrinsic<Intrinsic::abs>(m_Value(operand))))
        replaceByLanes(instruction, operand, absoluteValue);
      else if (scalar->getIntegerBitWidth() < 32 &&
               match(&instruction, m_Neg(m_Value(operand))))
        replaceByLanes(instruction, operand, negate);
    }
}
