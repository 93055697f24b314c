//===- BFloat.cpp - bf16 by integer arithmetic ----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/host/Passes.h"

#include "compiler/targets/host/Functions.h"

#include "llvm/ADT/bit.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

/// The type for a scalar, or for each element of a vector.
static Type *like(Value *value, Type *element) {
  return value->getType()->getWithNewType(element);
}

/// The upper half of the f32, rounded to nearest even.
static Value *roundToBFloat(IRBuilder<> &b, Value *number) {
  Type *word = like(number, b.getInt32Ty());
  Value *bits = b.CreateBitCast(number, word);
  Value *upper = b.CreateLShr(bits, 16);
  Value *half =
      b.CreateAdd(b.CreateAnd(upper, 1), ConstantInt::get(word, 0x7fff));
  Value *rounded = b.CreateLShr(b.CreateAdd(bits, half), 16);
  // A NaN is not rounded, and gets a bit that the upper half keeps.
  Value *quiet = b.CreateOr(upper, 0x40);
  Value *isNan = b.CreateFCmpUNO(number, number);
  Value *chosen = b.CreateSelect(isNan, quiet, rounded);
  return b.CreateBitCast(b.CreateTrunc(chosen, like(number, b.getInt16Ty())),
                         like(number, b.getBFloatTy()));
}

/// The f32 with the number as its upper half.
static Value *widenBFloat(IRBuilder<> &b, Value *number) {
  Value *bits = b.CreateBitCast(number, like(number, b.getInt16Ty()));
  Value *upper =
      b.CreateShl(b.CreateZExt(bits, like(number, b.getInt32Ty())), 16);
  return b.CreateBitCast(upper, like(number, b.getFloatTy()));
}

static bool isBFloat(const Value *value) {
  return value->getType()->getScalarType()->isBFloatTy();
}

/// The replacement of `instruction`; null if it does not use bf16.
static Value *expand(Instruction &instruction) {
  IRBuilder<> b(&instruction);
  Value *operand =
      instruction.getNumOperands() ? instruction.getOperand(0) : nullptr;
  if (isa<FPTruncInst>(instruction) && isBFloat(&instruction) &&
      operand->getType()->getScalarType()->isFloatTy())
    return roundToBFloat(b, operand);
  if (isa<FPExtInst>(instruction) && isBFloat(operand))
    return b.CreateFPExt(widenBFloat(b, operand), instruction.getType());
  // Reductions compare bf16 values directly.
  if (auto *compare = dyn_cast<FCmpInst>(&instruction);
      compare && isBFloat(operand))
    return b.CreateFCmp(compare->getPredicate(), widenBFloat(b, operand),
                        widenBFloat(b, compare->getOperand(1)));
  if (auto *call = dyn_cast<IntrinsicInst>(&instruction);
      call && isBFloat(call) &&
      (call->getIntrinsicID() == Intrinsic::minimum ||
       call->getIntrinsicID() == Intrinsic::maximum))
    return roundToBFloat(b, b.CreateBinaryIntrinsic(
                                call->getIntrinsicID(), widenBFloat(b, operand),
                                widenBFloat(b, call->getOperand(1))));
  return nullptr;
}

float kern::compiler::host::roundToBFloat(float number) {
  uint32_t bits = bit_cast<uint32_t>(number);
  uint32_t upper = bits >> 16;
  uint32_t rounded = (bits + 0x7fff + (upper & 1)) >> 16;
  return bit_cast<float>(number != number ? upper | 0x40 : rounded);
}

void kern::compiler::host::expandBFloat(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction :
         make_early_inc_range(instructions(function)))
      if (Value *expanded = expand(instruction)) {
        instruction.replaceAllUsesWith(expanded);
        instruction.eraseFromParent();
      }
}
