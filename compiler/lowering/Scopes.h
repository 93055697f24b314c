//===- Scopes.h - state that ends with a scope ---------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/lowering/FunctionLowering.h"

#include "llvm/Support/SaveAndRestore.h"

namespace kern::compiler {

/// Restores the environment at its end: names assigned within are local.
class EnvScope {
public:
  explicit EnvScope(FunctionLowering &fn) : env(fn.env()), before(env) {}
  ~EnvScope() { env = std::move(before); }
  EnvScope(const EnvScope &) = delete;
  EnvScope &operator=(const EnvScope &) = delete;

private:
  Environment &env;
  Environment before;
};

/// Lowers into the region of an operation, starting in a new first block.
/// Restores the region, the insertion point and the environment at its end.
class RegionScope {
public:
  RegionScope(FunctionLowering &fn, mlir::Region &body)
      : region(fn.region, &body), place(fn.builder), env(fn) {
    fn.builder.setInsertionPointToStart(fn.newBlock());
  }

private:
  llvm::SaveAndRestore<mlir::Region *> region;
  mlir::OpBuilder::InsertionGuard place;
  EnvScope env;
};

} // namespace kern::compiler
