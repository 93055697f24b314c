//===- Library.h - Kern's own functions as bitcode --------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions that a target lacks or computes badly are written in C++ in this
// folder. They are compiled once to bitcode, which is embedded in the compiler
// and linked into the code of every target that calls them. So their results
// are the same everywhere, except for the elementary real functions that they
// call.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/array/DType.h"
#include "runtime/error/Expected.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class Module;
} // namespace llvm

namespace kern::compiler::library {

/// A function that lowered code declares as `@kern.exp.f32`, as
/// `@kern.fast.exp.f32` if an approximation may take its place, or as
/// `@kern.f16.exp.f32` if operands are f16 and so will be the result.
struct ElementaryFunction {
  llvm::StringRef name; ///< "exp"
  runtime::DType type;
  bool isFast = false;
  std::optional<runtime::DType> half = {}; ///< f16 or bf16

  /// Nothing for symbols of another form.
  static std::optional<ElementaryFunction> ofSymbol(llvm::StringRef symbol);
};

/// The symbol of an elementary function of f32 or f64 on a target, or "" if the
/// target has none.
using FunctionTable =
    llvm::function_ref<llvm::StringRef(const ElementaryFunction &)>;

/// The LLVM attribute of the functions that link() defines.
inline constexpr llvm::StringLiteral functionAttribute = "kern-library";

/// The symbol of a function, or "" if the library has none. There is one
/// implementation of a function and its approximation. Complex operands and
/// results are passed as two parts.
llvm::StringRef symbol(const ElementaryFunction &function);

/// Defines, as internal functions, the library's symbols that `module` declares
/// and uses. `functions` maps elementary real functions to the target's
/// symbols. KERN_ERROR_INTERNAL if the target lacks one that the library calls.
runtime::Status link(llvm::Module &module, FunctionTable functions);

} // namespace kern::compiler::library
