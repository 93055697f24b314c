//===- Shifts.cpp - shifts by 64-bit counts -------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/nvptx/defects/Defects.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

void kern::compiler::nvptx::limitShiftCounts(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : instructions(function)) {
      if (!instruction.isShift() || !instruction.getType()->isIntegerTy(64) ||
          isa<Constant>(instruction.getOperand(1)))
        continue;
      IRBuilder<> builder(&instruction);
      instruction.setOperand(1, builder.CreateBinaryIntrinsic(
                                    Intrinsic::umin, instruction.getOperand(1),
                                    builder.getInt64(64)));
    }
}
