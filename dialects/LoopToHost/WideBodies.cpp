//===- WideBodies.cpp - a body for rows of several vectors ----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/WideBodies.h"

#include "dialects/LoopToHost/NumberedBody.h"
#include "dialects/LoopToHost/PartialSums.h"
#include "dialects/LoopToHost/RowsAhead.h"
#include "dialects/LoopToHost/VectorLoops.h"

using namespace mlir;
using namespace kern::ir::loop;

/// Whether all operands have elements of 4 or 8 bytes: CPUs load and store
/// these for some lanes of a vector.
static bool hasWords(const KernelFacts &kernel) {
  for (const auto &list : {kernel.inputs, kernel.outputs})
    for (const OperandFacts &operand : list)
      if (unsigned size = storedSize(operand.element); size != 4 && size != 8)
        return false;
  return true;
}

/// An iteration of several vectors gains nothing from being unrolled.
static void leaveLoopsAlone(LLVM::LLVMFuncOp function) {
  llvm::DenseSet<Block *> before;
  for (Block &block : function.getBody()) {
    before.insert(&block);
    if (llvm::any_of(block.getSuccessors(),
                     [&](Block *next) { return before.contains(next); }))
      leaveAlone(block.getTerminator());
  }
}

namespace {
/// A copy of a body, for a while.
class Copy {
public:
  Copy(KernelBuilder &b, LLVM::LLVMFuncOp body) : function(body.clone()) {
    b.insert(function);
  }
  Copy(const Copy &) = delete;
  ~Copy() { function.erase(); }
  LLVM::LLVMFuncOp function;
};
} // namespace

WideBodies::WideBodies(KernelBuilder &b, const KernelFacts &kernel,
                       LLVM::LLVMFuncOp body, HostOptions options)
    : lanes(options.lanes), b(b), kernel(kernel), body(body) {
  if (lanes)
    return;
  Copy copy(b, body);
  NumberedBody numbered(b, kernel, copy.function);
  VectorBody vectors(copy.function, numbered.allButTheNumber(),
                     copy.function.getArgument(0));
  lanes = laneShape(vectors.facts()).lanes;
}

WideBody WideBodies::make(VectorBody &vectors, StringRef name, unsigned count,
                          const llvm::DenseSet<Value> &slots, ShortRows rows) {
  WideBody made = {
      vectors.emit(b, (kernel.symbol + name).str(), count * lanes, slots, rows),
      count * lanes, rows};
  leaveLoopsAlone(made.function);
  return made;
}

bool WideBodies::add(SumOrder order, ArrayRef<unsigned> counts) {
  Copy copy(b, body);
  if (order != SumOrder::InBlocks)
    fetchRowsAhead(b, copy.function);
  if (!writePartialSums(b, copy.function, order).empty())
    return false;
  NumberedBody numbered(b, kernel, copy.function);
  VectorBody vectors(copy.function, numbered.allButTheNumber(),
                     copy.function.getArgument(0));
  numbered.shareInputs(vectors);
  for (unsigned count : counts)
    if (order != SumOrder::InBlocks ||
        vectors.localBytes() * count * lanes <= mostStackAcross)
      all.push_back(make(vectors, "__by_" + std::to_string(count), count,
                         numbered.slots,
                         count > 1                       ? ShortRows::Halves
                         : lanes > 1 && hasWords(kernel) ? ShortRows::First
                                                         : ShortRows::None));
  return true;
}

std::optional<WideBody> WideBodies::inPanels(unsigned vectors) {
  Copy copy(b, body);
  NumberedBody numbered(b, kernel, copy.function);
  PanelFacts facts{numbered, vectors * lanes};
  if (!writePartialSums(b, copy.function, SumOrder::InPanels, &facts).empty())
    return std::nullopt;
  VectorBody wide(copy.function, numbered.allButTheNumber(),
                  copy.function.getArgument(0));
  numbered.shareInputs(wide);
  return make(wide, "__in_panels", vectors, numbered.slots, ShortRows::None);
}
