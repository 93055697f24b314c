//===- WideBodies.h - a body for rows of several vectors --------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToHost/Forms.h"
#include "dialects/LoopToHost/SummingLoop.h"
#include "dialects/LoopToHost/VectorBody.h"

namespace kern::ir::loop {

/// A body across loop elements side by side, and how many it takes at once.
struct WideBody {
  unsigned fewest() const {
    return shortRows == ShortRows::None     ? lanes
           : shortRows == ShortRows::Halves ? lanes / 2
                                            : 1;
  }

  mlir::LLVM::LLVMFuncOp function;
  unsigned lanes;
  ShortRows shortRows;
};

/// The functions of a body for each number of vectors, from the widest on.
class WideBodies {
public:
  WideBodies(KernelBuilder &b, const KernelFacts &kernel,
             mlir::LLVM::LLVMFuncOp body, HostOptions options);
  /// Adds the functions of a copy of the body. Returns whether it can go
  /// through its sums so; else there are none.
  bool add(SumOrder order, llvm::ArrayRef<unsigned> counts);
  /// The function of a copy for all loop elements, by panels (PanelLoop.h) if
  /// it can go so. There must be as many as in a vector.
  std::optional<WideBody> inPanels(unsigned vectors);

  llvm::SmallVector<WideBody> all;
  unsigned lanes = 0; ///< of a vector

private:
  WideBody make(VectorBody &vectors, llvm::StringRef name, unsigned count,
                const llvm::DenseSet<mlir::Value> &slots, ShortRows rows);

  KernelBuilder &b;
  const KernelFacts &kernel;
  mlir::LLVM::LLVMFuncOp body;
};

} // namespace kern::ir::loop
