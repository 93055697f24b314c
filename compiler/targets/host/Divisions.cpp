//===- Divisions.cpp - divisions that a loop does not change --------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/host/Passes.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

static bool isInvariantDivision(const Instruction &instruction,
                                const Loop &loop) {
  switch (instruction.getOpcode()) {
  case Instruction::UDiv:
  case Instruction::URem:
  case Instruction::SDiv:
  case Instruction::SRem:
    return loop.hasLoopInvariantOperands(&instruction);
  default:
    return false;
  }
}

/// Moves a division to `place`. Its divisor becomes 1 where the division would
/// be undefined.
static void moveTo(Instruction &division, Instruction &place) {
  IRBuilder<> b(&place);
  Type *type = division.getType();
  Value *dividend = b.CreateFreeze(division.getOperand(0));
  Value *divisor = b.CreateFreeze(division.getOperand(1));
  Value *isUndefined = b.CreateIsNull(divisor);
  if (division.getOpcode() == Instruction::SDiv ||
      division.getOpcode() == Instruction::SRem) {
    APInt least = APInt::getSignedMinValue(type->getScalarSizeInBits());
    Value *overflows =
        b.CreateAnd(b.CreateICmpEQ(divisor, Constant::getAllOnesValue(type)),
                    b.CreateICmpEQ(dividend, ConstantInt::get(type, least)));
    isUndefined = b.CreateOr(isUndefined, overflows);
  }
  division.setOperand(0, dividend);
  division.setOperand(
      1, b.CreateSelect(isUndefined, ConstantInt::get(type, 1), divisor));
  division.dropPoisonGeneratingFlags();
  division.moveBefore(place.getIterator());
}

bool kern::compiler::host::hoistDivisions(const LoopInfo &loops) {
  bool changed = false;
  for (Loop *loop : loops.getLoopsInPreorder()) {
    BasicBlock *before = loop->getLoopPreheader();
    if (!before)
      continue;
    for (BasicBlock *block : loop->blocks())
      for (Instruction &instruction : make_early_inc_range(*block))
        if (isInvariantDivision(instruction, *loop)) {
          moveTo(instruction, *before->getTerminator());
          changed = true;
        }
  }
  return changed;
}
