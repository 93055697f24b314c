//===- Widening.cpp - bf16 as f32 -----------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A bf16 is the upper half of an f32. So a number that is rounded to bf16 and
// widened again is one instruction, that rounds two numbers into the halves of
// a register: the number above, 0 below. The rounding of one number alone is a
// conversion at a fraction of its rate, and a shift follows. A bf16 in the
// upper half of a register is widened by clearing the lower one; ptxas would
// move it down first.
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/nvptx/Passes.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

/// The f32 of one half of a register.
static Value *widened(IRBuilder<> &b, Value *word, bool isUpper) {
  Value *bits = isUpper ? b.CreateAnd(word, 0xffff0000) : b.CreateShl(word, 16);
  return b.CreateBitCast(bits, b.getFloatTy());
}

/// The f32 that a bf16 is, as i32, if a number is rounded to it; else null.
static Value *roundedBits(IRBuilder<> &b, Value *narrow) {
  Value *number = nullptr;
  if (!match(narrow, m_FPTrunc(m_Value(number))) ||
      !number->getType()->isFloatTy())
    return nullptr;
  Value *pair = b.CreateIntrinsic(Intrinsic::nvvm_ff2bf16x2_rn, {},
                                  {number, ConstantFP::get(b.getFloatTy(), 0)});
  return b.CreateBitCast(pair, b.getInt32Ty());
}

/// The f32 that `narrow` is; null if nothing is better than a conversion.
static Value *widen(IRBuilder<> &b, Value *narrow, bool hasPackedRounding) {
  Value *vector = nullptr;
  uint64_t index = 0;
  if (hasPackedRounding)
    if (Value *bits = roundedBits(b, narrow))
      return b.CreateBitCast(bits, b.getFloatTy());
  if (!match(narrow, m_ExtractElt(m_Value(vector), m_ConstantInt(index))))
    return nullptr;
  const unsigned count =
      cast<FixedVectorType>(vector->getType())->getNumElements();
  if (count % 2 != 0)
    return nullptr;
  Value *words =
      b.CreateBitCast(vector, FixedVectorType::get(b.getInt32Ty(), count / 2));
  return widened(b, b.CreateExtractElement(words, index / 2), index % 2 != 0);
}

/// Two that are stored side by side are rounded together anyway.
static bool isInVector(const Use &use) {
  return isa<InsertElementInst>(use.getUser());
}

/// Rounds a number to the upper half of a register for what uses it there.
static void roundAlone(Instruction &rounding) {
  if (all_of(rounding.uses(), isInVector))
    return;
  IRBuilder<> b(&rounding);
  Value *bits = b.CreateLShr(roundedBits(b, &rounding), 16);
  Value *narrow =
      b.CreateBitCast(b.CreateTrunc(bits, b.getInt16Ty()), rounding.getType());
  rounding.replaceUsesWithIf(narrow,
                             [](const Use &use) { return !isInVector(use); });
}

void kern::compiler::nvptx::widenBF16(Function &function,
                                      bool hasPackedRounding) {
  SmallVector<Instruction *> unused;
  for (Instruction &instruction : instructions(function)) {
    Value *narrow = nullptr;
    if (!match(&instruction, m_FPExt(m_Value(narrow))) ||
        !instruction.getType()->isFloatTy() || !narrow->getType()->isBFloatTy())
      continue;
    IRBuilder<> b(&instruction);
    if (Value *wide = widen(b, narrow, hasPackedRounding)) {
      instruction.replaceAllUsesWith(wide);
      unused.push_back(&instruction);
    }
  }
  for (Instruction *instruction : unused)
    instruction->eraseFromParent();
  if (!hasPackedRounding)
    return;
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (isa<FPTruncInst>(instruction) && instruction.getType()->isBFloatTy() &&
        instruction.getOperand(0)->getType()->isFloatTy()) {
      roundAlone(instruction);
      if (instruction.use_empty())
        instruction.eraseFromParent();
    }
}
