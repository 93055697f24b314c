//===- Reflection.h - the sine in the gamma function's reflection -*- C++ -*-=//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/library/Primitives.h"

namespace kern::compiler::library {

/// a |sin πa| / π. The distance to the nearest whole number is exact.
inline Double2 timesSine(double a) {
  static constexpr double sine[] = {
      -0x1.a51a6625307d3p0,   0x1.9f9cb402bc439p-1,  -0x1.86a8e4720af1ep-3,
      0x1.ac6805cd0d92ep-6,   -0x1.338169c028879p-9, 0x1.3746ae9b7fb9bp-13,
      -0x1.d3eaefcab87dep-18, 0x1.078b9c5e44917p-22};
  double f = abs(a - __builtin_rint(a)), ff = f * f;
  double tail = f * ff * polynomial(sine, ff);
  Double2 main = exactProduct(a, f);
  return quickSum(main.high, fma(a, tail, main.low));
}

} // namespace kern::compiler::library
