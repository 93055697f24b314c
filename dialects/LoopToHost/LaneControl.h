//===- LaneControl.h - control flow of all lanes ----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emits the blocks of a body one after the other, each inside the one through
// which all ways to it lead. A uniform branch stays a branch. Where lanes may
// go different ways, a node has a mask of the lanes that came to it; code that
// costs more than the test runs only if there are any. A loop goes on as long
// as a lane is in it.
//
// What flows along edges of the body to a later node (masks, arguments) waits
// in slots until the node is emitted.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToHost/LaneCode.h"

#include "mlir/IR/Dominance.h"
#include "llvm/ADT/MapVector.h"

namespace kern::ir::loop {

/// What waits in a slot.
enum class Waiting : unsigned {
  Mask,     ///< the lanes that come to a Node, the first of its group
  Reached,  ///< whether the group of a Node comes to it, as i1
  Argument, ///< of a block
  LiveOut,  ///< a value of the slot's loop that later code uses
  Stay,     ///< the lanes that stay in a loop
  Result,   ///< of the body
};
/// What waits, for what, and in which loop.
using Slot = std::tuple<unsigned, const void *, const void *>;

/// One class, since all of it works on one insertion point and its slots.
class LaneControl {
public:
  LaneControl(KernelBuilder &b, LaneCode &code, mlir::Region &body,
              const LevelGraph &graph, const Divergence &divergence)
      : b(b), code(code), body(body), graph(graph), divergence(divergence) {}

  /// Emits the body from the insertion point on. Returns its results.
  llvm::SmallVector<mlir::Value> emit();

private:
  using State = llvm::MapVector<Slot, mlir::Value>;
  using Values = llvm::SmallVector<mlir::Value>;

  /// The lanes that go a way: those of `mask`, if `condition` holds.
  struct Way {
    Mask mask;
    mlir::Value condition; ///< i1; null if it is certain
  };
  /// A loop that is being emitted.
  struct OpenLoop {
    const Level *level;
    mlir::Block *end;
    /// What leaves the loop: the arguments of `end`.
    llvm::SmallVector<std::pair<Slot, mlir::Type>> slots;
    bool isTested; ///< its latch asks whether a lane is left
  };

  // LaneControl.cpp: nodes
  void emitTree(const Node *node);
  void emitBlock(const Node *node);
  bool isCostly(const Node *node) const;
  void emitReturn(mlir::Block *block, Mask mask);

  // LaneEdges.cpp: branches and what flows along edges
  void emitBranch(const Node *node);
  void emitUniformBranch(const Node *node);
  void emitDivergentBranch(const Node *node);
  void take(Edge edge, Way way);
  void reach(const Node *target, Way way);
  void passArguments(Edge edge, Way way, bool isTogether);
  const Node *targetOf(Edge edge) const;
  bool isReachedAfterLoop(Edge edge) const;
  std::optional<Slot> slotOfReach(const Node *target) const;
  struct LiveOuts {
    const Level *loop = nullptr;
    Values values;
  };
  LiveOuts liveOutsAlong(Edge edge);

  // LaneLoops.cpp
  void emitLoop(const Node *node);
  void emitLatch(const OpenLoop &loop, mlir::Block *header);
  void findSlots(OpenLoop &loop);
  llvm::ArrayRef<mlir::Value> liveOuts(const Level *level);
  void leave(const OpenLoop &loop);

  // LaneSlots.cpp
  /// What is in a slot; null if nothing is.
  mlir::Value find(Slot slot) const { return state.lookup(slot); }
  mlir::Value take(Slot slot);
  /// What is in a slot, or what stands for nothing.
  mlir::Value current(Slot slot, mlir::Type type);
  void put(Slot slot, mlir::Value value) { state[slot] = value; }
  /// Puts a value for the lanes that go a way. If they go together with all
  /// others of their target, it replaces what was there.
  void blend(Slot slot, Way way, mlir::Value value, bool isTogether);
  Mask lanesOf(Way way);
  /// Emits code that runs under a condition.
  void guarded(mlir::Value condition, llvm::function_ref<void()> emit);
  /// Gives `after` arguments for what differs between two blocks that lead to
  /// it, and continues there. Returns what each of the two passes.
  std::pair<Values, Values> meet(mlir::Block *after, mlir::Block *first,
                                 const State &atFirst, mlir::Block *second,
                                 const State &atSecond);

  Mask maskOf(const Node *node) const {
    return masks.lookup(divergence.leader(node));
  }

  KernelBuilder &b;
  LaneCode &code;
  mlir::Region &body;
  const LevelGraph &graph;
  const Divergence &divergence;
  mlir::DominanceInfo dominance;
  State state;
  llvm::DenseMap<const Node *, Mask> masks; ///< of groups, by their leaders
  llvm::DenseMap<const Level *, Values> knownLiveOuts;
  llvm::SmallVector<OpenLoop> open;
};

} // namespace kern::ir::loop
