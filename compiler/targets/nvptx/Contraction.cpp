//===- Contraction.cpp - products that library functions add --------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// libdevice and Kern's own library leave it to the code generator which product
// joins a sum. It would see other products where a function is inlined, and
// none that was moved out of a loop, so that a function would have other bits
// in another kernel. Kernels themselves come contracted from loop-to-gpu.
//
// No product that is left has the flag `contract`: it becomes mul.rn and is
// rounded. Sums have it and become add, of which ptxas knows more than of
// add.rn, as that 1 + exp(x) has a normal reciprocal.
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/nvptx/Passes.h"

#include "compiler/library/Library.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace kern::compiler;
using namespace kern::compiler::nvptx;

/// The value, or what it is the negative of.
static Value *withoutSign(Value *value) {
  Value *positive = nullptr;
  return match(value, PatternMatch::m_FNeg(PatternMatch::m_Value(positive)))
             ? positive
             : value;
}

/// The product that a term is, or is the negative of, if the sum alone needs
/// it. LLVM contracts others as well, which made powf wrong by 34 ULP: it
/// computes what a product loses by its rounding.
static Instruction *productIn(Value *term) {
  auto *product = dyn_cast<Instruction>(withoutSign(term));
  bool fits = product && product->getOpcode() == Instruction::FMul &&
              product->hasOneUse() && term->hasOneUse();
  return fits ? product : nullptr;
}

static void contract(Instruction &sum) {
  const bool isDifference = sum.getOpcode() == Instruction::FSub;
  IRBuilder<> b(&sum);
  auto negatedIf = [&](bool isNegative, Value *value) {
    return isNegative ? b.CreateFNeg(value) : value;
  };
  for (unsigned k : {0, 1}) {
    Value *term = sum.getOperand(k), *other = sum.getOperand(1 - k);
    Instruction *product = productIn(term);
    if (!product)
      continue;
    const bool isNegative = (product != term) != (isDifference && k == 1);
    Value *contracted = b.CreateIntrinsic(
        Intrinsic::fma, {sum.getType()},
        {negatedIf(isNegative, product->getOperand(0)), product->getOperand(1),
         negatedIf(isDifference && k == 0, other)});
    sum.replaceAllUsesWith(contracted);
    sum.eraseFromParent();
    if (term != product)
      cast<Instruction>(term)->eraseFromParent();
    product->eraseFromParent();
    return;
  }
}

static void contractSums(Function &function) {
  const bool isLibrary = function.hasFnAttribute(libdeviceAttribute) ||
                         function.hasFnAttribute(library::functionAttribute);
  SmallVector<Instruction *> sums;
  for (Instruction &instruction : instructions(function))
    if (instruction.getOpcode() == Instruction::FAdd ||
        instruction.getOpcode() == Instruction::FSub)
      sums.push_back(&instruction);
  for (Instruction *sum : sums) {
    sum->setHasAllowContract(true);
    if (isLibrary)
      contract(*sum);
  }
}

void nvptx::contractProducts(Module &module) {
  for (Function &function : module)
    contractSums(function);
}
