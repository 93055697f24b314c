//===- Divisions.cpp - integer divisions in loops -------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/host/Passes.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
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

/// Whether floats divide a vector of integers: no CPU has an instruction that
/// does. For constants LLVM multiplies.
static bool isVectorDivision(const Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case Instruction::UDiv:
  case Instruction::URem:
  case Instruction::SDiv:
  case Instruction::SRem:
    return isa<FixedVectorType>(instruction.getType()) &&
           instruction.getType()->getScalarSizeInBits() <= 32 &&
           !isa<Constant>(instruction.getOperand(1));
  default:
    return false;
  }
}

/// A quotient that is not whole is at least 1 / divisor away from the next
/// whole number, which is at most the dividend / divisor. So the distance is
/// more than half a unit in the last place of a float that can hold the
/// dividend and has one bit more: rounding does not reach the whole number, and
/// truncation gives the integers' quotient.
static Value *divideAsFloats(Instruction &division) {
  IRBuilder<> b(&division);
  bool isSigned = division.getOpcode() == Instruction::SDiv ||
                  division.getOpcode() == Instruction::SRem;
  bool isRemainder = division.getOpcode() == Instruction::URem ||
                     division.getOpcode() == Instruction::SRem;
  auto *type = cast<FixedVectorType>(division.getType());
  Type *element =
      type->getScalarSizeInBits() <= 16 ? b.getFloatTy() : b.getDoubleTy();
  auto *floats = FixedVectorType::get(element, type->getNumElements());
  Value *operands[2];
  for (unsigned i = 0; i < 2; ++i) {
    Value *operand = division.getOperand(i);
    operands[i] = isSigned ? b.CreateSIToFP(operand, floats)
                           : b.CreateUIToFP(operand, floats);
  }
  Value *quotient = b.CreateFDiv(operands[0], operands[1]);
  quotient = isSigned ? b.CreateFPToSI(quotient, type)
                      : b.CreateFPToUI(quotient, type);
  if (!isRemainder)
    return quotient;
  return b.CreateSub(division.getOperand(0),
                     b.CreateMul(quotient, division.getOperand(1)));
}

/// Whether LLVM 22 may get the product of a division wrong: with AVX2 it takes
/// `reverse(x / 3) * y` to be 0, for a vector x of bytes that is less than a
/// register, and so for other constants and permutations.
static bool isDivisionOfFewBytes(const Instruction &instruction) {
  const auto *type = dyn_cast<FixedVectorType>(instruction.getType());
  return instruction.isIntDivRem() && type &&
         type->getScalarSizeInBits() == 8 && type->getNumElements() < 16 &&
         isa<Constant>(instruction.getOperand(1));
}

/// The same on integers of 16 bits, which have instructions for it.
static Value *divideAsShorts(Instruction &division) {
  IRBuilder<> b(&division);
  auto *type = cast<FixedVectorType>(division.getType());
  auto *wide = FixedVectorType::get(b.getInt16Ty(), type->getNumElements());
  const auto opcode = Instruction::BinaryOps(division.getOpcode());
  const bool isSigned =
      opcode == Instruction::SDiv || opcode == Instruction::SRem;
  Value *operands[2];
  for (unsigned i = 0; i < 2; ++i)
    operands[i] = b.CreateIntCast(division.getOperand(i), wide, isSigned);
  return b.CreateTrunc(b.CreateBinOp(opcode, operands[0], operands[1]), type);
}

bool kern::compiler::host::divideVectors(Function &function) {
  bool changed = false;
  for (Instruction &instruction :
       make_early_inc_range(instructions(function))) {
    const bool hasFewBytes = isDivisionOfFewBytes(instruction);
    if (!hasFewBytes && !isVectorDivision(instruction))
      continue;
    instruction.replaceAllUsesWith(hasFewBytes ? divideAsShorts(instruction)
                                               : divideAsFloats(instruction));
    instruction.eraseFromParent();
    changed = true;
  }
  return changed;
}
