//===- LevelGraph.h - the loops of a body as nested graphs ------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "mlir/IR/Block.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <memory>
#include <vector>

namespace kern::ir::loop {

struct Level;

/// Successor `index` of a block's terminator.
struct Edge {
  mlir::Block *from;
  unsigned index;
  mlir::Block *to() const { return from->getSuccessor(index); }
  /// What the edge passes to the block that it leads to.
  mlir::OperandRange values() const;
};

/// A block of a level, or a loop directly inside it. One record, since the
/// analyses of a level walk over all of it.
struct Node {
  mlir::Block *block;    ///< of a loop, its header
  Level *loop = nullptr; ///< null for a block
  Level *level;          ///< that the node is in
  unsigned position;     ///< in the level's topological order
  /// The node of the level through which all ways to this one lead; null for
  /// the level's first.
  Node *dominator = nullptr;
  llvm::SmallVector<Node *, 2> dominated; ///< in topological order
  llvm::SmallVector<Edge, 2> out;         ///< all edges that leave the node
  llvm::SmallVector<std::pair<Node *, Edge>, 2> in; ///< except latches
  /// Whether each way from the dominator leads through this node.
  bool isAlways = false;
  /// The same for ways that do not leave the level.
  bool isAlwaysInside = false;
};

/// The body as a whole, or a loop. Without the edges back to its header it is
/// a graph without cycles.
struct Level {
  Level *parent = nullptr;
  Node *node = nullptr; ///< that stands for the loop in `parent`
  std::vector<std::unique_ptr<Node>> nodes; ///< in topological order
  /// The node of each block, those of inner loops included.
  llvm::DenseMap<mlir::Block *, Node *> nodeOf;
  llvm::SmallVector<Edge, 2> exits;
  llvm::SmallVector<Edge, 2> latches;

  bool isLoop() const { return parent; }
  Node *first() const { return nodes.front().get(); }
  mlir::Block *header() const { return first()->block; }
  bool contains(mlir::Block *block) const { return nodeOf.contains(block); }
};

/// The levels of a function's region.
class LevelGraph {
public:
  explicit LevelGraph(mlir::Region &region);

  /// False if a cycle has several entries. There are no levels then.
  bool isReducible() const { return reducible; }
  Level &body() const { return *levels.front(); }
  /// The innermost level of a block.
  Level *levelOf(mlir::Block *block) const { return innermost.lookup(block); }
  /// All levels, outer ones first.
  const std::vector<std::unique_ptr<Level>> &all() const { return levels; }

private:
  std::vector<std::unique_ptr<Level>> levels;
  llvm::DenseMap<mlir::Block *, Level *> innermost;
  bool reducible = true;
};

} // namespace kern::ir::loop
