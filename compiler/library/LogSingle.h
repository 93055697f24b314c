//===- LogSingle.h - logarithms of f64 as exact as f32 ----------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/library/Primitives.h"

namespace kern::compiler::library {

/// The logarithm of a number: exponent · log 2 + rest.
struct LogSingle {
  float exponent, rest;
};

/// log w for normal w > 0, given w - 1 as well.
inline LogSingle logSingle(double w, double lessOne) {
  // The significand is in [√½, √2).
  auto bits = __builtin_bit_cast(unsigned long, w);
  int e = (int(bits >> 32) - 0x3fe6a09e) >> 20;
  double m = __builtin_bit_cast(double, bits - ((unsigned long)e << 52));
  float f = float(e == 0 ? lessOne : m - 1);
  // (log(1 + f) - f) / f², minimax, with a relative error of 2^-26.7.
  static constexpr float tail[] = {
      -0x1.fffffep-2f, 0x1.55555p-2f,   -0x1.00022ep-2f,
      0x1.99a25ap-3f,  -0x1.547fcap-3f, 0x1.22b6p-3f,
      -0x1.0cbc0ep-3f, 0x1.05e694p-3f,  -0x1.3e629ep-4f};
  return {float(e), fma(polynomial(tail, f) * f, f, f)};
}

} // namespace kern::compiler::library
