//===- Negation.cpp - narrow integers negated in 32 bits ------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/nvptx/Negation.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

static Value *negateIn32Bits(IRBuilder<> &builder, Value *value) {
  Type *word = builder.getInt32Ty();
  auto *negation = InlineAsm::get(FunctionType::get(word, {word}, false),
                                  "neg.s32 $0, $1;", "=r,r",
                                  /*hasSideEffects=*/false);
  Value *result =
      builder.CreateCall(negation, {builder.CreateSExt(value, word)});
  return builder.CreateTrunc(result, value->getType());
}

void kern::nvptx::widenNegations(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction :
         make_early_inc_range(instructions(function))) {
      Value *value = nullptr;
      Type *type = instruction.getType();
      if (!type->isIntOrIntVectorTy(8) && !type->isIntOrIntVectorTy(16))
        continue;
      if (!match(&instruction,
                 PatternMatch::m_Neg(PatternMatch::m_Value(value))))
        continue;
      IRBuilder<> builder(&instruction);
      Value *result = nullptr;
      if (auto *vector = dyn_cast<FixedVectorType>(type)) {
        result = PoisonValue::get(type);
        for (unsigned lane = 0; lane < vector->getNumElements(); ++lane)
          result = builder.CreateInsertElement(
              result,
              negateIn32Bits(builder,
                             builder.CreateExtractElement(value, lane)),
              lane);
      } else {
        result = negateIn32Bits(builder, value);
      }
      instruction.replaceAllUsesWith(result);
      instruction.eraseFromParent();
    }
}
