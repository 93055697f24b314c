//===- Bytes.cpp - byte arguments of functions ----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/nvptx/defects/Defects.h"

#include "llvm/IR/Module.h"

using namespace llvm;

void kern::compiler::nvptx::loadBytesUnsigned(Module &module) {
  Type *byte = Type::getInt8Ty(module.getContext());
  Type *wide = Type::getInt16Ty(module.getContext());
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
    for (Argument &argument : function.args()) {
      if (argument.getType() != byte)
        continue;
      Value *operand = builder.CreateZExt(&argument, wide);
      Value *apart = builder.CreateTrunc(
          asText(builder, wide, "mov.b16 $0, $1;", "=h,h", operand), byte);
      argument.replaceUsesWithIf(
          apart, [&](const Use &use) { return use.getUser() != operand; });
    }
  }
}
