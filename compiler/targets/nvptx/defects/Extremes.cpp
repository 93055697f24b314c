//===- Extremes.cpp - minima and maxima -----------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/nvptx/defects/Defects.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace kern::compiler;

static MinMaxIntrinsic *widened(MinMaxIntrinsic &extreme) {
  IRBuilder<> builder(&extreme);
  Type *wide = extreme.getType()->getWithNewBitWidth(32);
  auto extended = [&](Value *value) {
    return builder.CreateIntCast(value, wide, extreme.isSigned());
  };
  Value *result = builder.CreateIntrinsic(
      wide, extreme.getIntrinsicID(),
      {extended(extreme.getLHS()), extended(extreme.getRHS())});
  extreme.replaceAllUsesWith(builder.CreateTrunc(result, extreme.getType()));
  extreme.eraseFromParent();
  return cast<MinMaxIntrinsic>(result);
}

/// Rewrites the negated operands of a 32-bit minimum or maximum as ~x + 1.
static void complementOperands(MinMaxIntrinsic &extreme) {
  IRBuilder<> builder(&extreme);
  for (Use &operand : extreme.args()) {
    Value *negated = nullptr;
    if (match(operand.get(), m_Neg(m_Value(negated))))
      operand.set(nvptx::byLanes(builder, negated, [&](Value *lane) {
        return nvptx::complementAndOne(builder, lane);
      }));
  }
}

void kern::compiler::nvptx::fixExtremes(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction :
         make_early_inc_range(instructions(function)))
      if (auto *extreme = dyn_cast<MinMaxIntrinsic>(&instruction)) {
        if (extreme->getType()->getScalarSizeInBits() < 32)
          extreme = widened(*extreme);
        if (extreme->getType()->getScalarSizeInBits() == 32)
          complementOperands(*extreme);
      }
}
