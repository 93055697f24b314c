//===- WrappedIndices.cpp - indices that begin again in a loop ------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   sum(v[i] * v[i % 4] for i in range(n))
//
// LLVM sees an index of two bits that counts. Its vectoriser takes elements for
// contiguous while that does not wrap, and asks so before the loop. It does
// wrap, and then the loop runs element by element, and adds up a sum in order.
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/host/Passes.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

/// Whether a value is the last bits of one that counts.
static bool wraps(const SCEV *value) {
  constexpr unsigned fewBits = 32;
  auto *wide = dyn_cast<SCEVIntegralCastExpr>(value);
  return wide && isa<SCEVAddRecExpr>(wide->getOperand()) &&
         wide->getOperand()->getType()->isIntegerTy() &&
         wide->getOperand()->getType()->getIntegerBitWidth() < fewBits;
}

bool kern::compiler::host::hideWrappedIndices(Function &function,
                                              const LoopInfo &loops,
                                              ScalarEvolution &scalars) {
  SmallVector<Use *> wrapped;
  for (Instruction &op : instructions(function))
    if (auto *place = dyn_cast<GetElementPtrInst>(&op);
        place && loops.getLoopFor(op.getParent()))
      for (Use &index : place->indices())
        if (isa<Instruction>(index) && scalars.isSCEVable(index->getType()) &&
            SCEVExprContains(scalars.getSCEV(index), wraps))
          wrapped.push_back(&index);
  for (Use *index : wrapped) {
    auto *place = cast<Instruction>(index->getUser());
    index->set(new FreezeInst(index->get(), "", place->getIterator()));
  }
  return !wrapped.empty();
}
