//===- Negation.cpp - negations of the smallest integers ------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/nvptx/defects/Defects.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace kern::compiler;

static Value *negateAsText(IRBuilder<> &builder, Value *value) {
  bool isWide = value->getType()->isIntegerTy(64);
  return nvptx::asText(builder, value->getType(),
                       isWide ? "neg.s64 $0, $1;" : "neg.s32 $0, $1;",
                       isWide ? "=l,l" : "=r,r", value);
}

/// Applies `compute` to a scalar, extended to at least 32 bits. Truncates the
/// result to the scalar's type.
static Value *inAtLeast32Bits(IRBuilder<> &builder, Value *value,
                              function_ref<Value *(Value *)> compute) {
  Type *type = value->getType();
  if (type->getIntegerBitWidth() < 32)
    value = builder.CreateSExt(value, builder.getInt32Ty());
  return builder.CreateTrunc(compute(value), type);
}

static Value *negate(IRBuilder<> &builder, Value *value) {
  return inAtLeast32Bits(
      builder, value, [&](Value *wide) { return negateAsText(builder, wide); });
}

static Value *absoluteValue(IRBuilder<> &builder, Value *value) {
  return inAtLeast32Bits(builder, value, [&](Value *wide) {
    Value *negated = wide->getType()->isIntegerTy(64)
                         ? negateAsText(builder, wide)
                         : nvptx::complementAndOne(builder, wide);
    return builder.CreateBinaryIntrinsic(Intrinsic::smax, wide, negated);
  });
}

void kern::compiler::nvptx::keepSmallestIntegers(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction :
         make_early_inc_range(instructions(function))) {
      Type *scalar = instruction.getType()->getScalarType();
      if (!scalar->isIntegerTy() || scalar->isIntegerTy(1) ||
          scalar->getIntegerBitWidth() > 64)
        continue;
      Value *operand = nullptr;
      bool isAbsolute =
          match(&instruction, m_Intrinsic<Intrinsic::abs>(m_Value(operand)));
      if (!isAbsolute && !(scalar->getIntegerBitWidth() < 32 &&
                           match(&instruction, m_Neg(m_Value(operand)))))
        continue;
      IRBuilder<> builder(&instruction);
      Value *result = nvptx::byLanes(builder, operand, [&](Value *lane) {
        return isAbsolute ? absoluteValue(builder, lane)
                          : negate(builder, lane);
      });
      instruction.replaceAllUsesWith(result);
      instruction.eraseFromParent();
    }
}
