//===- PooledContext.h - contexts that serve again --------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Making an MLIRContext takes longer than all of MLIR's work on a small ufunc.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "mlir/IR/MLIRContext.h"

#include <cstddef>
#include <exception>
#include <memory>

namespace kern {

/// What a context has served for.
struct ContextUse {
  unsigned times = 0;
  size_t bytes = 0; ///< of source text
};

/// Whether a context may serve once more. It keeps every type, attribute and
/// place that it has seen, so that its memory grows with its use.
bool servesAgain(ContextUse use);

/// A context of makeContext() that nobody else uses: one that was given back,
/// or a new one. One through which an exception went does not serve again.
/// Operations in it must be gone before it is. Safe to make and
/// to destroy in any thread.
class PooledContext {
public:
  PooledContext();
  ~PooledContext();
  PooledContext(const PooledContext &) = delete;
  PooledContext &operator=(const PooledContext &) = delete;

  mlir::MLIRContext *get() const { return context.get(); }
  /// Says how much source text was read into it.
  void addBytes(size_t bytes) { use.bytes += bytes; }

private:
  std::unique_ptr<mlir::MLIRContext> context;
  ContextUse use;
  const int exceptions = std::uncaught_exceptions();
};

} // namespace kern
