//===- Integer.cpp - Python's integers ------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/constants/Integer.h"

#include "compiler/syntax/Literals.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace llvm;

namespace kern::compiler {

using ir::ScalarFunction;

static constexpr unsigned minWidth = 128;

static APInt fromWords(__int128 value) {
  uint64_t words[2] = {uint64_t(value), uint64_t(value >> 64)};
  return APInt(minWidth, words);
}

Integer::Integer(__int128 value) : value(fromWords(value)) {}

std::optional<Integer> Integer::of(const APInt &value) {
  if (value.abs().getActiveBits() > maxBits)
    return std::nullopt;
  // Including the sign bit.
  const unsigned needed = value.getSignificantBits();
  unsigned width = std::max(minWidth, unsigned(alignTo(needed, 64)));
  return Integer(value.sextOrTrunc(width));
}

Integer Integer::ofWords(ArrayRef<uint64_t> words) {
  static_assert(maxBits == syntax::integerBits);
  return *of(APInt(unsigned(64 * words.size() + 1), words));
}

static std::optional<double> nearest(const APInt &value) {
  APFloat number(APFloat::IEEEdouble());
  number.convertFromAPInt(value, /*IsSigned=*/true,
                          APFloat::rmNearestTiesToEven);
  if (!number.isFinite())
    return std::nullopt;
  return number.convertToDouble();
}

std::optional<double> Integer::toDouble() const { return nearest(value); }

std::string describeInteger(const APInt &value) {
  if (unsigned bits = value.abs().getActiveBits(); bits > 128)
    return "an integer of " + std::to_string(bits) + " bits";
  SmallString<48> digits;
  value.toStringSigned(digits);
  return std::string(digits);
}

std::string Integer::text() const { return describeInteger(value); }

int Integer::compare(const Integer &other) const {
  unsigned width = std::max(value.getBitWidth(), other.value.getBitWidth());
  APInt a = value.sext(width), b = other.value.sext(width);
  return a == b ? 0 : a.slt(b) ? -1 : 1;
}

std::optional<int> Integer::compare(double other) const {
  if (std::isnan(other))
    return std::nullopt;
  if (std::isinf(other))
    return other > 0 ? -1 : 1;
  constexpr unsigned widestFloat = 1088; // the exponent, the sign and a word
  APSInt whole(widestFloat, /*isUnsigned=*/false);
  bool isExact = false;
  APFloat(other).convertToInteger(whole, APFloat::rmTowardZero, &isExact);
  if (int order = compare(*Integer::of(whole)))
    return order;
  return isExact ? 0 : other > 0 ? -1 : 1;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static IntegerResult done(const APInt &value) {
  std::optional<Integer> result = Integer::of(value);
  return {result ? IntegerResult::Done : IntegerResult::TooWide, result};
}

static IntegerResult powerOf(const Integer &base, const Integer &exponent) {
  const APInt size = base.bits().abs();
  const bool isOdd = exponent.bits()[0];
  if (exponent.isZero() || size.isOne())
    return done(isOdd ? base.bits() : APInt(minWidth, 1));
  if (base.isZero())
    return done(base.bits());
  // |base| is at least 2^log2Base.
  const uint64_t log2Base = size.getActiveBits() - 1;
  std::optional<int64_t> count = exponent.asInt64();
  if (!count || *count > Integer::maxBits ||
      log2Base * uint64_t(*count) > Integer::maxBits)
    return {IntegerResult::TooWide};
  APInt square = base.bits().sext(4 * Integer::maxBits);
  APInt result(square.getBitWidth(), 1);
  for (uint64_t rest = uint64_t(*count); rest; rest >>= 1) {
    if (rest & 1)
      result *= square;
    if (rest > 1)
      square *= square;
  }
  return done(result);
}

static IntegerResult shifted(const Integer &a, const Integer &by, bool isLeft) {
  if (by.isNegative())
    return {};
  std::optional<int64_t> count = by.asInt64();
  bool isFar = !count || *count > Integer::maxBits;
  if (!isLeft) {
    unsigned width = a.bits().getBitWidth();
    return done(a.bits().ashr(isFar ? width - 1
                                    : std::min(unsigned(*count), width - 1)));
  }
  if (a.isZero())
    return done(a.bits());
  if (isFar)
    return {IntegerResult::TooWide};
  return done(
      a.bits().sext(2 * Integer::maxBits + minWidth).shl(unsigned(*count)));
}

IntegerResult applyToIntegers(ScalarFunction function, const Integer &a,
                              const Integer &b) {
  using enum ScalarFunction;
  // Wide enough for every sum, difference and quotient, and for products.
  unsigned width = std::max(a.bits().getBitWidth(), b.bits().getBitWidth()) + 1;
  if (function == multiply)
    width *= 2;
  const APInt x = a.bits().sext(width), y = b.bits().sext(width);
  const auto floored = [&] {
    return APIntOps::RoundingSDiv(x, y, APInt::Rounding::DOWN);
  };
  switch (function) {
  case add:
    return done(x + y);
  case subtract:
    return done(x - y);
  case multiply:
    return done(x * y);
  case floor_divide:
    return b.isZero() ? IntegerResult{} : done(floored());
  case remainder:
    return b.isZero() ? IntegerResult{} : done(x - floored() * y);
  case power:
    return b.isNegative() ? IntegerResult{} : powerOf(a, b);
  case left_shift:
  case right_shift:
    return shifted(a, b, function == left_shift);
  case bitwise_and:
    return done(x & y);
  case bitwise_or:
    return done(x | y);
  case bitwise_xor:
    return done(x ^ y);
  case maximum:
    return done(APIntOps::smax(x, y));
  case minimum:
    return done(APIntOps::smin(x, y));
  default:
    return {};
  }
}

std::optional<double> quotient(const Integer &a, const Integer &b) {
  if (a.isZero())
    return 0.0;
  const bool isNegative = a.isNegative() != b.isNegative();
  // Wide enough for either operand after scaling.
  constexpr unsigned width = 2 * Integer::maxBits + 2048;
  APInt x = a.bits().sext(width).abs(), y = b.bits().sext(width).abs();
  // 2^exponent <= x / y < 2^(exponent + 1)
  int exponent = int(x.getActiveBits()) - int(y.getActiveBits());
  if (exponent >= 0 ? x.ult(y.shl(unsigned(exponent)))
                    : x.shl(unsigned(-exponent)).ult(y))
    --exponent;
  if (exponent < -1100)
    return isNegative ? -0.0 : 0.0;
  // The unit in the last place of the result; two bits below it decide
  // rounding.
  const int unit = std::max(exponent - 52, -1074);
  if (unit - 2 >= 0)
    y <<= unsigned(unit - 2);
  else
    x <<= unsigned(2 - unit);
  APInt scaled, rest;
  APInt::udivrem(x, y, scaled, rest);
  if (!rest.isZero())
    scaled |= 1;
  uint64_t digits = scaled.getZExtValue(); // at most 55 bits
  const uint64_t below = digits & 3;
  digits >>= 2;
  digits += below == 3 || (below == 2 && digits & 1);
  double result = std::ldexp(double(digits), unit);
  if (std::isinf(result))
    return std::nullopt;
  return isNegative ? -result : result;
}

} // namespace kern::compiler
