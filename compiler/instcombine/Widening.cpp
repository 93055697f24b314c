//===- Widening.cpp - bf16 beside f16 -------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/instcombine/Guard.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

static bool isHalf(const Value *value) {
  return value->getType()->getScalarType()->isHalfTy();
}

static bool usesHalf(const Function &function) {
  return any_of(instructions(function), [](const Instruction &instruction) {
    return isHalf(&instruction) || any_of(instruction.operands(), isHalf);
  });
}

/// The f32 whose upper half is the bf16.
static Value *widened(IRBuilder<> &builder, Value *number) {
  Type *type = number->getType();
  Value *bits =
      builder.CreateBitCast(number, type->getWithNewType(builder.getInt16Ty()));
  Type *wide = type->getWithNewType(builder.getInt32Ty());
  Value *upper = builder.CreateShl(builder.CreateZExt(bits, wide), 16);
  return builder.CreateBitCast(upper,
                               type->getWithNewType(builder.getFloatTy()));
}

void kern::compiler::widenByBits(Function &function) {
  if (!usesHalf(function))
    return;
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (auto *extension = dyn_cast<FPExtInst>(&instruction);
        extension && extension->getSrcTy()->getScalarType()->isBFloatTy()) {
      IRBuilder<> builder(extension);
      Value *number = widened(builder, extension->getOperand(0));
      extension->replaceAllUsesWith(
          builder.CreateFPExt(number, extension->getType()));
      extension->eraseFromParent();
    }
}
