//===- TypedFunctions.h - typed ufuncs of one application -------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------===//
#pragma once

#include "dialects/Kern/Kern.h"
#include "runtime/array/DType.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <span>
#include <string>

namespace kern::test {

/// A context with every dialect that kern-to-loop reads or writes.
std::unique_ptr<mlir::MLIRContext> makeContext();

/// Appends to `module` the typed ufunc `symbol` that applies `function` to its
/// parameters. Beside the scalar functions, `cast` and `truth` are those
/// operations.
ir::FuncOp addTypedFunction(mlir::ModuleOp module, std::string_view symbol,
                            std::string_view function,
                            std::span<const runtime::DType> inputs,
                            std::span<const runtime::DType> outputs);

} // namespace kern::test
