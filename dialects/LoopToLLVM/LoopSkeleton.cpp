//===- LoopSkeleton.cpp - the base of loop lowerings ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/LoopSkeleton.h"

using namespace mlir;
using namespace kern::ir::loop;

Block *LoopSkeleton::inlineBody(Region &body,
                                function_ref<SmallVector<Value>()> make) {
  Block *entry = &body.front();
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(entry);
  SmallVector<Value> values = make();
  for (auto [argument, value] : llvm::zip(entry->getArguments(), values))
    argument.replaceAllUsesWith(value);
  entry->eraseArguments(0, entry->getNumArguments());
  before->getParent()->getBlocks().splice(after->getIterator(),
                                          body.getBlocks());
  return entry;
}
