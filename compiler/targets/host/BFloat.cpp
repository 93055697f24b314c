//===- BFloat.cpp - rounding to bf16 --------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/host/BFloat.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

/// The upper half of the f32, one more where the lower half says so.
static Value *roundToBFloat(IRBuilder<> &b, Value *number) {
  Value *bits = b.CreateBitCast(number, b.getInt32Ty());
  Value *upper = b.CreateLShr(bits, 16);
  Value *half = b.CreateAdd(b.CreateAnd(upper, 1), b.getInt32(0x7fff));
  Value *rounded = b.CreateLShr(b.CreateAdd(bits, half), 16);
  // A carry must not make a NaN infinite, nor its last bits vanish.
  Value *quiet = b.CreateOr(upper, 0x40);
  Value *isNan = b.CreateFCmpUNO(number, number);
  Value *chosen = b.CreateSelect(isNan, quiet, rounded);
  return b.CreateBitCast(b.CreateTrunc(chosen, b.getInt16Ty()),
                         b.getBFloatTy());
}

void kern::host::expandBFloatRounding(Module &module) {
  SmallVector<FPTruncInst *> roundings;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *rounding = dyn_cast<FPTruncInst>(&instruction))
        if (rounding->getDestTy()->isBFloatTy() &&
            rounding->getSrcTy()->isFloatTy())
          roundings.push_back(rounding);
  for (FPTruncInst *rounding : roundings) {
    IRBuilder<> b(rounding);
    rounding->replaceAllUsesWith(roundToBFloat(b, rounding->getOperand(0)));
    rounding->eraseFromParent();
  }
}
