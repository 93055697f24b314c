//===- Forms.cpp - the forms of host kernels ------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/Forms.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace kern::ir::loop;

LLVM::LLVMFuncOp kern::ir::loop::startEntry(KernelBuilder &b,
                                            const KernelFacts &kernel,
                                            kern::runtime::Form form,
                                            unsigned elements, unsigned lanes) {
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto function = LLVM::LLVMFuncOp::create(
      b, kernel.symbol + "__" + std::string(name(form)),
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()),
                                  {pointer}));
  Entry entry = kernel.entry;
  entry.form = form;
  entry.elements = elements;
  entry.work = picosecondsOf(kernel.operations, lanes);
  setEntry(function, entry);
  b.at(function.addEntryBlock(b));
  return function;
}

Value EntryWords::next(Type type) {
  Value address = LLVM::GEPOp::create(b, words.getType(), b.getI64Type(), words,
                                      ArrayRef<LLVM::GEPArg>{position++});
  return LLVM::LoadOp::create(b, type, address, 8);
}

/// The bytes of a number, or of a part of a complex number; 0 for other types.
static unsigned bytesOf(Type type) {
  type = getElementTypeOrSelf(type);
  return type.isIntOrFloat() ? (type.getIntOrFloatBitWidth() + 7) / 8 : 0;
}

/// Whether the blocks that `isInside` and `first` reaches have a cycle that
/// does not go through `first`.
static bool hasLoops(Block *first, function_ref<bool(Block *)> isInside) {
  llvm::SmallPtrSet<Block *, 16> done, open;
  SmallVector<std::pair<Block *, Block::succ_iterator>> path;
  auto enter = [&](Block *block) {
    open.insert(block);
    path.push_back({block, block->succ_begin()});
  };
  enter(first);
  while (!path.empty()) {
    auto &[block, next] = path.back();
    if (next == block->succ_end()) {
      open.erase(block);
      done.insert(block);
      path.pop_back();
      continue;
    }
    Block *successor = *next++;
    if (successor == first || !isInside(successor))
      continue;
    if (open.contains(successor))
      return true;
    if (!done.contains(successor))
      enter(successor);
  }
  return false;
}

static bool isCall(Operation &op) {
  return isa<func::CallOp, arith::RemFOp>(op) ||
         op.getName().getDialectNamespace() == "math";
}

static void see(VectorFacts &facts, Type type) {
  facts.widest = std::max(facts.widest, bytesOf(type));
}

bool kern::ir::loop::isWidenedToCompare(Operation &op) {
  return isa<arith::ExtUIOp, arith::ExtSIOp>(op) &&
         llvm::all_of(op.getUsers(), [](Operation *user) {
           return isa<arith::CmpIOp>(user) &&
                  (matchPattern(user->getOperand(0), m_Constant()) ||
                   matchPattern(user->getOperand(1), m_Constant()));
         });
}

VectorFacts kern::ir::loop::vectorFacts(LLVM::LLVMFuncOp body) {
  VectorFacts facts;
  facts.widest = 1;
  facts.operations = 0;
  // An entry block has no predecessors, so it is in no loop.
  facts.hasLoops =
      hasLoops(&body.getBody().front(), [](Block *) { return true; });
  for (BlockArgument argument : body.getArguments())
    see(facts, argument.getType());
  for (Block &block : body.getBody())
    for (Operation &op : block) {
      if (isa<arith::ConstantOp>(op))
        continue;
      ++facts.operations;
      facts.hasCalls |= isCall(op);
      if (!isWidenedToCompare(op))
        for (Type type : op.getResultTypes())
          see(facts, type);
    }
  return facts;
}

VectorFacts kern::ir::loop::vectorFacts(ArrayRef<Block *> loop) {
  VectorFacts facts;
  facts.widest = 1;
  facts.operations = 0;
  facts.hasLoops = hasLoops(loop.front(), [&](Block *block) {
    return llvm::is_contained(loop, block);
  });
  for (BlockArgument argument : loop.front()->getArguments().drop_front())
    see(facts, argument.getType());
  for (Block *block : loop)
    for (Operation &op : *block) {
      facts.hasCalls |= isCall(op);
      for (Type type : op.getResultTypes()) {
        bool isIndex = type.isInteger() && !isa<LLVM::LoadOp>(op);
        if (isIndex || isa<arith::ConstantOp>(op))
          continue;
        see(facts, type);
        facts.operations += bytesOf(type) > 0;
      }
      if (auto store = dyn_cast<LLVM::StoreOp>(op))
        see(facts, store.getValue().getType());
    }
  return facts;
}
