//===- OrderedLoop.cpp - a loop in order around a kernel ------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopMappings/OrderedLoop.h"

#include "dialects/LoopToLLVM/Extents.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace kern::ir::loop;

static OperandRange indicesOf(Operation *op) {
  return isa<LoadOp>(op) ? cast<LoadOp>(op).getIndices()
                         : cast<StoreOp>(op).getIndices();
}

static bool isConstant(Value value) {
  Operation *op = value.getDefiningOp();
  return op && op->hasTrait<OpTrait::ConstantLike>();
}

/// The block of the kernel's own region in which an operation is.
static Block *blockOf(Operation *op) {
  while (!isa<KernelOp>(op->getParentOp()))
    op = op->getParentOp();
  return op->getBlock();
}

bool OrderedLoop::contains(Operation *op) const {
  return blocks.contains(blockOf(op));
}

std::optional<unsigned> OrderedLoop::dimensionOf(Operation *op) const {
  if (!isa<LoadOp, StoreOp>(op) || !contains(op))
    return std::nullopt;
  std::optional<unsigned> dimension;
  for (auto [d, value] : llvm::enumerate(indicesOf(op))) {
    if (value == index) {
      if (dimension)
        return std::nullopt; // a diagonal
      dimension = unsigned(d);
      continue;
    }
    Operation *maker = value.getDefiningOp();
    Block *block =
        maker ? maker->getBlock() : cast<BlockArgument>(value).getOwner();
    const bool isInside = block == head || blocks.contains(block) ||
                          !isa<KernelOp>(block->getParentOp());
    if (isInside && !isConstant(value))
      return std::nullopt;
  }
  return dimension;
}

SmallVector<Value> OrderedLoop::indicesAt(OpBuilder &b, Operation *op,
                                          Value at) const {
  SmallVector<Value> indices;
  for (Value value : indicesOf(op))
    indices.push_back(value == index ? at
                      : isConstant(value)
                          ? b.clone(*value.getDefiningOp())->getResult(0)
                          : value);
  return indices;
}

bool OrderedLoop::isSamePlace(Operation *a, Operation *b) const {
  return llvm::all_of(
      llvm::zip_equal(indicesOf(a), indicesOf(b)), [](auto pair) {
        auto [x, y] = pair;
        APInt p, q;
        return x == y || (matchPattern(x, m_ConstantInt(&p)) &&
                          matchPattern(y, m_ConstantInt(&q)) && p == q);
      });
}

bool OrderedLoop::runsAlways(Operation *op, DominanceInfo &dominance) const {
  return isa<KernelOp>(op->getParentOp()) &&
         dominance.dominates(op->getBlock(), latch);
}

SmallVector<Value> OrderedLoop::copyIteration(
    OpBuilder &b, ValueRange arguments, IRMapping &map,
    const llvm::SmallPtrSetImpl<Operation *> &left) const {
  auto &all = head->getParent()->getBlocks();
  map.map(head->getArguments(), arguments);
  for (Operation &op : head->without_terminator())
    b.clone(op, map);
  SmallVector<Block *> inside;
  for (Block &block : *head->getParent())
    if (blocks.contains(&block))
      inside.push_back(&block);
  for (Block *block : inside) {
    Block *copy = new Block;
    all.insert(head->getIterator(), copy);
    for (BlockArgument argument : block->getArguments())
      map.map(argument,
              copy->addArgument(argument.getType(), argument.getLoc()));
    map.map(block, copy);
  }
  cf::BranchOp::create(b, head->getTerminator()->getLoc(), map.lookup(body));
  for (Block *block : inside) {
    b.setInsertionPointToEnd(map.lookup(block));
    for (Operation &op : *block)
      if (!left.contains(&op) && &op != latch->getTerminator())
        b.clone(op, map);
  }
  // Blocks may be listed before those that dominate them.
  for (Block *block : inside)
    map.lookup(block)->walk([&](Operation *op) {
      for (OpOperand &operand : op->getOpOperands())
        operand.set(map.lookupOrDefault(operand.get()));
    });
  SmallVector<Value> next;
  for (Value value :
       cast<cf::BranchOp>(latch->getTerminator()).getDestOperands())
    next.push_back(map.lookupOrDefault(value));
  b.setInsertionPointToEnd(map.lookup(latch));
  return next;
}

void OrderedLoop::replaceOutside(ValueRange others) const {
  for (auto [argument, other] : llvm::zip_equal(head->getArguments(), others))
    argument.replaceUsesWithIf(other, [&](OpOperand &use) {
      return !contains(use.getOwner()) && use.getOwner()->getBlock() != head;
    });
}

