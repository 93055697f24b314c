//===- SafeLoads.cpp - loads that need no mask on the CPU -----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A mask keeps lanes that take no part from reading outside of an array. What
// lies between two elements that have been read is inside.
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/host/Passes.h"

#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

/// More than a window of this size has would take long to compare.
static constexpr size_t mostLoads = 64;

/// Whether the loads that come before it surround what a masked load reads.
static bool isSurrounded(IntrinsicInst &masked, ArrayRef<LoadInst *> loads,
                         DominatorTree &dominators, ScalarEvolution &scalars) {
  const DataLayout &layout = masked.getDataLayout();
  auto bytes = [&](Type *type) {
    return int64_t(layout.getTypeStoreSize(type).getFixedValue());
  };
  const SCEV *address = scalars.getSCEV(masked.getArgOperand(0));
  int64_t low = 1, high = -1, size = bytes(masked.getType());
  for (LoadInst *load : loads) {
    if (!dominators.dominates(load, &masked))
      continue;
    const SCEV *other = scalars.getSCEV(load->getPointerOperand());
    if (scalars.getPointerBase(other) != scalars.getPointerBase(address))
      continue;
    auto *distance =
        dyn_cast<SCEVConstant>(scalars.getMinusSCEV(other, address));
    if (!distance)
      continue;
    int64_t from = distance->getAPInt().getSExtValue();
    low = std::min(low, from);
    high = std::max(high, from + bytes(load->getType()));
  }
  return low <= 0 && high >= size;
}

bool kern::compiler::host::readWithoutMasks(Function &function,
                                            DominatorTree &dominators,
                                            ScalarEvolution &scalars) {
  SmallVector<LoadInst *> loads;
  SmallVector<IntrinsicInst *> masked;
  for (Instruction &instruction : instructions(function)) {
    if (auto *load = dyn_cast<LoadInst>(&instruction);
        load && load->isSimple() && loads.size() < mostLoads)
      loads.push_back(load);
    if (auto *call = dyn_cast<IntrinsicInst>(&instruction);
        call && call->getIntrinsicID() == Intrinsic::masked_load)
      masked.push_back(call);
  }
  bool changed = false;
  for (IntrinsicInst *call : masked) {
    if (!isa<UndefValue>(call->getArgOperand(2)) ||
        !isSurrounded(*call, loads, dominators, scalars))
      continue;
    IRBuilder<> b(call);
    call->replaceAllUsesWith(
        b.CreateAlignedLoad(call->getType(), call->getArgOperand(0),
                            call->getParamAlign(0).valueOrOne()));
    scalars.forgetValue(call);
    call->eraseFromParent();
    changed = true;
  }
  return changed;
}
