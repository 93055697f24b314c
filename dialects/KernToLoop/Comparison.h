//===- Comparison.h - comparison of any two numbers -------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/KernToLoop/ScalarBuilder.h"

namespace kern::ir {

/// Compares two numbers of one type, two bools, or two integers of any types by
/// value. Complex numbers compare by their real, then by their imaginary part,
/// as in NumPy. f16 and bf16 are widened.
Scalar compareByValue(ScalarBuilder &s, ComparePredicate predicate, Scalar a,
                      Scalar b);

/// Whether a number, or one of its parts, is NaN. False for integers and bool.
Scalar hasNaN(ScalarBuilder &s, Scalar x);

} // namespace kern::ir
