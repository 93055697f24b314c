//===- Extremes.cpp - narrow minima and maxima ----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/nvptx/defects/Defects.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

static void widen(MinMaxIntrinsic &extreme) {
  IRBuilder<> builder(&extreme);
  Type *wide = extreme.getType()->getWithNewBitWidth(32);
  auto extended = [&](Value *value) {
    return builder.CreateIntCast(value, wide, extreme.isSigned());
  };
  Value *result = builder.CreateBinaryIntrinsic(extreme.getIntrinsicID(),
                                                extended(extreme.getLHS()),
                                                extended(extreme.getRHS()));
  extreme.replaceAllUsesWith(builder.CreateTrunc(result, extreme.getType()));
  extreme.eraseFromParent();
}

void kern::nvptx::widenExtremes(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction :
         make_early_inc_range(instructions(function)))
      if (auto *extreme = dyn_cast<MinMaxIntrinsic>(&instruction);
          extreme && extreme->getType()->getScalarSizeInBits() < 32)
        widen(*extreme);
}
