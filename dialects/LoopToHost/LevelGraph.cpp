//===- LevelGraph.cpp - the loops of a body as nested graphs --------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/LevelGraph.h"

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace kern::ir::loop;

using DominatorTree = llvm::DominatorTreeBase<Block, false>;

OperandRange Edge::values() const {
  return cast<BranchOpInterface>(from->getTerminator())
      .getSuccessorOperands(index)
      .getForwardedOperands();
}

static void addNode(Level &level, Block *block, Level *loop) {
  auto node = std::make_unique<Node>();
  node->block = block;
  node->loop = loop;
  node->level = &level;
  node->position = unsigned(level.nodes.size());
  if (loop)
    loop->node = node.get();
  level.nodeOf[block] = node.get();
  level.nodes.push_back(std::move(node));
}

/// Whether a way that leads back leads to the header of a loop around it.
static bool isReducibleOrder(ArrayRef<Block *> order,
                             const CFGLoopInfo &loops) {
  llvm::DenseMap<Block *, unsigned> position;
  for (auto [i, block] : llvm::enumerate(order))
    position[block] = unsigned(i);
  for (Block *block : order)
    for (Block *to : block->getSuccessors()) {
      if (position[to] > position[block])
        continue;
      CFGLoop *loop = loops.getLoopFor(to);
      if (!loop || loop->getHeader() != to || !loop->contains(block))
        return false;
    }
  return true;
}

static void connect(Level &level, ArrayRef<Block *> order,
                    const DominatorTree &dominators) {
  for (Block *block : order)
    for (unsigned i = 0; level.contains(block) && i < block->getNumSuccessors();
         ++i) {
      Edge edge{block, i};
      if (!level.contains(edge.to()))
        level.exits.push_back(edge);
      else if (level.isLoop() && edge.to() == level.header())
        level.latches.push_back(edge);
    }
  for (auto &node : level.nodes) {
    if (node.get() == level.first())
      continue;
    Block *above = dominators.getNode(node->block)->getIDom()->getBlock();
    node->dominator = level.nodeOf.lookup(above);
    node->dominator->dominated.push_back(node.get());
  }
}

/// The edges that leave a node.
static void findOut(Node &node) {
  if (node.loop) {
    node.out = node.loop->exits;
    return;
  }
  for (unsigned i = 0; i < node.block->getNumSuccessors(); ++i)
    node.out.push_back({node.block, i});
}

/// For each node, those through which each way from it leads. Ways that leave
/// the level end there, or are ignored.
static void findAlways(Level &level, bool ignoresExits) {
  unsigned count = unsigned(level.nodes.size());
  unsigned back = count, outside = count + 1;
  std::vector<llvm::BitVector> always(count, llvm::BitVector(count + 2, true));
  for (auto &node : llvm::reverse(level.nodes)) {
    llvm::BitVector &ways = always[node->position];
    auto meet = [&](unsigned end) {
      llvm::BitVector only(count + 2);
      only.set(end);
      ways &= only;
    };
    if (node->out.empty() && !ignoresExits)
      meet(outside);
    for (Edge edge : node->out) {
      Node *to = level.nodeOf.lookup(edge.to());
      if (!to) {
        if (!ignoresExits)
          meet(outside);
      } else if (level.isLoop() && edge.to() == level.header()) {
        meet(back);
      } else {
        ways &= always[to->position];
      }
    }
    ways.set(node->position);
  }
  for (auto &node : level.nodes)
    if (node->dominator)
      (ignoresExits ? node->isAlwaysInside : node->isAlways) =
          always[node->dominator->position].test(node->position);
}

LevelGraph::LevelGraph(Region &region) {
  levels.push_back(std::make_unique<Level>());
  if (region.hasOneBlock()) {
    addNode(body(), &region.front(), nullptr);
    innermost[&region.front()] = &body();
    return;
  }
  DominanceInfo dominance;
  DominatorTree &dominators = dominance.getDomTree(&region);
  CFGLoopInfo loops(dominators);
  llvm::ReversePostOrderTraversal<Block *> traversal(&region.front());
  SmallVector<Block *> order(traversal.begin(), traversal.end());
  reducible = isReducibleOrder(order, loops);
  if (!reducible)
    return;

  llvm::DenseMap<CFGLoop *, Level *> made = {{nullptr, levels.front().get()}};
  for (Block *block : order) {
    CFGLoop *loop = loops.getLoopFor(block);
    if (loop && loop->getHeader() == block) {
      levels.push_back(std::make_unique<Level>());
      Level *level = made[loop] = levels.back().get();
      level->parent = made[loop->getParentLoop()];
      addNode(*level->parent, block, level);
    }
    Level *own = innermost[block] = made[loop];
    addNode(*own, block, nullptr);
    for (Level *inner = own; inner->parent; inner = inner->parent)
      inner->parent->nodeOf[block] = inner->node;
  }
  for (auto &level : levels)
    connect(*level, order, dominators);
  for (auto &level : levels) {
    for (auto &node : level->nodes)
      findOut(*node);
    for (auto &node : level->nodes)
      for (Edge edge : node->out)
        if (Node *to = level->nodeOf.lookup(edge.to());
            to && !(level->isLoop() && edge.to() == level->header()))
          to->in.push_back({node.get(), edge});
    findAlways(*level, /*ignoresExits=*/false);
    findAlways(*level, /*ignoresExits=*/true);
  }
}
