//===- Extensions.cpp - signed bytes made 16 bits wide --------------------===//
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

using namespace llvm;

void kern::nvptx::extendSignsApart(Module &module) {
  Type *byte = Type::getInt8Ty(module.getContext());
  Type *wide = Type::getInt16Ty(module.getContext());
  auto *text =
      InlineAsm::get(FunctionType::get(wide, {wide}, false),
                     "cvt.s16.s8 $0, $1;", "=h,h", /*hasSideEffects=*/false);
  for (Function &function : module)
    for (Instruction &instruction :
         make_early_inc_range(instructions(function)))
      if (auto *extension = dyn_cast<SExtInst>(&instruction);
          extension && extension->getSrcTy() == byte &&
          extension->getType() == wide) {
        IRBuilder<> builder(extension);
        Value *operand = builder.CreateZExt(extension->getOperand(0), wide);
        extension->replaceAllUsesWith(builder.CreateCall(text, {operand}));
        extension->eraseFromParent();
      }
}
