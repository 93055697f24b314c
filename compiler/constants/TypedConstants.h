//===- TypedConstants.h - functions of constants of a type ------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Constants that have a type are computed in it, as code computes: integers
// wrap and floats are rounded after each operation. Weak ones are Python's.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/constants/ConstantFunctions.h"
#include "runtime/array/DType.h"

namespace kern {

/// A weak constant or a bool, or one of a type, which has a value of it.
struct TypedConstant {
  Constant value;
  std::optional<DType> type = std::nullopt; ///< never Bool
};

/// What came of folding.
struct TypedFolded {
  Folded::Outcome outcome;
  std::optional<TypedConstant> result = std::nullopt; ///< when done
  /// The weak integer that is out of the range of the type that it meets, by
  /// its index, and that type; the outcome is Left.
  std::optional<size_t> misfit = std::nullopt;
  DType needed = DType::I64;
};

/// Applies a scalar function (NumPy's name), in the loop that code would take.
TypedFolded foldTyped(llvm::StringRef function,
                      llvm::ArrayRef<TypedConstant> operands);

/// The value of a type that a constant becomes. Nothing of a complex number for
/// a real type.
std::optional<TypedConstant> ofType(const Constant &value, DType type);

//===--- ConstantConversion.cpp -------------------------------------------===//
/// The value that a conversion to a type gives: floats are rounded, and cut
/// off at the bounds for integers, which wrap. Nothing of a complex number for
/// a real type.
std::optional<Constant> convertConstant(const Constant &value, DType type);

} // namespace kern
