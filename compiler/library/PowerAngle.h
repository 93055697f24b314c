//===- PowerAngle.h - the angle of an imaginary power of two ----*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/library/Primitives.h"

namespace kern::library {

/// y·ln 2 less whole turns in radians, from -π to π, for finite y of at least
/// 2^25; the low part is less than 2^-50.
Double2 largePowerAngle(double y);

/// The angle of 2^iy in radians for finite y, y·ln 2 or that less whole turns.
/// The low part is less than 2^-28, so that as a turn its square does not
/// matter.
inline Double2 powerAngle(double y) {
  if (abs(y) >= 0x1p25) {
    Double2 angle = largePowerAngle(abs(y));
    return y < 0 ? Double2{-angle.high, -angle.low} : angle;
  }
  Double2 angle = exactProduct(y, ln2);
  return {angle.high, fma(y, 2.3190468138462996e-17, angle.low)};
}

} // namespace kern::library
