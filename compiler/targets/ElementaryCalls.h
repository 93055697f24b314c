//===- ElementaryCalls.h - symbols of elementary functions ------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/error/Expected.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace kern {

/// The symbol of an elementary function ("exp") for a type ("f32" or "f64"),
/// or "" if the target has none.
using FunctionTable =
    llvm::function_ref<llvm::StringRef(llvm::StringRef, llvm::StringRef)>;

/// Replaces calls to `@kern.<function>.<type>`, operations of the math dialect
/// that are elementary functions, and arith.remf by calls of the LLVM dialect
/// to the symbols of Kern's own library or else of the table. An unknown
/// function is KERN_ERROR_INTERNAL.
Status callElementaryFunctions(mlir::ModuleOp module, FunctionTable functions);

} // namespace kern
