//===- Iteration.cpp - an iteration as a function -------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/Iteration.h"

#include "dialects/LoopToHost/Divergence.h"
#include "dialects/LoopToLLVM/LoopLowering.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace kern::ir::loop;

/// Sums in the function are in order again, as they are written.
static void unmark(LLVM::LLVMFuncOp function) {
  for (Block &block : function.getBody()) {
    Operation *latch = block.getTerminator();
    if (!latch->removeAttr(vectorLatch))
      continue;
    for (Value next : latch->getOperands())
      if (Operation *op = next.getDefiningOp();
          isa_and_nonnull<arith::AddFOp, arith::MulFOp>(op)) {
        auto known = cast<arith::ArithFastMathInterface>(op)
                         .getFastMathFlagsAttr()
                         .getValue();
        op->setAttr("fastmath", arith::FastMathFlagsAttr::get(
                                    op->getContext(),
                                    known & ~arith::FastMathFlags::reassoc));
      }
  }
}

namespace {
/// What an iteration uses from outside. An array may live longer than the loop,
/// so it is never the iteration's own.
struct Uses {
  SmallVector<Value> values;
  SmallVector<Operation *> constants;
};
} // namespace

static Uses usesOf(const CountedLoop &loop) {
  SetVector<Value> values;
  SetVector<Operation *> constants;
  for (Block *block : loop.blocks.getArrayRef().drop_front())
    for (Operation &op : *block)
      for (Value operand : op.getOperands()) {
        Operation *made = operand.getDefiningOp();
        if (operand == loop.counter() || !loop.isOutside(operand))
          continue;
        if (made && made->hasTrait<OpTrait::ConstantLike>())
          constants.insert(made);
        else
          values.insert(operand);
      }
  return {values.takeVector(), constants.takeVector()};
}

/// Clones the blocks of an iteration to the end of a function that returns
/// where the iteration ends.
static void cloneBlocks(KernelBuilder &b, LLVM::LLVMFuncOp body,
                        const CountedLoop &loop, LLVM::LLVMFuncOp function,
                        IRMapping &map) {
  // In the order of the function, so that a value is cloned before its uses.
  Region &region = function.getBody();
  SmallVector<Block *> order;
  for (Block &block : body.getBody())
    if (loop.contains(&block) && &block != loop.header)
      order.push_back(&block);
  for (Block *block : order) {
    Block *made = b.createBlock(&region, region.end());
    map.map(block, made);
    for (BlockArgument argument : block->getArguments())
      map.map(argument,
              made->addArgument(argument.getType(), argument.getLoc()));
  }
  SmallVector<Operation *> clones;
  for (Block *block : order) {
    b.at(map.lookup(block));
    for (Operation &op : *block) {
      if (&op == loop.latch)
        b.ret();
      else
        clones.push_back(b.clone(op, map));
    }
  }
  // Values that come later in that order are known now.
  for (Operation *op : clones)
    for (OpOperand &operand : op->getOpOperands())
      operand.set(map.lookupOrDefault(operand.get()));
}

Iteration kern::ir::loop::outline(KernelBuilder &b, LLVM::LLVMFuncOp body,
                                  const CountedLoop &loop,
                                  const std::string &name) {
  Iteration out;
  auto [uses, constants] = usesOf(loop);
  out.uses = uses;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(body);
  SmallVector<Type> types = {b.getI64Type()};
  llvm::append_range(types, ValueRange(out.uses).getTypes());
  out.function = LLVM::LLVMFuncOp::create(
      b, name,
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()),
                                  types),
      LLVM::Linkage::Internal);
  out.function.setPassthroughAttr(body.getPassthroughAttr());
  Block *entry = out.function.addEntryBlock(b);
  IRMapping map;
  map.map(loop.counter(), entry->getArgument(0));
  for (auto [i, use] : llvm::enumerate(out.uses))
    map.map(use, entry->getArgument(unsigned(i) + 1));
  b.at(entry);
  for (Operation *op : constants)
    b.clone(*op, map);
  cloneBlocks(b, body, loop, out.function, map);
  b.at(entry);
  cf::BranchOp::create(b, map.lookup(loop.body));
  unmark(out.function);
  return out;
}

bool kern::ir::loop::isRepeatable(LLVM::LLVMFuncOp iteration) {
  llvm::DenseSet<Value> written;
  iteration.walk(
      [&](LLVM::StoreOp op) { written.insert(operandOf(op.getAddr())); });
  bool reads = false;
  iteration.walk([&](LLVM::LoadOp op) {
    Value array = operandOf(op.getAddr());
    reads |= array && written.contains(array);
  });
  return !reads;
}
