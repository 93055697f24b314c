//===- Division.h - quotients and remainders --------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------===//
#pragma once

#include "dialects/KernToLoop/ScalarBuilder.h"

namespace kern {

struct QuotientAndRemainder {
  Scalar quotient;
  Scalar remainder;
};

/// C's integer division made total: by zero both are 0, and of the smallest
/// integer by -1 the quotient is the smallest integer and the remainder 0. The
/// division instruction never meets either.
QuotientAndRemainder truncatedDivision(ScalarBuilder &s, Scalar a, Scalar b);

} // namespace kern
