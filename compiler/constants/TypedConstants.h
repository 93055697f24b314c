//===- TypedConstants.h - functions of constants of a type ------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Typed constants are computed in their type, as in code: integers wrap, and
// floats are rounded after each operation. Weak constants behave as in Python.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/constants/ConstantFunctions.h"
#include "runtime/array/DType.h"

namespace kern::compiler {

/// A weak constant, a bool, or a constant of a type.
struct TypedConstant {
  Constant value;
  std::optional<runtime::DType> type = std::nullopt; ///< never Bool
};

/// The outcome of folding.
struct TypedFolded {
  Folded::Outcome outcome;
  std::optional<TypedConstant> result = std::nullopt; ///< set if Done
  /// If the outcome is Left: the operand, a weak integer, that does not fit the
  /// type that it meets, and that type.
  std::optional<size_t> misfit = std::nullopt;
  runtime::DType needed = runtime::DType::I64;
};

/// Applies a function in the typed loop that code would use.
TypedFolded foldTyped(ir::ScalarFunction function,
                      llvm::ArrayRef<TypedConstant> operands);

/// A constant converted to a type. Nothing for a complex number and a real
/// type.
std::optional<TypedConstant> ofType(const Constant &value, runtime::DType type);

//===--- ConstantConversion.cpp -------------------------------------------===//
/// Converts to a type: floats are rounded, and saturate as integers; integers
/// wrap. Nothing for a complex number and a real type.
std::optional<Constant> convertConstant(const Constant &value,
                                        runtime::DType type);

} // namespace kern::compiler
