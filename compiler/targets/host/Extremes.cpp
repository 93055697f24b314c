//===- Extremes.cpp - minima and maxima on the CPU ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/host/Passes.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

/// LLVM's code for one with a constant is short.
static bool isExtreme(const Instruction &instruction) {
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  if (!call || (call->getIntrinsicID() != Intrinsic::minimum &&
                call->getIntrinsicID() != Intrinsic::maximum))
    return false;
  Type *element = call->getType()->getScalarType();
  return (element->isFloatTy() || element->isDoubleTy()) &&
         !call->hasNoNaNs() && !isa<Constant>(call->getOperand(0)) &&
         !isa<Constant>(call->getOperand(1));
}

/// x86's instructions give the second operand if the operands are equal, or one
/// is NaN. Asked in both orders they differ only there: in the sign of zeros,
/// or in that one is NaN. So the minimum is all bits of both. The maximum of
/// zeros is the bits that both have.
static Value *expand(Instruction &call) {
  IRBuilder<> b(&call);
  Value *x = call.getOperand(0), *y = call.getOperand(1);
  Type *type = call.getType();
  Type *bits = b.getIntNTy(type->getScalarSizeInBits());
  if (auto *vector = dyn_cast<VectorType>(type))
    bits = VectorType::get(bits, vector);
  bool isMinimum =
      cast<IntrinsicInst>(call).getIntrinsicID() == Intrinsic::minimum;
  auto choose = [&](Value *first, Value *second) {
    Value *isFirst = isMinimum ? b.CreateFCmpOLT(first, second)
                               : b.CreateFCmpOGT(first, second);
    return b.CreateBitCast(b.CreateSelect(isFirst, first, second), bits);
  };
  Value *one = choose(x, y), *other = choose(y, x);
  if (isMinimum)
    return b.CreateBitCast(b.CreateOr(one, other), type);
  return b.CreateSelect(b.CreateFCmpUNO(x, y), ConstantFP::getNaN(type),
                        b.CreateBitCast(b.CreateAnd(one, other), type));
}

bool kern::compiler::host::expandExtremes(Function &function) {
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (isExtreme(instruction)) {
      instruction.replaceAllUsesWith(expand(instruction));
      instruction.eraseFromParent();
      changed = true;
    }
  return changed;
}
