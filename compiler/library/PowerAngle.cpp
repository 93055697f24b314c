//===- PowerAngle.cpp - the angle of an imaginary power of two ------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Large angles are reduced as in M. H. Payne and R. N. Hanek, "Radian reduction
// for trigonometric functions", ACM SIGNUM Newsletter 18 (1983): of the
// constant's digits, only those that affect the fraction are multiplied.
//
//===----------------------------------------------------------------------===//

#include "compiler/library/Complex.h"

namespace kern::compiler::library {

using Word = unsigned long long;

/// The digits of ln 2 / 2π, the turns of 2^i, after one word of zeros.
static constexpr Word turnDigits[] = {
    0x0000000000000000, 0x1c3dc98f7e969bbb, 0x2d82160b957fbcf7,
    0x6384efb34752570d, 0x875c804ebaa7e3f2, 0x9dba19bf26d22f92,
    0x057d72dbf62fb884, 0x40e536cc0835bad4, 0x8c3fea6ba432f1cd,
    0x544d633b59f036cf, 0x1243456f76468a7d, 0x5a0900abd7a3e708,
    0xeffc572f1c7c17fb, 0x7f82ec188aa323d9, 0xdcc271169d408a0a,
    0xbab43090d71549ee, 0xdd67cd178b418a3a, 0x2c6958e894f98a46,
    0x3a97ff6afab0351e, 0x73fb6c6dbf1e2d0e};

/// The turns of 2^iy without whole turns, from -½ to ½, for finite y of at
/// least 2^25.
static Double2 turnsOf(double y) {
  // y is digits · 2^exponent. In 2^exponent ln 2 / 2π, the first `skipped`
  // digits of `turnDigits` are whole, and so is their product with `digits`.
  // The next three words decide the first 128 digits of the fraction.
  Word bits = __builtin_bit_cast(Word, y);
  int exponent = int(bits >> 52) - 1075;
  Word digits = (bits & ((1ull << 52) - 1)) | 1ull << 52;
  int skipped = exponent + 64;
  const Word *from = turnDigits + skipped / 64;
  int shift = skipped % 64;
  auto word = [&](int i) {
    return from[i] << shift | from[i + 1] >> 1 >> (63 - shift);
  };
  using Words = unsigned __int128;
  Words sum = Words(digits) * word(1) + (Words(digits) * word(2) >> 64) +
              (Words(digits * word(0)) << 64);
  // As a signed fraction, relative to the nearest whole turn. Its leading 53
  // bits are an exact f64.
  auto front = (long long)(sum >> 64);
  Word back = Word(front & 0x7ff) << 53 | Word(sum) >> 11;
  return {double(front & ~0x7ffll) * 0x1p-64, double(back) * 0x1p-117};
}

Double2 largePowerAngle(double y) {
  constexpr double turn = 6.283185307179586, rest = 2.4492935982947064e-16;
  Double2 turns = turnsOf(y);
  Double2 angle = exactProduct(turns.high, turn);
  angle.low = fma(turns.low, turn, fma(turns.high, rest, angle.low));
  return angle;
}

} // namespace kern::compiler::library
