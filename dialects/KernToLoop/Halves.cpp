//===- Halves.cpp - elementary functions of f16 and bf16 ------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operands here are f16 or bf16, widened to f32. Results are rounded to the
// half afterwards. A relative error below 2^-14 hardly shows in them, so
// polynomials are shorter than for f32. Errors after rounding, over all f16
// values, against float64: erf 0.55 ULP, the others 0.51.
//
//===----------------------------------------------------------------------===//

#include "dialects/KernToLoop/Casts.h"
#include "dialects/KernToLoop/Emitters.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <limits>
#include <numbers>

namespace kern::ir {

using runtime::DType;

using Operands = llvm::ArrayRef<Scalar>;

static Scalar number(ScalarBuilder &s, double value) {
  return s.number(DType::F32, value);
}

static Scalar fma(ScalarBuilder &s, Scalar a, Scalar b, Scalar c) {
  return s.intrinsic("llvm.fma", {a, b, c}, DType::F32);
}

/// c[0] + c[1] t + c[2] t² + …
static Scalar polynomial(ScalarBuilder &s, llvm::ArrayRef<double> c, Scalar t) {
  Scalar sum = number(s, c.back());
  for (double coefficient : llvm::reverse(c.drop_back()))
    sum = fma(s, sum, t, number(s, coefficient));
  return sum;
}

/// `size`, which is not negative, with the sign of x. LLVM would copy the sign
/// after rounding to a half, for which GPUs have no instruction.
static Scalar withSign(ScalarBuilder &s, Scalar size, Scalar x) {
  Scalar sign = s.bitAnd(s.bits(x), s.integer(DType::U32, 0x80000000));
  return s.fromBits(s.bitOr(s.bits(size), sign), DType::F32);
}

/// x P(x²) with x clamped to ±2.625. Beyond that, 1 - erf(x) is less than half
/// a unit in the last place of 1. P is the minimax polynomial of erf(x)/x in
/// x², with a relative error of 2^-15.2.
static Scalars erf(ScalarBuilder &s, Operands operands) {
  static constexpr double coefficients[] = {
      0x1.20db94p+0, -0x1.80a7b4p-2,  0x1.c8435ep-4,  -0x1.9bfdfcp-6,
      0x1.10b3dp-8,  -0x1.eb7452p-12, 0x1.0832b8p-15, -0x1.f7fb82p-21};
  // Unlike fmin and fmax, these propagate NaN.
  Scalar x =
      s.intrinsic("llvm.minimum", {operands[0], number(s, 2.625)}, DType::F32);
  x = s.intrinsic("llvm.maximum", {x, number(s, -2.625)}, DType::F32);
  return {s.mul(x, polynomial(s, coefficients, s.mul(x, x)))};
}

static Scalars exp(ScalarBuilder &s, Operands x) {
  return {s.call("fast.exp", x)};
}

/// (1 - e^-2|x|) / (1 + e^-2|x|) with the sign of x. For |x| < 1/16 this would
/// cancel; x (1 - x²/3) is used instead, with a relative error of 2^-19.
static Scalars tanh(ScalarBuilder &s, Operands x) {
  Scalar magnitude = s.abs(x[0]);
  Scalar e = s.call("fast.exp", {s.mul(magnitude, number(s, -2.0))});
  Scalar one = number(s, 1.0);
  Scalar large =
      s.copysign(s.approximateDiv(s.sub(one, e), s.add(one, e)), x[0]);
  Scalar small =
      s.mul(x[0], fma(s, s.mul(x[0], x[0]), number(s, -1.0 / 3.0), one));
  Scalar isSmall =
      s.compare(ComparePredicate::Less, magnitude, number(s, 0x1p-4));
  return {s.select(isSmall, small, large)};
}

/// e^x - 1; for |x| < 1/4 x P(x), with a relative error of 2^-17.5.
static Scalars expm1(ScalarBuilder &s, Operands x) {
  static constexpr double coefficients[] = {1, 0x1.000104p-1, 0x1.5638ep-3,
                                            0x1.54920ep-5};
  Scalar small = s.mul(x[0], polynomial(s, coefficients, x[0]));
  Scalar large = s.sub(s.call("fast.exp", x), number(s, 1.0));
  Scalar isSmall =
      s.compare(ComparePredicate::Less, s.abs(x[0]), number(s, 0.25));
  return {s.select(isSmall, small, large)};
}

/// (e^|x| - e^-|x|) / 2 with the sign of x; for |x| < 3/4 x P(x²), with a
/// relative error of 2^-19.5.
static Scalars sinh(ScalarBuilder &s, Operands x) {
  static constexpr double coefficients[] = {1, 0x1.55470ap-3, 0x1.1631fp-7};
  Scalar small = s.mul(x[0], polynomial(s, coefficients, s.mul(x[0], x[0])));
  // e^|x| / 2 overflows with the hyperbolic sine.
  Scalar e =
      s.call("fast.exp", {s.sub(s.abs(x[0]), number(s, std::numbers::ln2))});
  Scalar large =
      s.copysign(s.sub(e, s.approximateDiv(number(s, 0.25), e)), x[0]);
  Scalar isSmall =
      s.compare(ComparePredicate::Less, s.abs(x[0]), number(s, 0.75));
  return {s.select(isSmall, small, large)};
}

/// arcsin(x) / x for |x| up to 1/2, in x², with a relative error of 2^-19.
static Scalar arcsinOver(ScalarBuilder &s, Scalar square) {
  static constexpr double coefficients[] = {1, 0x1.559d26p-3, 0x1.2664fap-4,
                                            0x1.06dc78p-4};
  return polynomial(s, coefficients, square);
}

/// The angle of which |x| is the sine, if that is at most 1/2; else the angle
/// of which |x| is the cosine: arccos(a) = 2 arcsin(√((1 - a) / 2)).
static std::pair<Scalar, Scalar> smallAngle(ScalarBuilder &s, Scalar x) {
  Scalar size = s.abs(x), half = number(s, 0.5);
  Scalar isLarge = s.compare(ComparePredicate::Greater, size, half);
  Scalar other = fma(s, size, number(s, -0.5), half);
  Scalar square = s.select(isLarge, other, s.mul(x, x));
  Scalar root = s.approximateSqrt(other);
  Scalar sine = s.select(isLarge, s.add(root, root), size);
  return {s.mul(sine, arcsinOver(s, square)), isLarge};
}

static Scalars arcsin(ScalarBuilder &s, Operands x) {
  auto [angle, isLarge] = smallAngle(s, x[0]);
  Scalar rest = s.sub(number(s, std::numbers::pi / 2), angle);
  return {withSign(s, s.select(isLarge, rest, angle), x[0])};
}

static Scalars arccos(ScalarBuilder &s, Operands x) {
  auto [angle, isLarge] = smallAngle(s, x[0]);
  Scalar isNegative = s.compare(ComparePredicate::Less, x[0], number(s, 0.0));
  Scalar sum = s.add(number(s, std::numbers::pi / 2),
                     s.select(isNegative, angle, s.neg(angle)));
  Scalar rest =
      s.select(isNegative, s.sub(number(s, std::numbers::pi), angle), angle);
  return {s.select(isLarge, rest, sum)};
}

/// Whether the number or its negative is known to be f16, whose subnormal
/// numbers are none of f32.
static bool isOfF16(Scalar x) {
  mlir::Operation *op = x.value.getDefiningOp();
  if (auto size = llvm::dyn_cast_or_null<mlir::math::AbsFOp>(op))
    op = size.getOperand().getDefiningOp();
  auto widened = llvm::dyn_cast_or_null<mlir::arith::ExtFOp>(op);
  return widened && widened.getIn().getType().isF16();
}

/// A function of which a target may have a version for halves alone.
static Scalar callOfHalf(ScalarBuilder &s, llvm::StringRef name, Scalar x) {
  const llvm::StringRef half = s.isFast ? "" : isOfF16(x) ? "f16." : "bf16.";
  return s.call((half + name).str(), {x});
}

/// ±arctan(t), or ±(π/2 - arctan(t)) for |x| > 1 with t = 1/|x|: t P(t²), with
/// a relative error of 2^-17.8.
static Scalars arctan(ScalarBuilder &s, Operands x) {
  static constexpr double coefficients[] = {0x1.ffff6ep-1, -0x1.54fc88p-2,
                                            0x1.90a98ep-3, -0x1.f09854p-4,
                                            0x1.d6da94p-5, -0x1.b9ba44p-7};
  Scalar size = s.abs(x[0]), one = number(s, 1.0);
  Scalar isLarge = s.compare(ComparePredicate::Greater, size, one);
  Scalar t =
      s.approximateDiv(s.intrinsic("llvm.minimum", {size, one}, DType::F32),
                       s.intrinsic("llvm.maximum", {size, one}, DType::F32));
  Scalar angle = s.mul(t, polynomial(s, coefficients, s.mul(t, t)));
  Scalar rest = s.sub(number(s, std::numbers::pi / 2), angle);
  return {withSign(s, s.select(isLarge, rest, angle), x[0])};
}

/// log(x + root) for a root of x² ± 1, given the sum as well. That is log(2x)
/// where the square of a bf16 may overflow.
static Scalar logOfSum(ScalarBuilder &s, Scalar x, Scalar sum, bool isOfF16) {
  Scalar ln2 = number(s, std::numbers::ln2);
  if (isOfF16)
    return s.mul(s.call("fast.log2", {sum}), ln2);
  Scalar isLarge = s.compare(ComparePredicate::Greater, x, number(s, 0x1p16));
  Scalar more = s.select(isLarge, ln2, number(s, 0.0));
  return fma(s, s.call("fast.log2", {s.select(isLarge, x, sum)}), ln2, more);
}

/// ±log(|x| + √(x² + 1)); for |x| < 1/2 x P(x²), with a relative error of
/// 2^-20.6.
static Scalars arcsinh(ScalarBuilder &s, Operands x) {
  static constexpr double coefficients[] = {0x1.ffffecp-1, -0x1.552a5p-3,
                                            0x1.2c2864p-4, -0x1.0b8022p-5};
  Scalar size = s.abs(x[0]);
  Scalar small = s.mul(size, polynomial(s, coefficients, s.mul(size, size)));
  Scalar root = s.approximateSqrt(fma(s, size, size, number(s, 1.0)));
  Scalar large = logOfSum(s, size, s.add(size, root), isOfF16(x[0]));
  Scalar isSmall = s.compare(ComparePredicate::Less, size, number(s, 0.5));
  return {withSign(s, s.select(isSmall, small, large), x[0])};
}

/// log(x + √(x² - 1)); the square of a half is exact.
static Scalars arccosh(ScalarBuilder &s, Operands x) {
  Scalar one = number(s, 1.0);
  Scalar root = s.approximateSqrt(fma(s, x[0], x[0], s.neg(one)));
  Scalar isDefined = s.compare(ComparePredicate::GreaterEqual, x[0], one);
  Scalar sum = s.select(isDefined, s.add(x[0], root),
                        number(s, std::numeric_limits<double>::quiet_NaN()));
  return {logOfSum(s, x[0], sum, isOfF16(x[0]))};
}

/// ±(log(1 + |x|) - log(1 - |x|)) / 2; for |x| < 3/8 x P(x²), with a relative
/// error of 2^-21.
static Scalars arctanh(ScalarBuilder &s, Operands x) {
  static constexpr double coefficients[] = {0x1.fffffp-1, 0x1.556f9ap-2,
                                            0x1.9283e4p-3, 0x1.70bd14p-3};
  Scalar size = s.abs(x[0]), one = number(s, 1.0);
  Scalar small = s.mul(size, polynomial(s, coefficients, s.mul(size, size)));
  Scalar ratio = s.sub(s.call("fast.log2", {s.add(one, size)}),
                       s.call("fast.log2", {s.sub(one, size)}));
  Scalar large = s.mul(ratio, number(s, std::numbers::ln2 / 2));
  Scalar isSmall = s.compare(ComparePredicate::Less, size, number(s, 0.375));
  return {withSign(s, s.select(isSmall, small, large), x[0])};
}

/// The squares of f16 neither overflow nor underflow. An infinity beside a NaN
/// counts.
static Scalars hypot(ScalarBuilder &s, Operands x) {
  if (!isOfF16(x[0]) || !isOfF16(x[1]))
    return {s.call("hypot", x)};
  Scalar root = s.approximateSqrt(fma(s, x[0], x[0], s.mul(x[1], x[1])));
  Scalar infinity = number(s, std::numeric_limits<double>::infinity());
  Scalar isInfinite =
      s.bitOr(s.compare(ComparePredicate::Equal, s.abs(x[0]), infinity),
              s.compare(ComparePredicate::Equal, s.abs(x[1]), infinity));
  return {s.select(isInfinite, infinity, root)};
}

/// log2 of a number that is not negative. It is e + log2(m) for m from 2/3 to
/// 4/3, and log2(m) is f P(f) with f = m - 1, since that must be as exact
/// where it is small: an exponent may be large there. P is the minimax
/// polynomial with a relative error of 2^-25.2; with rounding it is 2^-22.8.
static Scalar logarithm(ScalarBuilder &s, Scalar x) {
  static constexpr double coefficients[] = {
      0x1.715476p+0,  -0x1.715456p-1, 0x1.ec6ffep-2,
      -0x1.7172d2p-2, 0x1.27a3f2p-2,  -0x1.e4f056p-3,
      0x1.9d48ep-3,   -0x1.c71be6p-3, 0x1.9f4eb2p-3};
  constexpr int64_t exponentBits = 0xff800000, twoThirds = 0x3f2aaaab,
                    scale = 24, one = 1 << 23;
  auto integer = [&](int64_t value) { return s.integer(DType::U32, value); };
  Scalar bits = s.bits(x), shift = integer(0);
  if (!isOfF16(x)) {
    Scalar isTiny = s.compare(ComparePredicate::Less, x, number(s, 0x1p-126));
    bits = s.bits(s.select(isTiny, s.mul(x, number(s, 0x1p24)), x));
    shift = s.select(isTiny, integer(scale * one), shift);
  }
  Scalar exponent =
      s.bitAnd(s.sub(bits, integer(twoThirds)), integer(exponentBits));
  Scalar f =
      s.sub(s.fromBits(s.sub(bits, exponent), DType::F32), number(s, 1.0));
  exponent = convert(s, {s.sub(exponent, shift).value, DType::I32}, DType::F32);
  Scalar result = fma(s, exponent, number(s, 1.0 / one),
                      s.mul(f, polynomial(s, coefficients, f)));
  Scalar infinity = number(s, std::numeric_limits<double>::infinity());
  result = s.select(s.compare(ComparePredicate::Less, x, infinity), result, x);
  return s.select(s.compare(ComparePredicate::Equal, x, number(s, 0.0)),
                  s.neg(infinity), result);
}

/// Drops digits of a power that are not sure. A power in the middle of two
/// halves has none of these: then it is there exactly, and is rounded to even.
static Scalar sureDigits(ScalarBuilder &s, Scalar power, bool isOfF16) {
  // The error of a power of f16 is below 2^-19, relatively, since exponents are
  // below 16. Raised by as much, it is below 2^-18, and what is dropped has
  // that size for a significand of 2. So an exact power falls to what it was.
  // Exponents of bf16 are eight times as large.
  const double raised = isOfF16 ? 1 + 0x1p-19 : 1 + 0x1p-16;
  const int64_t kept = isOfF16 ? 0xffffffc0 : 0xfffffe00;
  Scalar bits = s.bits(s.mul(power, number(s, raised)));
  return s.fromBits(s.bitAnd(bits, s.integer(DType::U32, kept)), DType::F32);
}

/// 2^(y log2 |x|), with the sign of odd powers. It is 1 for y = 0 and x = 1,
/// whatever the other is, and for x = -1 and infinite y. It is NaN for a
/// negative number and a fraction.
Scalar powerOfHalves(ScalarBuilder &s, Scalar x, Scalar y) {
  Scalar zero = number(s, 0.0), one = number(s, 1.0), half = number(s, 0.5);
  Scalar infinity = number(s, std::numeric_limits<double>::infinity());
  auto is = [&](ComparePredicate predicate, Scalar a, Scalar b) {
    return s.compare(predicate, a, b);
  };
  Scalar size = s.abs(x), ofSize = logarithm(s, size);
  Scalar exponent = s.mul(y, ofSize);
  Scalar isOne = s.bitAnd(is(ComparePredicate::Equal, s.abs(y), infinity),
                          is(ComparePredicate::Equal, size, one));
  isOne = s.bitOr(s.bitOr(isOne, is(ComparePredicate::Equal, y, zero)),
                  is(ComparePredicate::Equal, x, one));
  exponent = s.select(isOne, zero, exponent);
  // Half of an odd number is 1/2 from the nearest whole number, half of an even
  // one 0. Infinities give NaN, and are even.
  Scalar middle = s.mul(y, half);
  Scalar rest =
      s.abs(s.sub(middle, s.intrinsic("llvm.roundeven", {middle}, DType::F32)));
  Scalar isFraction = s.bitAnd(is(ComparePredicate::Greater, rest, zero),
                               is(ComparePredicate::Less, rest, half));
  Scalar bits = s.bits(x), none = s.integer(DType::U32, 0);
  Scalar isNegative = is(ComparePredicate::Less, {bits.value, DType::I32},
                         s.integer(DType::I32, 0));
  // Powers of zeros and infinities, which have no such logarithm, are numbers.
  Scalar isNumber = is(ComparePredicate::Less, s.abs(ofSize), infinity);
  exponent =
      s.select(s.bitAnd(s.bitAnd(isNegative, isNumber), isFraction),
               number(s, std::numeric_limits<double>::quiet_NaN()), exponent);
  Scalar sign = s.bitAnd(bits, s.integer(DType::U32, 0x80000000));
  sign = s.select(is(ComparePredicate::Equal, rest, half), sign, none);
  Scalar power = sureDigits(s, s.call("exp2", {exponent}), isOfF16(x));
  return s.fromBits(s.bitXor(s.bits(power), sign), DType::F32);
}

/// -sin(πa) / π for a > 0; NaN if a is a whole number.
static Scalar minusSine(ScalarBuilder &s, Scalar a) {
  // (sin(πf) / πf - 1) / f², in f².
  static constexpr double coefficients[] = {-0x1.a5199ap0, 0x1.9f28b6p-1,
                                            -0x1.731dfcp-3};
  constexpr double roundsToWhole = 0x1.8p23, allWholeFrom = 0x1p15;
  // Sums by fma keep their order under `@fastmath`.
  Scalar one = number(s, 1.0);
  a = s.intrinsic("llvm.minimum", {a, number(s, allWholeFrom)}, DType::F32);
  Scalar sum = fma(s, a, one, number(s, roundsToWhole));
  Scalar f = s.sub(a, fma(s, sum, one, number(s, -roundsToWhole)));
  Scalar ff = s.mul(f, f);
  Scalar sine = fma(s, s.mul(f, ff), polynomial(s, coefficients, ff), f);
  // The sum's last bit is 1 for an odd number.
  Scalar odd = s.shiftLeft(s.bits(sum), s.integer(DType::U32, 31));
  sine = s.fromBits(s.bitXor(s.bits(s.neg(sine)), odd), DType::F32);
  Scalar isWhole = s.compare(ComparePredicate::Equal, f, number(s, 0.0));
  return s.select(isWhole, number(s, std::numeric_limits<double>::quiet_NaN()),
                  sine);
}

/// From 2 on, log Γ(z) = y (log(q) / 4 - 1) + c with y = z - ½, q = (y² + a)² +
/// b. Stirling's series has a = -1/12, b = 1/60, and c = log(2π) / 2. These are
/// minimax, with an error of 2^-17. Below 2, Γ(z) = Γ(z + 2) / z (z + 1).
/// Negative numbers: Γ(-a) = -π / (sin πa Γ(a + 1)).
static Scalars gamma(ScalarBuilder &s, Operands operands) {
  constexpr double a = -0.08313419, b = 0.01399368, log2e = 1.4426950408889634;
  // bf16 has two numbers, Γ(8) and Γ(9), in the middle of two others, which
  // goes to the upper one.
  const double c = 0.91892951 * log2e + (isOfF16(operands[0]) ? 0 : 0x1.7p-16);
  Scalar x = operands[0], one = number(s, 1.0), two = number(s, 2.0);
  Scalar isNegative = s.compare(ComparePredicate::Less, x, number(s, 0.0));
  Scalar z = s.select(isNegative, s.sub(one, x), x);
  Scalar isSmall = s.compare(ComparePredicate::Less, z, two);
  Scalar factors = s.select(isSmall, s.mul(z, s.add(z, one)), one);
  Scalar y = s.sub(s.select(isSmall, s.add(z, two), z), number(s, 0.5));
  Scalar square = fma(s, y, y, number(s, a));
  Scalar log = s.call("fast.log2", {fma(s, square, square, number(s, b))});
  Scalar slope = fma(s, log, number(s, 0.25), number(s, -log2e));
  Scalar exponent = fma(s, y, slope, number(s, c));
  exponent = s.select(isNegative, s.neg(exponent), exponent);
  Scalar power = s.call("exp2", {exponent});
  Scalar dividend = s.select(isNegative, s.mul(factors, power), power);
  Scalar divisor = s.select(isNegative, minusSine(s, s.abs(x)), factors);
  return {s.approximateDiv(dividend, divisor)};
}

void addHalves(EmitterTable &table) {
  table[ScalarFunction::arccos].half = arccos;
  table[ScalarFunction::arcsin].half = arcsin;
  table[ScalarFunction::arccosh].half = arccosh;
  table[ScalarFunction::arcsinh].half = arcsinh;
  table[ScalarFunction::arctan].half = arctan;
  table[ScalarFunction::arctanh].half = arctanh;
  table[ScalarFunction::erf].half = erf;
  table[ScalarFunction::exp].half = exp;
  table[ScalarFunction::expm1].half = expm1;
  table[ScalarFunction::gamma].half = gamma;
  table[ScalarFunction::hypot].half = hypot;
  table[ScalarFunction::sinh].half = sinh;
  table[ScalarFunction::tanh].half = tanh;
  // What targets have for halves alone.
  for (auto [function, name] : {std::pair{ScalarFunction::sin, "sin"},
                                {ScalarFunction::cos, "cos"},
                                {ScalarFunction::tan, "tan"},
                                {ScalarFunction::log, "log"},
                                {ScalarFunction::log1p, "log1p"},
                                {ScalarFunction::log2, "log2"},
                                {ScalarFunction::log10, "log10"}})
    table[function].half = [name](ScalarBuilder &s, Operands x) {
      return Scalars{callOfHalf(s, name, x[0])};
    };
}

} // namespace kern::ir
