//===- LaneEdges.cpp - branches of all lanes ------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/LaneControl.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace kern::ir::loop;

/// The node that an edge leads to, in the innermost level of both ends. An edge
/// back leads to the first node of its loop.
const Node *LaneControl::targetOf(Edge edge) const {
  const Level *level = graph.levelOf(edge.from);
  while (!level->contains(edge.to()))
    level = level->parent;
  if (level->isLoop() && edge.to() == level->header())
    return level->first();
  return level->nodeOf.lookup(edge.to());
}

/// Whether an edge leaves a loop that all lanes leave for the same target. They
/// come there once the loop has ended.
bool LaneControl::isReachedAfterLoop(Edge edge) const {
  const Node *target = targetOf(edge);
  const Node *source = target->level->nodeOf.lookup(edge.from);
  return source->loop && divergence.isUniform(source, edge) &&
         llvm::all_of(source->out,
                      [&](Edge other) { return other.to() == edge.to(); });
}

std::optional<Slot> LaneControl::slotOfReach(const Node *target) const {
  bool isLatch = target == target->level->first();
  if (isLatch && !divergence.isDivergent(target->level))
    return std::nullopt;
  if (divergence.leader(target) == target)
    return Slot{unsigned(Waiting::Mask), target, nullptr};
  if (target->isAlways)
    return std::nullopt;
  return Slot{unsigned(Waiting::Reached), target, nullptr};
}

/// Notes that lanes come to a node.
void LaneControl::reach(const Node *target, Way way) {
  std::optional<Slot> slot = slotOfReach(target);
  if (!slot)
    return;
  Value coming;
  if (std::get<0>(*slot) == unsigned(Waiting::Mask)) {
    coming = lanesOf(way);
    if (!coming)
      coming = code.all();
  } else {
    coming = way.condition;
    if (!coming)
      coming = arith::ConstantOp::create(b, b.getBoolAttr(true));
  }
  if (Value others = find(*slot))
    coming = arith::OrIOp::create(b, others, coming);
  put(*slot, coming);
}

void LaneControl::passArguments(Edge edge, Way way, bool isTogether) {
  Block *to = edge.to();
  for (auto [argument, value] : llvm::zip(to->getArguments(), edge.values())) {
    Slot slot = {unsigned(Waiting::Argument), argument.getAsOpaquePointer(),
                 nullptr};
    if (divergence.varies(argument, to)) {
      blend(slot, way, code.wide(value), isTogether);
    } else {
      // All edges that are not taken together pass the same value.
      blend(slot, way, code.get(value), /*isTogether=*/true);
    }
  }
}

/// Whether a value of a loop is used where an edge out of the loop leads to.
static bool isUsedAfter(Value value, const Level *loop, Edge edge) {
  SmallPtrSet<Block *, 16> seen;
  SmallVector<Block *> reached = {edge.to()};
  while (!reached.empty()) {
    Block *block = reached.pop_back_val();
    // In the loop again, it is computed again.
    if (loop->contains(block) || !seen.insert(block).second)
      continue;
    llvm::append_range(reached, block->getSuccessors());
  }
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    return seen.contains(user->getBlock());
  });
}

/// The values of the loops that an edge leaves which later code uses, and the
/// outermost of these loops.
LaneControl::LiveOuts LaneControl::liveOutsAlong(Edge edge) {
  LiveOuts along;
  for (const Level *level = graph.levelOf(edge.from);
       !level->contains(edge.to()); level = level->parent)
    along.loop = level;
  if (!along.loop)
    return along;
  for (Value value : liveOuts(along.loop))
    if (dominance.dominates(value.getParentBlock(), edge.from) &&
        isUsedAfter(value, along.loop, edge))
      along.values.push_back(value);
  return along;
}

/// Lets lanes go along an edge.
void LaneControl::take(Edge edge, Way way) {
  const Node *target = targetOf(edge);
  const Node *source = target->level->nodeOf.lookup(edge.from);
  if (!isReachedAfterLoop(edge))
    reach(target, way);
  bool isTogether = divergence.isUniform(source, edge) &&
                    divergence.leader(source) == divergence.leader(target);
  for (const Level *level = graph.levelOf(edge.from); level != target->level;
       level = level->parent)
    isTogether &= !divergence.isDivergent(level);
  passArguments(edge, way, isTogether);
  LiveOuts along = liveOutsAlong(edge);
  for (Value value : along.values) {
    bool varies = divergence.varies(value, edge.to());
    blend({unsigned(Waiting::LiveOut), value.getAsOpaquePointer(), along.loop},
          way, varies ? code.wide(value) : code.get(value),
          isTogether || !varies);
  }
}