/// The blocks from `first` on that lie before `head`.
static llvm::SmallPtrSet<Block *, 8> blocksFrom(Block *first, Block *head) {
  llvm::SmallPtrSet<Block *, 8> found;
  SmallVector<Block *> open = {first};
  while (!open.empty()) {
    Block *block = open.pop_back_val();
    if (block == head || !found.insert(block).second)
      continue;
    llvm::append_range(open, block->getSuccessors());
  }
  return found;
}

/// The end of the first block that an iteration enters and from which the loop
/// does not go on; null if there is none.
static Operation *wayOut(const OrderedLoop &loop) {
  llvm::SmallPtrSet<Block *, 8> goesOn;
  SmallVector<Block *> open = {loop.latch};
  while (!open.empty()) {
    Block *block = open.pop_back_val();
    if (block != loop.head && goesOn.insert(block).second)
      llvm::append_range(open, block->getPredecessors());
  }
  for (Block &block : *loop.head->getParent())
    if (goesOn.contains(&block))
      for (Block *next : block.getSuccessors())
        if (next != loop.head && !goesOn.contains(next))
          return next->getTerminator();
  return nullptr;
}

Found<OrderedLoop> kern::ir::loop::loopAfter(KernelOp kernel,
                                             Block *preheader) {
  OrderedLoop loop;
  loop.preheader = preheader;
  auto enter = dyn_cast<cf::BranchOp>(loop.preheader->getTerminator());
  if (!enter)
    return {};
  loop.head = enter.getDest();
  auto test = dyn_cast<cf::CondBranchOp>(loop.head->getTerminator());
  auto compare = test ? test.getCondition().getDefiningOp<arith::CmpIOp>()
                      : arith::CmpIOp();
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::slt ||
      !test.getTrueDestOperands().empty() ||
      !test.getFalseDestOperands().empty())
    return {};
  loop.body = test.getTrueDest();
  loop.exit = test.getFalseDest();
  loop.bound = compare.getRhs();
  auto index = dyn_cast<BlockArgument>(compare.getLhs());
  if (!index || index.getOwner() != loop.head ||
      !matchPattern(enter.getDestOperands()[index.getArgNumber()], m_Zero()))
    return {};
  if (!dimExpression(kernel, loop.bound))
    return Obstacle{"how often the loop runs follows from data", test.getLoc()};
  loop.index = index;
  loop.blocks = blocksFrom(loop.body, loop.head);
  Operation *bound = loop.bound.getDefiningOp();
  if (bound && (bound->getBlock() == loop.head ||
                loop.blocks.contains(bound->getBlock())))
    return {};
  loop.latch = nullptr;
  for (Block *block : loop.head->getPredecessors()) {
    if (block == loop.preheader)
      continue;
    if (loop.latch || !loop.blocks.contains(block))
      return {};
    loop.latch = block;
  }
  auto again = loop.latch ? dyn_cast<cf::BranchOp>(loop.latch->getTerminator())
                          : cf::BranchOp();
  auto next = again ? again.getDestOperands()[index.getArgNumber()]
                          .getDefiningOp<arith::AddIOp>()
                    : arith::AddIOp();
  bool isNext =
      next &&
      ((next.getLhs() == index && matchPattern(next.getRhs(), m_One())) ||
       (next.getRhs() == index && matchPattern(next.getLhs(), m_One())));
  // A second entry or exit would let a warp diverge.
  if (Operation *leaves = loop.latch ? wayOut(loop) : nullptr)
    return Obstacle{"a `break` or `return` ends the loop", leaves->getLoc()};
  if (!isNext || loop.blocks.contains(loop.exit) ||
      !llvm::hasSingleElement(loop.body->getPredecessors()) ||
      llvm::any_of(loop.blocks, [](Block *block) {
        return isa<ReturnOp>(block->getTerminator());
      }))
    return {};
  return loop;
}

Found<SmallVector<OrderedLoop>> kern::ir::loop::orderedLoops(KernelOp kernel) {
  SmallVector<OrderedLoop> loops;
  for (Block *from = &kernel.entry();; from = loops.back().exit) {
    Found<OrderedLoop> loop = loopAfter(kernel, from);
    if (loop) {
      loops.push_back(*loop);
      continue;
    }
    if (!loops.empty())
      return loops;
    if (loop.obstacle())
      return *loop.obstacle();
    return {};
  }
}
