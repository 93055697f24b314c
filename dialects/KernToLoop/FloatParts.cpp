//===- FloatParts.cpp - functions of a float's exponent and mantissa ------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/KernToLoop/Comparison.h"
#include "dialects/KernToLoop/Emitters.h"

#include <cmath>
#include <limits>

namespace kern::ir {

using runtime::DType;

using Operands = llvm::ArrayRef<Scalar>;

static Scalars copysign(ScalarBuilder &s, Operands x) {
  return {s.copysign(x[0], x[1])};
}

/// The next value of the type after the first operand, towards the second.
/// Floats of one sign are ordered like their bits, so the bits change by one.
static Scalars nextafter(ScalarBuilder &s, Operands x) {
  DType type = x[0].type, word = unsignedOf(type);
  Scalar from = widenHalf(s, x[0]), to = widenHalf(s, x[1]);
  Scalar zero = s.number(from.type, 0.0);
  Scalar one = s.integer(word, 1);
  Scalar bits = s.bits(x[0]);
  Scalar up = s.compare(ComparePredicate::Less, from, to);
  Scalar positive = s.compare(ComparePredicate::Greater, from, zero);
  Scalar away = s.compare(ComparePredicate::Equal, up, positive);
  Scalar next = s.select(away, s.add(bits, one), s.sub(bits, one));
  // After a zero comes the smallest number with the sign of the other operand.
  Scalar signMask = s.shiftLeft(one, s.integer(word, bitWidth(word) - 1));
  Scalar smallest = s.bitOr(s.bitAnd(s.bits(x[1]), signMask), one);
  next =
      s.select(s.compare(ComparePredicate::Equal, from, zero), smallest, next);
  Scalar result = s.fromBits(next, type);
  result = s.select(s.compare(ComparePredicate::Equal, from, to), x[1], result);
  result = s.select(s.isNaN(to), x[1], result);
  return {s.select(s.isNaN(from), x[0], result)};
}

/// The gap to the next number away from zero, whose bits are one more. A zero
/// gives the smallest number, an infinity gives NaN.
static Scalar gapAbove(ScalarBuilder &s, Scalar x) {
  Scalar bits = s.bits(x);
  Scalar next = s.fromBits(s.add(bits, s.integer(bits.type, 1)), x.type);
  Scalar from = widenHalf(s, x);
  Scalar gap = convert(s, s.sub(widenHalf(s, next), from), x.type);
  Scalar smallest = s.fromBits(s.integer(bits.type, 1), x.type);
  Scalar none =
      s.compare(ComparePredicate::Equal, from, s.number(from.type, 0.0));
  return s.select(s.isNaN(from), x, s.select(none, smallest, gap));
}

static Scalars spacing(ScalarBuilder &s, Operands x) {
  return {gapAbove(s, x[0])};
}

/// Python's ulp, always positive. The largest number gives the gap below it, an
/// infinity gives infinity.
static Scalars ulp(ScalarBuilder &s, Operands x) {
  DType type = x[0].type, word = unsignedOf(type);
  Scalar one = s.integer(word, 1);
  Scalar sign = s.shiftLeft(one, s.integer(word, bitWidth(word) - 1));
  Scalar bits = s.bitAnd(s.bits(x[0]), s.sub(sign, one));
  Scalar infinity =
      s.bits(s.number(type, std::numeric_limits<double>::infinity()));
  Scalar largest =
      s.compare(ComparePredicate::Equal, bits, s.sub(infinity, one));
  Scalar from = s.select(largest, s.sub(bits, one), bits);
  Scalar gap = gapAbove(s, s.fromBits(from, type));
  Scalar special = s.compare(ComparePredicate::GreaterEqual, bits, infinity);
  return {s.select(special, s.fromBits(bits, type), gap)};
}

/// Both parts have the operand's sign. The fraction of an infinity is 0.
static Scalars modf(ScalarBuilder &s, Operands x) {
  DType type = x[0].type;
  Scalar whole = s.trunc(x[0]);
  Scalar infinity = s.number(type, std::numeric_limits<double>::infinity());
  Scalar infinite = s.compare(ComparePredicate::Equal, s.abs(x[0]), infinity);
  Scalar fraction = s.select(infinite, s.number(type, 0.0), s.sub(x[0], whole));
  return {s.copysign(fraction, x[0]), whole};
}

/// A fraction in [0.5, 1) and an exponent. Zeros, infinities and NaN are
/// returned with exponent 0.
static Scalars frexp(ScalarBuilder &s, Operands x) {
  DType type = x[0].type, word = unsignedOf(type);
  unsigned mantissa = mantissaBits(type), bias = exponentBias(type);
  uint64_t exponentMask = 2 * uint64_t(bias) + 1;
  // Subnormals are scaled into the normal range first.
  int shift = int(mantissa) + 2;
  Scalar smallestNormal = s.number(type, std::ldexp(1.0, 1 - int(bias)));
  Scalar tiny = s.compare(ComparePredicate::Less, s.abs(x[0]), smallestNormal);
  Scalar scaled =
      s.select(tiny, s.mul(x[0], s.number(type, std::ldexp(1.0, shift))), x[0]);

  Scalar bits = s.bits(scaled);
  Scalar field = s.bitAnd(s.shiftRight(bits, s.integer(word, mantissa)),
                          s.integer(word, int64_t(exponentMask)));
  Scalar cleared =
      s.bitAnd(bits, s.integer(word, ~int64_t(exponentMask << mantissa)));
  Scalar fraction = s.fromBits(
      s.bitOr(cleared,
              s.integer(word, int64_t(uint64_t(bias - 1) << mantissa))),
      type);
  Scalar zero = s.integer(DType::I32, 0);
  Scalar exponent = s.sub(convert(s, field, DType::I32),
                          s.integer(DType::I32, int64_t(bias) - 1));
  exponent =
      s.sub(exponent, s.select(tiny, s.integer(DType::I32, shift), zero));

  Scalar none = s.compare(ComparePredicate::Equal, x[0], s.number(type, 0.0));
  Scalar special =
      s.bitOr(none, s.compare(ComparePredicate::Equal, field,
                              s.integer(word, int64_t(exponentMask))));
  return {s.select(special, x[0], fraction), s.select(special, zero, exponent)};
}

static Scalar clamp(ScalarBuilder &s, Scalar x, Scalar low, Scalar high) {
  x = s.select(s.compare(ComparePredicate::Less, x, low), low, x);
  return s.select(s.compare(ComparePredicate::Greater, x, high), high, x);
}

/// Multiplies by three powers of two: two by at most the exponent range, and a
/// last one by the rest. Steps down are so short that only the last one rounds.
static Scalars ldexp(ScalarBuilder &s, Operands x) {
  DType type = x[0].type, word = unsignedOf(type);
  int bias = int(exponentBias(type)), mantissa = int(mantissaBits(type));
  int down = 1 - bias + mantissa + 1;
  DType wide = x[1].type;
  // Beyond ±8192 the result no longer changes, for any type.
  Scalar power =
      convert(s, clamp(s, x[1], s.integer(wide, -8192), s.integer(wide, 8192)),
              DType::I32);
  auto i32 = [&](int64_t value) { return s.integer(DType::I32, value); };
  Scalar result = x[0];
  for (int step = 0; step < 2; ++step) {
    Scalar high = s.compare(ComparePredicate::Greater, power, i32(bias));
    Scalar low = s.compare(ComparePredicate::Less, power, i32(1 - bias));
    Scalar factor = s.select(high, s.number(type, std::ldexp(1.0, bias)),
                             s.number(type, 1.0));
    factor = s.select(low, s.number(type, std::ldexp(1.0, down)), factor);
    Scalar taken = s.select(high, i32(bias), s.select(low, i32(down), i32(0)));
    result = s.mul(result, factor);
    power = s.sub(power, taken);
  }
  power = clamp(s, power, i32(1 - bias), i32(bias));
  Scalar field = convert(s, s.add(power, i32(bias)), word);
  Scalar factor =
      s.fromBits(s.shiftLeft(field, s.integer(word, mantissa)), type);
  return {s.mul(result, factor)};
}

void addFloatParts(EmitterTable &table) {
  table[ScalarFunction::copysign] = {copysign, {}};
  table[ScalarFunction::nextafter] = {nextafter, {}, HalfPrecisionRule::Native};
  table[ScalarFunction::spacing] = {spacing, {}, HalfPrecisionRule::Native};
  table[ScalarFunction::ulp] = {ulp, {}, HalfPrecisionRule::Native};
  table[ScalarFunction::modf] = {modf, {}};
  table[ScalarFunction::frexp] = {frexp, {}};
  table[ScalarFunction::ldexp] = {ldexp, {}};
}

} // namespace kern::ir
