//===- Divergence.cpp - what differs between elements ---------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/Divergence.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace kern::ir::loop;

static Value baseOf(Value address) {
  while (auto element = address.getDefiningOp<LLVM::GEPOp>())
    address = element.getBase();
  return address;
}

Value kern::ir::loop::localArrayOf(Value address) {
  Value base = baseOf(address);
  return base.getDefiningOp<LLVM::AllocaOp>() ? base : Value();
}

Value kern::ir::loop::operandOf(Value address) {
  Value base = baseOf(address);
  return isa<BlockArgument>(base) ? base : Value();
}

static bool isConstant(Value value) {
  return matchPattern(value, m_Constant()) ||
         value.getDefiningOp<LLVM::UndefOp>();
}

Divergence::Divergence(Region &region, const LevelGraph &graph,
                       const llvm::DenseSet<Value> &uniform,
                       const llvm::DenseSet<Value> &unchanged)
    : graph(graph), unchanged(unchanged) {
  for (BlockArgument argument : region.getArguments())
    if (!uniform.contains(argument))
      varying.insert(argument);
  // Each round can only find more, so this ends.
  bool changed = true;
  while (changed) {
    findGroups();
    changed = findDivergentLoops();
    changed |= findVarying(region);
  }
}

bool Divergence::varies(Value value, Block *use) const {
  if (varying.contains(value))
    return true;
  if (isConstant(value) || value.getParentBlock() == use)
    return false;
  for (const Level *level = graph.levelOf(value.getParentBlock());
       level && level->isLoop() && !level->contains(use); level = level->parent)
    if (isDivergent(level))
      return true;
  return false;
}

bool Divergence::divides(Block *block) const {
  auto branch = dyn_cast<cf::CondBranchOp>(block->getTerminator());
  return branch && varies(branch.getCondition(), block);
}

bool Divergence::isUniform(const Node *node, Edge edge) const {
  if (!node->loop)
    return !divides(node->block);
  // Lanes that leave an outer loop as well are taken out of its mask.
  if (llvm::any_of(node->out, [&](Edge other) {
        return !node->level->contains(other.to());
      }))
    return false;
  return !isDivergent(node->loop) || llvm::all_of(node->out, [&](Edge other) {
    return other.to() == edge.to();
  });
}

void Divergence::findGroups() {
  leaders.clear();
  complete.clear();
  for (const auto &level : graph.all())
    for (const auto &owned : level->nodes) {
      const Node *node = owned.get();
      if (node == level->first()) {
        leaders[node] = node;
        if (level->isLoop())
          complete.insert(node);
        continue;
      }
      const Node *common = leader(node->in.front().first);
      bool isTogether = llvm::all_of(node->in, [&](const auto &in) {
        return leader(in.first) == common && isUniform(in.first, in.second);
      });
      if (isTogether) {
        leaders[node] = common;
      } else if (node->isAlways) {
        leaders[node] = leader(node->dominator);
      } else {
        leaders[node] = node;
        if (level->isLoop() && node->isAlwaysInside &&
            isComplete(node->dominator))
          complete.insert(node);
      }
    }
}

bool Divergence::findDivergentLoops() {
  bool changed = false;
  for (const auto &level : llvm::reverse(graph.all()))
    for (Edge edge : level->exits) {
      const Node *node = level->nodeOf.lookup(edge.from);
      if (level->isLoop() && !isDivergent(level.get()) &&
          (leader(node) != level->first() || !isUniform(node, edge)))
        changed |= divergent.insert(level.get()).second;
    }
  return changed;
}

/// Whether edges pass different values for an argument of their block.
bool Divergence::differs(ArrayRef<Edge> edges, unsigned argument) const {
  for (Edge edge : edges)
    if (edge.values()[argument] != edges.front().values()[argument])
      return true;
  return false;
}

bool Divergence::argumentVaries(BlockArgument argument) const {
  Block *block = argument.getOwner();
  const Level *own = graph.levelOf(block);
  SmallVector<Edge> outer, latches;
  bool isLateOuter = false; // from lanes that leave a loop at different times
  for (auto it = block->pred_begin(); it != block->pred_end(); ++it) {
    Edge edge{*it, it.getSuccessorIndex()};
    if (!graph.levelOf(edge.from))
      continue;
    if (varies(edge.values()[argument.getArgNumber()], block) ||
        varying.contains(edge.values()[argument.getArgNumber()]))
      return true;
    bool isLatch =
        own->isLoop() && block == own->header() && own->contains(edge.from);
    (isLatch ? latches : outer).push_back(edge);
    for (const Level *level = graph.levelOf(edge.from);
         level->isLoop() && !level->contains(block); level = level->parent)
      isLateOuter |= isDivergent(level);
  }
  const Node *node = own->nodeOf.lookup(block);
  if (own->isLoop() && block == own->header()) {
    bool isTogether = llvm::all_of(latches, [&](Edge edge) {
      const Node *from = own->nodeOf.lookup(edge.from);
      return leader(from) == node && isUniform(from, edge);
    });
    if (!isTogether && differs(latches, argument.getArgNumber()))
      return true;
    node = own->node;
  }
  if (!differs(outer, argument.getArgNumber()))
    return false;
  bool isTogether = !isLateOuter && llvm::all_of(node->in, [&](const auto &in) {
    return leader(in.first) == leader(node->in.front().first) &&
           isUniform(in.first, in.second);
  });
  return !isTogether;
}

bool Divergence::findVarying(Region &region) {
  bool changed = false;
  for (Block &block : region) {
    if (!graph.levelOf(&block))
      continue; // unreachable
    if (!block.isEntryBlock())
      for (BlockArgument argument : block.getArguments())
        if (!varying.contains(argument) && argumentVaries(argument))
          changed |= varying.insert(argument).second;
    for (Operation &op : block) {
      auto load = dyn_cast<LLVM::LoadOp>(op);
      bool fromVarying =
          (load && !unchanged.contains(baseOf(load.getAddr()))) ||
          llvm::any_of(op.getOperands(),
                       [&](Value value) { return varies(value, &block); });
      if (fromVarying)
        for (Value result : op.getResults())
          changed |= varying.insert(result).second;
    }
  }
  return changed;
}
