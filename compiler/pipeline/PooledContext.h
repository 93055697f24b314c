//===- PooledContext.h - reuse of MLIR contexts -----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Making an MLIRContext takes longer than all MLIR passes for a small ufunc.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "mlir/IR/MLIRContext.h"

#include <cstddef>
#include <exception>
#include <memory>

namespace kern::compiler {

/// How much a context has been used.
struct ContextUse {
  unsigned times = 0;
  size_t bytes = 0; ///< of source text
};

/// Whether a context may be reused. It keeps every type, attribute and location
/// that it has seen, so that its memory grows with use.
bool servesAgain(ContextUse use);

/// A context of makeContext() for exclusive use: a returned one, or a new one.
/// A context through which an exception has passed is not reused. Destroy its
/// operations first. Any thread may construct and destroy it.
class PooledContext {
public:
  PooledContext();
  ~PooledContext();
  PooledContext(const PooledContext &) = delete;
  PooledContext &operator=(const PooledContext &) = delete;

  mlir::MLIRContext *get() const { return context.get(); }
  /// Records how much source text was read into the context.
  void addBytes(size_t bytes) { use.bytes += bytes; }

private:
  std::unique_ptr<mlir::MLIRContext> context;
  ContextUse use;
  const int exceptions = std::uncaught_exceptions();
};

} // namespace kern::compiler
