//===- SinCos.cpp - the sine and cosine of one angle ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/nvptx/Passes.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace {

/// The functions for one float type, f64's of libdevice.
struct Row {
  StringLiteral sine, cosine, both;
};

constexpr Row rows[] = {{"kern.sin.f32", "kern.cos.f32", "kern.sincos.f32"},
                        {"__nv_sin", "__nv_cos", "__nv_sincos"}};

} // namespace

/// Whether two values are computed in the same way from the same values. False
/// beyond a depth of `depth`.
static bool isSameValue(const Value *a, const Value *b, unsigned depth = 6) {
  if (a == b)
    return true;
  const auto *x = dyn_cast<Instruction>(a), *y = dyn_cast<Instruction>(b);
  if (!x || !y || depth == 0 || isa<PHINode>(x) || x->mayReadOrWriteMemory() ||
      !x->isSameOperationAs(y))
    return false;
  for (auto [p, q] : zip(x->operands(), y->operands()))
    if (!isSameValue(p, q, depth - 1))
      return false;
  return true;
}

static SmallVector<CallInst *> callsOf(Module &module, StringRef name) {
  SmallVector<CallInst *> calls;
  if (Function *function = module.getFunction(name))
    for (User *user : function->users())
      if (auto *call = dyn_cast<CallInst>(user))
        if (call->getCalledFunction() == function)
          calls.push_back(call);
  return calls;
}

/// A stack slot, which SROA turns into a register when sincos is inlined.
static Value *makeSlot(Function &function, Type *type) {
  IRBuilder<> entry(&*function.getEntryBlock().getFirstInsertionPt());
  Value *slot = entry.CreateAlloca(type);
  return entry.CreateAddrSpaceCast(slot, entry.getPtrTy());
}

/// Replaces the two calls by sincos, at the place of the first one.
static void fuse(Module &module, StringRef name, CallInst *sine,
                 CallInst *cosine, CallInst *first) {
  Type *type = sine->getType();
  IRBuilder<> builder(first);
  Value *slots[] = {makeSlot(*first->getFunction(), type),
                    makeSlot(*first->getFunction(), type)};
  FunctionCallee both = module.getOrInsertFunction(
      name, builder.getVoidTy(), type, builder.getPtrTy(), builder.getPtrTy());
  builder.CreateCall(both, {first->getArgOperand(0), slots[0], slots[1]});
  sine->replaceAllUsesWith(builder.CreateLoad(type, slots[0]));
  cosine->replaceAllUsesWith(builder.CreateLoad(type, slots[1]));
  sine->eraseFromParent();
  cosine->eraseFromParent();
}

void kern::compiler::nvptx::fuseSinCos(Module &module) {
  for (const Row &row : rows) {
    SmallVector<CallInst *> cosines = callsOf(module, row.cosine);
    if (cosines.empty())
      continue;
    DenseMap<Function *, std::unique_ptr<DominatorTree>> trees;
    for (CallInst *sine : callsOf(module, row.sine)) {
      Function *function = sine->getFunction();
      auto &tree = trees[function];
      if (!tree)
        tree = std::make_unique<DominatorTree>(*function);
      for (CallInst *&cosine : cosines) {
        if (!cosine || cosine->getFunction() != function ||
            !isSameValue(sine->getArgOperand(0), cosine->getArgOperand(0)))
          continue;
        CallInst *first = tree->dominates(sine, cosine)   ? sine
                          : tree->dominates(cosine, sine) ? cosine
                                                          : nullptr;
        if (!first)
          continue;
        fuse(module, row.both, sine, cosine, first);
        cosine = nullptr;
        break;
      }
    }
  }
}
