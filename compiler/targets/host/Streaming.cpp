//===- Streaming.cpp - non-temporal stores --------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/host/Passes.h"

#include "dialects/LoopToHost/LoopToHost.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/Module.h"

using namespace llvm;

/// The bytes of the narrowest vector register and of a cache line.
static constexpr uint64_t minBytes = 16, lineBytes = 64;

/// Makes a store non-temporal if it may be. Returns whether it is.
static bool stream(StoreInst &store) {
  const DataLayout &layout = store.getModule()->getDataLayout();
  Type *type = store.getValueOperand()->getType();
  uint64_t bytes = layout.getTypeStoreSize(type).getKnownMinValue();
  if (!type->isVectorTy() || bytes < minBytes || !isPowerOf2_64(bytes) ||
      isa<AllocaInst>(getUnderlyingObject(store.getPointerOperand())))
    return false;
  LLVMContext &context = store.getContext();
  auto *one =
      ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context), 1));
  store.setMetadata(LLVMContext::MD_nontemporal, MDNode::get(context, one));
  store.setAlignment(Align(std::min(bytes, lineBytes)));
  return true;
}

static void fence(ReturnInst &end) {
  IRBuilder<> b(&end);
  if (end.getModule()->getTargetTriple().isX86())
    b.CreateIntrinsic(Intrinsic::x86_sse_sfence, {});
  else
    b.CreateFence(AtomicOrdering::Release);
}

void kern::compiler::host::streamStores(Module &module) {
  for (Function &function : module) {
    if (!function.hasFnAttribute(kern::ir::loop::streamsAttribute))
      continue;
    bool isStreaming = false;
    for (Instruction &instruction : instructions(function))
      if (auto *store = dyn_cast<StoreInst>(&instruction))
        isStreaming |= stream(*store);
    for (BasicBlock &block : function)
      if (auto *end = dyn_cast<ReturnInst>(block.getTerminator());
          end && isStreaming)
        fence(*end);
  }
}
