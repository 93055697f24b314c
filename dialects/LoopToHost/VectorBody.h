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

class VectorBody {
public:
  explicit VectorBody(mlir::LLVM::LLVMFuncOp body);

  /// Why the body cannot run in vectors, to go on after "the body "; empty if
  /// it can.
  const std::string &obstacle() const { return why; }
  /// Of the values that vary.
  VectorFacts facts();
  /// Adds a function `<name>` at the builder's insertion point that takes and
  /// returns vectors of `lanes` in the place of the body's values.
  mlir::LLVM::LLVMFuncOp emit(KernelBuilder &b, mlir::StringRef name,
                              unsigned lanes);

private:
  std::string findObstacle();

  mlir::LLVM::LLVMFuncOp body;
  LevelGraph graph;
  std::string why;
  std::optional<Divergence> divergence; ///< if there is no obstacle
};

} // namespace kern::ir::loop
