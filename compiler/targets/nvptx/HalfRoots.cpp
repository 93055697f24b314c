//===- HalfRoots.cpp - square roots of f16 and bf16 -----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As with quotients (HalfQuotients.cpp), the root that f32 has and that is
// rounded again takes no branches. A root is never in the middle of two halves,
// whose square has more digits than a half, and a relative 2^-25 from it or
// more for f16, 2^-19 for bf16. So the approximate root is exact enough for
// bf16. For f16 it is x r, for the approximate reciprocal r of the root, and
// corrected by what is left of x. Zeros and infinities are their own roots.
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/nvptx/Passes.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

/// The half of which an instruction is the root, and to which all that uses it
/// rounds it; null if it is none.
static Value *halfOf(const Instruction &root) {
  Value *half = nullptr;
  if (!match(&root, m_Sqrt(m_FPExt(m_Value(half)))) || root.hasApproxFunc() ||
      !root.getType()->isFloatTy())
    return nullptr;
  const bool isRounded = all_of(root.users(), [&](const User *user) {
    return isa<FPTruncInst>(user) && user->getType() == half->getType();
  });
  return isRounded ? half : nullptr;
}

/// Of an f16 as f32.
static Value *rootOfF16(IRBuilder<> &b, Value *x) {
  auto fma = [&](Value *p, Value *q, Value *r) {
    return b.CreateIntrinsic(Intrinsic::fma, {b.getFloatTy()}, {p, q, r});
  };
  auto number = [&](double value) {
    return ConstantFP::get(b.getFloatTy(), value);
  };
  Value *reciprocal =
      b.CreateIntrinsic(Intrinsic::nvvm_rsqrt_approx_ftz_f, {}, {x});
  Value *rough = b.CreateFMul(x, reciprocal);
  Value *left = fma(b.CreateFNeg(rough), rough, x);
  Value *root = fma(left, b.CreateFMul(reciprocal, number(0.5)), rough);
  Value *isOwn =
      b.CreateOr(b.CreateFCmpOEQ(x, number(0)),
                 b.CreateFCmpOEQ(x, ConstantFP::getInfinity(b.getFloatTy())));
  return b.CreateSelect(isOwn, x, root);
}

void kern::compiler::nvptx::takeRootsOfHalves(Function &function) {
  for (Instruction &root : make_early_inc_range(instructions(function))) {
    const Value *half = halfOf(root);
    if (!half)
      continue;
    IRBuilder<> b(&root);
    Value *x = root.getOperand(0);
    root.replaceAllUsesWith(
        half->getType()->isHalfTy()
            ? rootOfF16(b, x)
            : b.CreateIntrinsic(Intrinsic::nvvm_sqrt_approx_f, {}, {x}));
    root.eraseFromParent();
  }
}
