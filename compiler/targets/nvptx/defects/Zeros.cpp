//===- Zeros.cpp - choices between signed zeros ---------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/nvptx/defects/Defects.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

/// The zero between which and a number a select chooses, if LLVM makes a
/// minimum or maximum of it that may be the other zero; null otherwise. If the
/// number equals the zero, the select is its second value. The minimum is -0,
/// the maximum +0.
static Constant *lostZero(SelectInst &select) {
  Value *left = nullptr, *right = nullptr;
  SelectPatternFlavor flavor = matchSelectPattern(&select, left, right).Flavor;
  if ((flavor != SPF_FMINNUM && flavor != SPF_FMAXNUM) ||
      select.hasNoSignedZeros())
    return nullptr;
  Value *ofEqual = select.getFalseValue();
  if (flavor == SPF_FMINNUM ? match(ofEqual, m_NegZeroFP())
                            : match(ofEqual, m_PosZeroFP()))
    return nullptr;
  for (Value *value : {left, right})
    if (match(value, m_AnyZeroFP()))
      return cast<Constant>(value);
  return nullptr;
}

void kern::compiler::nvptx::keepSignedZeros(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : instructions(function)) {
      auto *select = dyn_cast<SelectInst>(&instruction);
      Constant *zero = select ? lostZero(*select) : nullptr;
      if (!zero)
        continue;
      // LLVM makes no minimum or maximum of a comparison with the other zero.
      Instruction *compare = cast<FCmpInst>(select->getCondition())->clone();
      compare->insertBefore(select->getIterator());
      for (Use &operand : compare->operands())
        if (match(operand.get(), m_AnyZeroFP()))
          operand.set(ConstantFP::get(zero->getType(),
                                      match(zero, m_PosZeroFP()) ? -0.0 : 0.0));
      select->setCondition(compare);
    }
}
