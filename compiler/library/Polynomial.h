//===- Polynomial.h - polynomials by their coefficients ---------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/library/Primitives.h"

namespace kern::library {

/// c[0] + c[1] x + c[2] x² + …, by Horner's rule.
template <int count>
inline double polynomial(const double (&c)[count], double x) {
  double sum = c[count - 1];
#pragma clang loop unroll(full)
  for (int i = count - 2; i >= 0; --i)
    sum = fma(sum, x, c[i]);
  return sum;
}

} // namespace kern::library
