//===- Divergence.h - what differs between elements -------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A body runs for the elements of a vector at once, one in each lane. A value
// is uniform if it is the same in all lanes that come to its place, else it
// varies. A branch whose condition varies sends lanes different ways.
//
// The nodes of a level are in groups. All lanes of a group that are in a node
// of it are in each other one that is reached by uniform branches: the nodes of
// a group have one mask, the lanes of its leader.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToHost/LevelGraph.h"

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseSet.h"

namespace kern::ir::loop {

class Divergence {
public:
  /// The arguments of the entry block in `uniform` are uniform, others vary.
  /// All lanes share the arrays in `unchanged`, and none writes to them: an
  /// element of theirs with a uniform address is uniform.
  Divergence(mlir::Region &region, const LevelGraph &graph,
             const llvm::DenseSet<mlir::Value> &uniform,
             const llvm::DenseSet<mlir::Value> &unchanged = {});

  /// Whether a value varies for a use in a block. Lanes that have left a loop
  /// at different times see different values of it.
  bool varies(mlir::Value value, mlir::Block *use) const;
  /// Whether the branch at the end of a block sends lanes different ways.
  bool divides(mlir::Block *block) const;
  /// Whether the lanes of a loop leave it at different times or places.
  bool isDivergent(const Level *loop) const { return divergent.contains(loop); }
  /// Whether the lanes of a node leave it by this edge together, or none does.
  bool isUniform(const Node *node, Edge edge) const;
  /// The first node of a node's group.
  const Node *leader(const Node *node) const { return leaders.lookup(node); }
  /// Whether a group in a loop has all lanes that are still in the loop.
  bool isComplete(const Node *node) const {
    return complete.contains(leader(node));
  }

private:
  void findGroups();
  bool findDivergentLoops();
  bool findVarying(mlir::Region &region);
  bool argumentVaries(mlir::BlockArgument argument) const;
  bool differs(mlir::ArrayRef<Edge> edges, unsigned argument) const;

  const LevelGraph &graph;
  llvm::DenseSet<mlir::Value> unchanged;
  llvm::DenseSet<mlir::Value> varying;
  llvm::DenseSet<const Level *> divergent;
  llvm::DenseMap<const Node *, const Node *> leaders;
  llvm::DenseSet<const Node *> complete;
};

/// The local array that an address is in: an llvm.alloca. Null for any other
/// address.
mlir::Value localArrayOf(mlir::Value address);

/// The argument of the body that an address is in: an operand's array, or
/// memory for a local one. Null for any other address.
mlir::Value operandOf(mlir::Value address);

} // namespace kern::ir::loop
