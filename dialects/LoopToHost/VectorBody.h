//===- VectorBody.h - bodies in vectors across elements ---------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A body with branches or loops, for several elements at once: one in each lane
// of its vectors. Where elements go different ways, masks say which lanes take
// part. Divergence.h, LaneControl.h and LaneCode.h have the parts.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToHost/Divergence.h"
#include "dialects/LoopToHost/Policy.h"
#include "dialects/LoopToLLVM/KernelBuilder.h"

#include <optional>
#include <string>

namespace kern::ir::loop {

/// The arrays among a body's arguments that it does not write.
llvm::DenseSet<mlir::Value> arraysOnlyRead(mlir::LLVM::LLVMFuncOp body);

/// What the lanes of a vector do in rows that are shorter.
enum class ShortRows : uint8_t {
  None, ///< there are none
  /// The second half of the lanes is a gap further on than beside the first
  /// one, which is less than 0 if they share elements.
  Halves,
  First, ///< lanes without an element do as the first one, and store nothing
};

class VectorBody {
public:
  /// Erases what is unused in the body, and narrows its integers
  /// (NarrowIntegers.h) if it can run in vectors.
  /// Arguments in `uniform` are the same for all elements. Those that are
  /// addresses must be operands' arrays. If there is a `counter`, an argument
  /// that is larger by 1 in each lane than in the one before, all elements
  /// share the arrays and none reads what another one writes.
  explicit VectorBody(mlir::LLVM::LLVMFuncOp body,
                      const llvm::DenseSet<mlir::Value> &uniform = {},
                      mlir::Value counter = {});

  /// Why the body cannot run in vectors, to go on after "the body "; empty if
  /// it can.
  const std::string &obstacle() const { return why; }
  /// Whether a value varies for a use in a block, if there is no obstacle.
  bool varies(mlir::Value value, mlir::Block *use) const {
    return divergence->varies(value, use);
  }
  /// Whether a block is in a loop of the body.
  bool isInLoop(mlir::Block *block) const {
    return graph.levelOf(block)->isLoop();
  }
  /// Of the values that vary, but for those that advance with the counter.
  VectorFacts facts() const;
  /// The bytes of an element's local arrays on the stack.
  int64_t localBytes() const;
  /// Lets all elements have the first one's elements of an array that is only
  /// read where `stride`, an argument, is 0.
  void shareWhereZero(mlir::Value array, mlir::Value stride) {
    strides.push_back({array, stride});
  }
  /// Adds a function `<name>` at the builder's insertion point that takes and
  /// returns vectors of `lanes` in the place of the body's values. Uniform
  /// arguments are as in the body, and the counter is that of the first lane.
  /// After each address comes a vector with an offset for each lane, in bytes;
  /// not where elements share arrays, and not after those of arrays in
  /// `inVectors`, which have a vector in the place of each element. For
  /// short rows, the last argument is the gap between halves, or how many lanes
  /// have an element.
  mlir::LLVM::LLVMFuncOp emit(KernelBuilder &b, mlir::StringRef name,
                              unsigned lanes,
                              const llvm::DenseSet<mlir::Value> &inVectors = {},
                              ShortRows shortRows = ShortRows::None);

private:
  std::string findObstacle();
  bool dividesAlone();
  bool isInVectors(mlir::Value value, mlir::Block *use) const;

  mlir::LLVM::LLVMFuncOp body;
  LevelGraph graph;
  std::string why;
  llvm::DenseSet<mlir::Value> uniform;
  mlir::Value counter;
  llvm::SmallVector<std::pair<mlir::Value, mlir::Value>, 4> strides;
  std::optional<Divergence> divergence; ///< if there is no obstacle
};

} // namespace kern::ir::loop