void LaneControl::emitBranch(const Node *node) {
  if (node->out.size() == 1)
    take(node->out.front(), {maskOf(node), {}});
  else if (divergence.divides(node->block))
    emitDivergentBranch(node);
  else
    emitUniformBranch(node);
}

/// Which edge of a branch leaves the innermost loop; no block of a loop leaves
/// it by both.
static std::optional<unsigned> leavingEdge(const Node *node) {
  for (auto [i, edge] : llvm::enumerate(node->out))
    if (!node->level->contains(edge.to()))
      return unsigned(i);
  return std::nullopt;
}

void LaneControl::emitUniformBranch(const Node *node) {
  auto branch = cast<cf::CondBranchOp>(node->block->getTerminator());
  b.setLoc(branch.getLoc());
  Mask mask = maskOf(node);
  Value holds = code.get(branch.getCondition());
  Value conditions[2] = {
      holds, arith::XOrIOp::create(
                 b, holds, arith::ConstantOp::create(b, b.getBoolAttr(true)))};
  std::optional<unsigned> leaving = leavingEdge(node);
  if (!leaving) {
    for (auto [edge, condition] : llvm::zip(node->out, conditions))
      take(edge, {mask, condition});
    return;
  }
  Edge out = node->out[*leaving], in = node->out[1 - *leaving];
  if (!divergence.isComplete(node)) {
    guarded(conditions[*leaving], [&] { take(out, {mask, {}}); });
    take(in, {mask, conditions[1 - *leaving]});
    return;
  }
  Block *end = b.block(), *stay = b.block();
  b.branch(conditions[*leaving], end, stay);
  State saved = state;
  b.at(end);
  take(out, {mask, {}});
  leave(open.back());
  state = std::move(saved);
  b.at(stay);
  take(in, {mask, {}});
}

/// Whether an iteration of a loop takes so long that to look for lanes that
/// leave costs more, where a CPU guesses wrong, than to choose their values.
static bool isLong(const Level &loop) {
  return llvm::any_of(loop.nodes, [](const auto &node) {
    return !node->loop && llvm::any_of(*node->block, [](Operation &op) {
      return isa<arith::DivFOp, math::SqrtOp>(op) || isFunctionCall(op);
    });
  });
}

void LaneControl::emitDivergentBranch(const Node *node) {
  auto branch = cast<cf::CondBranchOp>(node->block->getTerminator());
  b.setLoc(branch.getLoc());
  Mask mask = maskOf(node);
  Value holds = code.wide(branch.getCondition());
  auto lanesTo = [&](unsigned i) {
    return i == 0 ? code.where(mask, holds) : code.whereNot(mask, holds);
  };
  std::optional<unsigned> leaving = leavingEdge(node);
  if (!leaving) {
    for (auto [i, edge] : llvm::enumerate(node->out))
      take(edge, {lanesTo(unsigned(i)), {}});
    return;
  }
  Edge out = node->out[*leaving], in = node->out[1 - *leaving];
  Mask gone = lanesTo(*leaving);
  if (!divergence.isComplete(node)) {
    guarded(code.isAny(gone), [&] { take(out, {gone, {}}); });
    take(in, {lanesTo(1 - *leaving), {}});
    return;
  }
  if (isLong(*node->level)) {
    take(out, {gone, {}});
    Mask left = lanesTo(1 - *leaving);
    Values atEnd;
    for (auto [slot, type] : open.back().slots)
      atEnd.push_back(current(slot, type));
    Block *stay = b.block();
    b.branch(code.isAny(left), stay, open.back().end, {}, atEnd);
    b.at(stay);
    take(in, {left, {}});
    return;
  }
  // Lanes seldom leave. Only then masks change, and the loop may end.
  Slot staying = {unsigned(Waiting::Stay), node, nullptr};
  put(staying, mask ? mask : code.all());
  State saved = state;
  Value isAny = code.isAny(gone);
  Block *before = b.getInsertionBlock(), *some = b.block(), *stay = b.block();
  b.at(some);
  take(out, {gone, {}});
  put(staying, lanesTo(1 - *leaving));
  const OpenLoop &loop = open.back();
  Values atEnd;
  for (auto [slot, type] : loop.slots)
    atEnd.push_back(current(slot, type));
  Value isLeft = code.isAny(find(staying));
  State then = state;
  auto [fromBefore, fromSome] = meet(stay, before, saved, some, then);
  b.at(before);
  b.branch(isAny, some, stay, {}, fromBefore);
  b.at(some);
  b.branch(isLeft, stay, loop.end, fromSome, atEnd);
  b.at(stay);
  Mask left = take(staying);
  take(in, {left, {}});
}
