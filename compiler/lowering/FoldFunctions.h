//===- FoldFunctions.h - library functions of constants ------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/lowering/Constant.h"
#include "runtime/array/DType.h"

namespace kern {

/// Applies a function of the table that fold() leaves to run time to the value
/// of a `const`, where it has to be known: rounding, extrema, special
/// functions, complex arithmetic, comparisons of bools. Nothing for functions
/// and types that are not among them.
std::optional<Constant> foldFunction(llvm::StringRef function,
                                     llvm::ArrayRef<Constant> operands);

/// The value that a conversion to a type gives: floats are rounded, and cut
/// off at the bounds for integers, which wrap. Nothing of a complex number for
/// a real type.
std::optional<Constant> convertConstant(const Constant &value, DType type);

} // namespace kern
