//===- Defects.cpp - the order of the workarounds, and their assembly -----===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/nvptx/defects/Defects.h"

#include "llvm/IR/InlineAsm.h"

using namespace llvm;

void kern::compiler::nvptx::avoidDefects(Module &module) {
  keepSmallestIntegers(module);
  fixExtremes(module);
  loadBytesUnsigned(module);
  chooseByBits(module);
  limitShiftCounts(module);
  keepSignedZeros(module);
}

Value *kern::compiler::nvptx::asText(IRBuilder<> &builder, Type *type,
                                     StringRef text, StringRef constraints,
                                     Value *operand) {
  return builder.CreateCall(
      InlineAsm::get(FunctionType::get(type, {operand->getType()}, false), text,
                     constraints, /*hasSideEffects=*/false),
      {operand});
}

Value *kern::compiler::nvptx::byLanes(IRBuilder<> &builder, Value *operand,
                                      function_ref<Value *(Value *)> lane) {
  auto *vector = dyn_cast<FixedVectorType>(operand->getType());
  if (!vector)
    return lane(operand);
  Value *result = nullptr;
  for (unsigned i = 0; i < vector->getNumElements(); ++i) {
    Value *element = lane(builder.CreateExtractElement(operand, i));
    if (!result)
      result = PoisonValue::get(
          FixedVectorType::get(element->getType(), vector->getNumElements()));
    result = builder.CreateInsertElement(result, element, i);
  }
  return result;
}

Value *kern::compiler::nvptx::complementAndOne(IRBuilder<> &builder,
                                               Value *value) {
  return asText(builder, value->getType(),
                "{ .reg .b32 c; not.b32 c, $1; add.s32 $0, c, 1; }", "=r,r",
                value);
}
