//===- Approximations.cpp - approximations of normal numbers --------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The hardware's approximate root, logarithm and reciprocal of f32 take a
// subnormal number for 0. So each has three instructions around it that scale
// such numbers. A number that cannot be subnormal goes without these: f16's are
// all normal in f32, and so is a sum with 1.
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/nvptx/Passes.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

static constexpr int leastSubnormal = -149, leastNormal = -126, digits = 24;

/// An exponent e of which a number of f32 is known that its size is at least
/// 2^e, if it is not 0.
static int leastExponent(const Value *number, unsigned depth = 0) {
  constexpr unsigned deepest = 8;
  const APFloat *constant = nullptr;
  const Value *a = nullptr, *b = nullptr, *c = nullptr;
  auto of = [&](const Value *operand) {
    return leastExponent(operand, depth + 1);
  };
  // Numbers of at least 2^e are multiples of 2^(e + 1 - digits).
  auto multipleOf = [](int exponent) { return exponent + 1 - digits; };
  // Of a sum of a constant and other terms: either these are at most half of
  // it, or they are multiples of about its last place.
  auto ofSum = [&](const Value *term, int digitsOfOthers, int otherwise) {
    const bool hasLimit = match(term, m_APFloat(constant)) &&
                          constant->isFiniteNonZero() && ilogb(*constant) > -60;
    return hasLimit ? std::max(otherwise, ilogb(*constant) - digitsOfOthers)
                    : otherwise;
  };
  int least = leastSubnormal;
  if (depth == deepest)
    return least;
  if (match(number, m_APFloat(constant)))
    least = constant->isFiniteNonZero() ? ilogb(*constant) : 0;
  else if (match(number, m_FPExt(m_Value(a))))
    least = a->getType()->isHalfTy() ? -24 : leastSubnormal;
  else if (isa<SIToFPInst, UIToFPInst>(number))
    least = 0;
  else if (match(number, m_FNeg(m_Value(a))) ||
           match(number, m_FAbs(m_Value(a))) ||
           match(number, m_Intrinsic<Intrinsic::copysign>(m_Value(a))))
    least = of(a);
  else if (match(number, m_FMaximum(m_Value(), m_APFloat(constant))) &&
           constant->isFiniteNonZero() && !constant->isNegative())
    least = ilogb(*constant);
  else if (match(number, m_Select(m_Value(), m_Value(a), m_Value(b))) ||
           match(number, m_FMaximum(m_Value(a), m_Value(b))) ||
           match(number, m_FMinimum(m_Value(a), m_Value(b))))
    least = std::min(of(a), of(b));
  else if (match(number, m_FMul(m_Value(a), m_Value(b))))
    least = of(a) + of(b);
  else if (match(number, m_Sqrt(m_Value(a))) ||
           match(number,
                 m_Intrinsic<Intrinsic::nvvm_sqrt_approx_ftz_f>(m_Value(a))))
    least = of(a) / 2 - 1;
  else if (match(number, m_FAdd(m_Value(a), m_Value(b))) ||
           match(number, m_FSub(m_Value(a), m_Value(b)))) {
    least = multipleOf(std::min(of(a), of(b)));
    least = std::max(ofSum(a, digits, least), ofSum(b, digits, least));
  } else if (match(number, m_Intrinsic<Intrinsic::fma>(m_Value(a), m_Value(b),
                                                       m_Value(c))))
    least = ofSum(
        c, 2 * digits,
        std::min(multipleOf(of(a)) + multipleOf(of(b)), multipleOf(of(c))));
  return std::clamp(least, leastSubnormal, 0);
}

/// Whether a subnormal number, or 0 in its place, makes no difference to what
/// uses it: it is rounded to f16, or a sum with what is far larger.
static bool countsForNothing(const Value &number) {
  return all_of(number.users(), [](const User *user) {
    const APFloat *constant = nullptr;
    if (isa<FPTruncInst>(user))
      return user->getType()->isHalfTy();
    return match(user, m_c_FAdd(m_Value(), m_APFloat(constant))) ||
                   match(user, m_FSub(m_APFloat(constant), m_Value()))
               ? constant->isFiniteNonZero() && ilogb(*constant) > -60
               : false;
  });
}

namespace {
/// What is enough in place of an approximation, if a number is not subnormal.
struct ShortForm {
  Intrinsic::ID function;
  Value *number;
};
} // namespace

static std::optional<ShortForm> shortFormOf(const Instruction &instruction) {
  const auto *function = dyn_cast<IntrinsicInst>(&instruction);
  const Intrinsic::ID id =
      function ? function->getIntrinsicID() : Intrinsic::ID();
  const bool isDivision = id == Intrinsic::nvvm_div_approx_f ||
                          (instruction.getOpcode() == Instruction::FDiv &&
                           instruction.hasApproxFunc());
  // The reciprocal of 1 may be subnormal itself, and is exact then.
  if (isDivision && !match(instruction.getOperand(0), m_FPOne()))
    return ShortForm{Intrinsic::nvvm_rcp_approx_ftz_f,
                     instruction.getOperand(1)};
  if (!function)
    return std::nullopt;
  if (id == Intrinsic::nvvm_sqrt_approx_f ||
      (id == Intrinsic::sqrt && function->hasApproxFunc()))
    return ShortForm{Intrinsic::nvvm_sqrt_approx_ftz_f,
                     function->getArgOperand(0)};
  if (id == Intrinsic::nvvm_lg2_approx_f)
    return ShortForm{Intrinsic::nvvm_lg2_approx_ftz_f,
                     function->getArgOperand(0)};
  return std::nullopt;
}

/// What can take the place of an approximation; null for all else.
static Value *shortened(Instruction &instruction) {
  IRBuilder<> b(&instruction);
  if (match(&instruction, m_Intrinsic<Intrinsic::nvvm_ex2_approx>()))
    return countsForNothing(instruction)
               ? b.CreateIntrinsic(Intrinsic::nvvm_ex2_approx_ftz,
                                   {b.getFloatTy()},
                                   {instruction.getOperand(0)})
               : nullptr;
  const std::optional<ShortForm> form = shortFormOf(instruction);
  if (!form || leastExponent(form->number) < leastNormal)
    return nullptr;
  Value *result = b.CreateIntrinsic(form->function, {}, {form->number});
  return form->function == Intrinsic::nvvm_rcp_approx_ftz_f
             ? b.CreateFMul(instruction.getOperand(0), result)
             : result;
}

void kern::compiler::nvptx::shortenApproximations(Function &function) {
  for (Instruction &instruction :
       make_early_inc_range(instructions(function))) {
    if (!instruction.getType()->isFloatTy())
      continue;
    if (Value *result = shortened(instruction)) {
      instruction.replaceAllUsesWith(result);
      instruction.eraseFromParent();
    }
  }
}
