//===- Interior.h - iterations whose indices are not wrapped ----*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `x[(i + 1) % n]` is a choice between i + 1 and i + 1 - n. In all iterations
// but a few at an end it is the former, so that elements lie side by side.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToHost/CountedLoop.h"

namespace kern::ir::loop {

/// Whether indices of a loop's iterations are wrapped.
bool hasWrappedIndices(const CountedLoop &loop);

/// The iterations of a function of an iteration in which indices are not
/// wrapped.
class Interior {
public:
  /// Takes the wraps out of a function whose first argument is the counter, so
  /// that it serves the interior alone.
  explicit Interior(mlir::LLVM::LLVMFuncOp iteration);

  bool isAll() const { return firsts.empty() && ends.empty(); }
  /// Computes the first iteration of the interior, or the first one after it,
  /// from 0 to `trips`; `uses` are the function's arguments but the counter.
  mlir::Value first(KernelBuilder &b, mlir::Value trips,
                    mlir::ValueRange uses) const;
  mlir::Value end(KernelBuilder &b, mlir::Value trips,
                  mlir::ValueRange uses) const;

private:
  /// A sum of the function's arguments, times 1 or -1, and a number.
  struct Bound {
    llvm::SmallVector<std::pair<mlir::Value, bool>> terms; ///< true: subtracted
    int64_t number = 0;
  };
  mlir::Value emit(KernelBuilder &b, const Bound &bound,
                   mlir::ValueRange uses) const;
  mlir::Value whereSmall(KernelBuilder &b, mlir::Value bound,
                         mlir::ValueRange uses) const;

  llvm::SmallVector<Bound> firsts, ends;
};

} // namespace kern::ir::loop
