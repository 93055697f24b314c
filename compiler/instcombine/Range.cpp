//===- Range.cpp - integers beyond the range of f16 -----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/instcombine/Guard.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

/// The smallest number that f16 rounds to infinity. It has 12 significant bits,
/// so that InstCombine does not take its conversion to f16 to be exact.
static constexpr int firstInfinite = 65520;
/// Marks a conversion that is done with.
static constexpr StringLiteral doneMark = "kern-limited";

static bool isHalf(const Type *type) {
  return type->getScalarType()->isHalfTy();
}

static bool widensHalf(const Function &function) {
  return any_of(instructions(function), [](const Instruction &instruction) {
    return isa<FPExtInst>(instruction) &&
           isHalf(instruction.getOperand(0)->getType());
  });
}

/// Whether a value is converted from an integer that f16 may not hold.
static bool isFromLargeInteger(const Value *value) {
  const auto *conversion = dyn_cast<CastInst>(value);
  if (!conversion || !isa<SIToFPInst, UIToFPInst>(conversion))
    return false;
  const Value *integer = conversion->getOperand(0);
  const DataLayout &layout = conversion->getDataLayout();
  unsigned bits = isa<SIToFPInst>(conversion)
                      ? ComputeMaxSignificantBits(integer, layout)
                      : computeKnownBits(integer, layout).countMaxActiveBits();
  return bits > 16;
}

/// Whether a value is such a one, with another type or sign perhaps, or is
/// chosen between several. InstCombine moves conversions past these operations.
static bool mayBeFromLargeInteger(const Value *value,
                                  SmallPtrSetImpl<const Value *> &seen) {
  if (isHalf(value->getType()) || !seen.insert(value).second)
    return false;
  if (isFromLargeInteger(value))
    return true;
  auto isOne = [&](const Value *operand) {
    return mayBeFromLargeInteger(operand, seen);
  };
  if (const auto *phi = dyn_cast<PHINode>(value))
    return any_of(phi->incoming_values(), isOne);
  if (const auto *select = dyn_cast<SelectInst>(value))
    return isOne(select->getTrueValue()) || isOne(select->getFalseValue());
  const Value *operand = nullptr;
  return (match(value, m_FPExt(m_Value(operand))) ||
          match(value, m_FPTrunc(m_Value(operand))) ||
          match(value, m_FNeg(m_Value(operand))) ||
          match(value, m_FAbs(m_Value(operand))) ||
          match(value, m_CopySign(m_Value(operand), m_Value()))) &&
         isOne(operand);
}

/// Limits the integer to what f16 still rounds to infinity.
static void limitInteger(CastInst &conversion) {
  IRBuilder<> builder(&conversion);
  Value *integer = conversion.getOperand(0);
  Type *type = integer->getType();
  Value *largest = ConstantInt::get(type, firstInfinite);
  if (isa<UIToFPInst>(conversion)) {
    integer = builder.CreateBinaryIntrinsic(Intrinsic::umin, integer, largest);
  } else {
    Value *smallest = ConstantInt::getSigned(type, -firstInfinite);
    integer = builder.CreateBinaryIntrinsic(Intrinsic::smax, integer, smallest);
    integer = builder.CreateBinaryIntrinsic(Intrinsic::smin, integer, largest);
  }
  conversion.setOperand(0, integer);
}

/// Chooses infinity if the number before the conversion is too large.
static void limitFloat(FPTruncInst &conversion) {
  IRBuilder<> builder(conversion.getNextNode());
  Value *number = conversion.getOperand(0);
  Value *size = builder.CreateUnaryIntrinsic(Intrinsic::fabs, number);
  Value *isLarge = builder.CreateFCmpOGE(
      size, ConstantFP::get(number->getType(), double(firstInfinite)));
  Value *infinity = builder.CreateCopySign(
      ConstantFP::getInfinity(conversion.getType()), &conversion);
  auto *chosen =
      cast<SelectInst>(builder.CreateSelect(isLarge, infinity, &conversion));
  conversion.replaceUsesWithIf(chosen, [&](const Use &use) {
    return use.getUser() != chosen && use.getUser() != infinity;
  });
}

/// Whether the conversion was limited; sets its mark otherwise.
static bool isDone(Instruction &conversion) {
  if (conversion.hasMetadata(doneMark))
    return true;
  conversion.setMetadata(doneMark, MDNode::get(conversion.getContext(), {}));
  return false;
}

void kern::compiler::limitToHalf(Function &function) {
  if (!widensHalf(function))
    return;
  for (Instruction &instruction :
       make_early_inc_range(instructions(function))) {
    if (!isHalf(instruction.getType()))
      continue;
    if (isFromLargeInteger(&instruction)) {
      if (!isDone(instruction))
        limitInteger(cast<CastInst>(instruction));
    } else if (auto *conversion = dyn_cast<FPTruncInst>(&instruction)) {
      SmallPtrSet<const Value *, 8> seen;
      if (mayBeFromLargeInteger(conversion->getOperand(0), seen) &&
          !isDone(instruction))
        limitFloat(*conversion);
    }
  }
}
