//===- BinaryRules.cpp - functions of two constants -----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/constants/ConstantRules.h"

#include <cmath>
#include <utility>

namespace kern::compiler {

using Complex = std::complex<double>;
using ir::ScalarFunction;

namespace {

template <double (*function)(double, double)> Folded reals(double x, double y) {
  return Constant{function(x, y)};
}
template <bool (*function)(bool, bool)> Folded truth(bool a, bool b) {
  return Constant{function(a, b)};
}

} // namespace

Folded ofIntegers(ScalarFunction function, const Integer &a, const Integer &b) {
  IntegerResult result = applyToIntegers(function, a, b);
  if (result.value)
    return Constant{*result.value};
  return result.outcome == IntegerResult::TooWide ? Folded::TooWide
                                                  : Folded::Left;
}

static Folded divideIntegers(ScalarFunction, const Integer &a,
                             const Integer &b) {
  if (b.isZero()) // the result depends on the type
    return Folded::Left;
  std::optional<double> value = quotient(a, b);
  if (!value)
    return Folded::NoFloat;
  const bool isBelow = a.isNegative() != b.isNegative(); // 0 / -8 is -0.0
  return Constant{std::copysign(*value, isBelow ? -1 : 1)};
}

/// Applies an operation to integers of up to 128 bits; wider ones are not
/// folded.
template <std::optional<__int128> (*function)(__int128, __int128)>
static Folded narrow(ScalarFunction, const Integer &a, const Integer &b) {
  std::optional<__int128> x = a.asInt128(), y = b.asInt128();
  std::optional<__int128> result = x && y ? function(*x, *y) : std::nullopt;
  return result ? Folded(Constant{Integer(*result)}) : Folded::Left;
}

static __int128 sizeOf(__int128 x) { return x < 0 ? -x : x; }

static std::optional<__int128> greatestDivisor(__int128 a, __int128 b) {
  a = sizeOf(a), b = sizeOf(b);
  while (b != 0)
    a = std::exchange(b, a % b);
  return a;
}

static std::optional<__int128> leastMultiple(__int128 a, __int128 b) {
  const __int128 common = *greatestDivisor(a, b);
  __int128 product;
  if (!common)
    return 0;
  if (__builtin_mul_overflow(sizeOf(a) / common, sizeOf(b), &product))
    return std::nullopt;
  return product;
}

static std::optional<__int128> truncatedRemainder(__int128 a, __int128 b) {
  return b ? std::optional(a % b) : std::nullopt;
}
static std::optional<__int128> largerOf(__int128 a, __int128 b) {
  return std::max(a, b);
}
static std::optional<__int128> smallerOf(__int128 a, __int128 b) {
  return std::min(a, b);
}

static double sum(double a, double b) { return a + b; }
static double difference(double a, double b) { return a - b; }
static double product(double a, double b) { return a * b; }

static Folded divide(double a, double b) {
  return b == 0 ? Folded(Folded::Left) : Constant{a / b};
}
static Folded truncatedModulo(double a, double b) {
  return b == 0 ? Folded(Folded::Left) : Constant{std::fmod(a, b)};
}
static Folded modulo(double a, double b) {
  if (b == 0)
    return Folded::Left;
  double mod = std::fmod(a, b);
  if (mod != 0)
    return Constant{(b < 0) != (mod < 0) ? mod + b : mod};
  return Constant{std::copysign(0.0, b)};
}
static Folded floorDivide(double a, double b) {
  if (b == 0)
    return Folded::Left;
  double mod = std::fmod(a, b), quotient = (a - mod) / b;
  if (mod != 0 && (b < 0) != (mod < 0))
    quotient -= 1;
  if (quotient == 0)
    return Constant{std::copysign(0.0, a / b)};
  double floored = std::floor(quotient);
  return Constant{quotient - floored > 0.5 ? floored + 1 : floored};
}

/// 0 is greater than -0.
static double larger(double a, double b) {
  return a == b ? (std::signbit(a) ? b : a) : a > b ? a : b;
}
static double smaller(double a, double b) {
  return a == b ? (std::signbit(a) ? a : b) : a < b ? a : b;
}
/// NaN propagates.
static double maximum(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? a + b : larger(a, b);
}
static double minimum(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? a + b : smaller(a, b);
}
/// NaN is ignored.
static double maximumNumber(double a, double b) {
  return std::isnan(a) ? b : std::isnan(b) ? a : larger(a, b);
}
static double minimumNumber(double a, double b) {
  return std::isnan(a) ? b : std::isnan(b) ? a : smaller(a, b);
}
static double heaviside(double x, double atZero) {
  return std::isnan(x) ? x : x == 0 ? atZero : x < 0 ? 0 : 1;
}
static Folded makeComplex(double re, double im) {
  return Constant{Complex(re, im)};
}

static Folded addComplex(Complex a, Complex b) { return Constant{a + b}; }
static Folded subtractComplex(Complex a, Complex b) { return Constant{a - b}; }
static Folded multiplyComplex(Complex a, Complex b) { return Constant{a * b}; }
static Folded divideComplex(Complex a, Complex b) {
  return b == Complex(0) ? Folded(Folded::Left) : Constant{a / b};
}
static Folded powerOfComplex(Complex a, Complex b) {
  return a == Complex(0) ? Folded(Folded::Left) : Constant{std::pow(a, b)};
}
static Folded equalComplex(Complex a, Complex b) { return Constant{a == b}; }
static Folded unequalComplex(Complex a, Complex b) { return Constant{a != b}; }

static bool both(bool a, bool b) { return a && b; }
static bool either(bool a, bool b) { return a || b; }
static bool differ(bool a, bool b) { return a != b; }
static bool agree(bool a, bool b) { return a == b; }
static bool isLess(bool a, bool b) { return a < b; }
static bool isLessEqual(bool a, bool b) { return a <= b; }
static bool isGreater(bool a, bool b) { return a > b; }
static bool isGreaterEqual(bool a, bool b) { return a >= b; }

static const BinaryRule rules[] = {
    {.function = ScalarFunction::add,
     .integers = bodies(ofIntegers),
     .reals = bodies(reals<sum>),
     .complexes = bodies(addComplex),
     .bools = consts(truth<either>)},
    {.function = ScalarFunction::subtract,
     .integers = bodies(ofIntegers),
     .reals = bodies(reals<difference>),
     .complexes = bodies(subtractComplex)},
    {.function = ScalarFunction::multiply,
     .integers = bodies(ofIntegers),
     .reals = bodies(reals<product>),
     .complexes = consts(multiplyComplex),
     .bools = consts(truth<both>)},
    {.function = ScalarFunction::true_divide,
     .integers = bodies(divideIntegers),
     .reals = bodies(divide),
     .complexes = consts(divideComplex)},
    {.function = ScalarFunction::floor_divide,
     .integers = bodies(ofIntegers),
     .reals = consts(floorDivide)},
    {.function = ScalarFunction::remainder,
     .integers = bodies(ofIntegers),
     .reals = bodies(modulo)},
    {.function = ScalarFunction::fmod,
     .integers = consts(narrow<truncatedRemainder>),
     .reals = consts(truncatedModulo)},
    {.function = ScalarFunction::power,
     .integers = bodies(ofIntegers),
     .reals = bodies(reals<std::pow>),
     .complexes = consts(powerOfComplex)},
    {.function = ScalarFunction::float_power, .reals = consts(reals<std::pow>)},
    // Bits.
    {.function = ScalarFunction::bitwise_and,
     .integers = bodies(ofIntegers),
     .bools = consts(truth<both>)},
    {.function = ScalarFunction::bitwise_or,
     .integers = bodies(ofIntegers),
     .bools = consts(truth<either>)},
    {.function = ScalarFunction::bitwise_xor,
     .integers = bodies(ofIntegers),
     .bools = consts(truth<differ>)},
    {.function = ScalarFunction::left_shift, .integers = bodies(ofIntegers)},
    {.function = ScalarFunction::right_shift, .integers = bodies(ofIntegers)},
    {.function = ScalarFunction::gcd,
     .integers = consts(narrow<greatestDivisor>)},
    {.function = ScalarFunction::lcm,
     .integers = consts(narrow<leastMultiple>)},
    // Choice.
    {.function = ScalarFunction::maximum,
     .integers = bodies(ofIntegers),
     .reals = bodies(reals<maximum>),
     .bools = consts(truth<either>)},
    {.function = ScalarFunction::minimum,
     .integers = bodies(ofIntegers),
     .reals = bodies(reals<minimum>),
     .bools = consts(truth<both>)},
    {.function = ScalarFunction::fmax,
     .integers = consts(narrow<largerOf>),
     .reals = consts(reals<maximumNumber>)},
    {.function = ScalarFunction::fmin,
     .integers = consts(narrow<smallerOf>),
     .reals = consts(reals<minimumNumber>)},
    {.function = ScalarFunction::heaviside, .reals = consts(reals<heaviside>)},
    // Comparison by value: an integer is not rounded to a float.
    {.function = ScalarFunction::equal,
     .complexes = consts(equalComplex),
     .bools = consts(truth<agree>),
     .ofOrder = [](std::optional<int> order) { return order == 0; }},
    {.function = ScalarFunction::not_equal,
     .complexes = consts(unequalComplex),
     .bools = consts(truth<differ>),
     .ofOrder = [](std::optional<int> order) { return order != 0; }},
    {.function = ScalarFunction::less,
     .bools = consts(truth<isLess>),
     .ofOrder = [](std::optional<int> order) { return order && *order < 0; }},
    {.function = ScalarFunction::less_equal,
     .bools = consts(truth<isLessEqual>),
     .ofOrder = [](std::optional<int> order) { return order && *order <= 0; }},
    {.function = ScalarFunction::greater,
     .bools = consts(truth<isGreater>),
     .ofOrder = [](std::optional<int> order) { return order && *order > 0; }},
    {.function = ScalarFunction::greater_equal,
     .bools = consts(truth<isGreaterEqual>),
     .ofOrder = [](std::optional<int> order) { return order && *order >= 0; }},
    {.function = ScalarFunction::logical_and, .truths = consts(truth<both>)},
    {.function = ScalarFunction::logical_or, .truths = consts(truth<either>)},
    {.function = ScalarFunction::logical_xor, .truths = consts(truth<differ>)},
    // Floats and their parts.
    {.function = ScalarFunction::arctan2, .reals = bodies(reals<std::atan2>)},
    {.function = ScalarFunction::hypot, .reals = bodies(reals<std::hypot>)},
    {.function = ScalarFunction::copysign,
     .reals = bodies(reals<std::copysign>)},
    {.function = ScalarFunction::nextafter,
     .reals = consts(reals<std::nextafter>)},
    {.function = ScalarFunction::complex, .reals = consts(makeComplex)},
};

llvm::ArrayRef<BinaryRule> binaryRules() { return rules; }

} // namespace kern::compiler
