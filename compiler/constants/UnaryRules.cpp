//===- UnaryRules.cpp - functions of one constant -------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/constants/ConstantRules.h"

#include <cmath>
#include <numbers>

namespace kern::compiler {

using Complex = std::complex<double>;
using ir::ScalarFunction;

namespace {

template <double (*function)(double)> Folded real(double x) {
  return Constant{function(x)};
}
template <bool (*test)(double)> Folded holds(double x) {
  return Constant{test(x)};
}
template <Complex (*function)(const Complex &)> Folded number(Complex z) {
  return Constant{function(z)};
}
template <double (*part)(const Complex &)> Folded measure(Complex z) {
  return Constant{part(z)};
}

} // namespace

static Folded same(const Integer &x) { return Constant{x}; }
static Folded sameReal(double x) { return Constant{x}; }

static Folded negated(const Integer &x) {
  return ofIntegers(ScalarFunction::subtract, Integer(0), x);
}
static Folded inverted(const Integer &x) {
  return ofIntegers(ScalarFunction::subtract, Integer(-1), x);
}
static Folded magnitude(const Integer &x) {
  return x.isNegative() ? negated(x) : same(x);
}
static Folded sign(const Integer &x) {
  return Constant{Integer(x.isNegative() ? -1 : !x.isZero())};
}
static Folded squared(const Integer &x) {
  return ofIntegers(ScalarFunction::multiply, x, x);
}
static Folded nothing(const Integer &) { return Folded::Left; }
static Folded zero(const Integer &) { return Constant{Integer(0)}; }

static double negatedReal(double x) { return -x; }
static double signOf(double x) {
  return std::isnan(x) ? x : x > 0 ? 1 : x < 0 ? -1 : 0;
}
static double squareOf(double x) { return x * x; }
static double reciprocalOf(double x) { return 1 / x; }
static double inRadians(double x) { return x * (std::numbers::pi / 180); }
static double inDegrees(double x) { return x * (180 / std::numbers::pi); }
static double angleOf(double x) { return std::arg(Complex(x)); }
static double noImaginaryPart(double) { return 0; }

static Complex negatedComplex(const Complex &z) { return -z; }
static Complex sameComplex(const Complex &z) { return z; }
static Complex squareOfComplex(const Complex &z) { return z * z; }
static double realPart(const Complex &z) { return z.real(); }
static double imaginaryPart(const Complex &z) { return z.imag(); }

static const UnaryRule rules[] = {
    {.function = ScalarFunction::logical_not,
     .truths = bodies(+[](bool x) -> Folded { return Constant{!x}; })},
    {.function = ScalarFunction::positive,
     .integers = bodies(same),
     .reals = bodies(sameReal),
     .complexes = consts(number<sameComplex>)},
    {.function = ScalarFunction::negative,
     .integers = bodies(negated),
     .reals = bodies(real<negatedReal>),
     .complexes = bodies(number<negatedComplex>)},
    {.function = ScalarFunction::absolute,
     .integers = bodies(magnitude),
     .reals = bodies(real<std::fabs>),
     .complexes = consts(measure<std::abs<double>>)},
    {.function = ScalarFunction::invert, .integers = bodies(inverted)},
    {.function = ScalarFunction::fabs, .reals = bodies(real<std::fabs>)},
    {.function = ScalarFunction::sign,
     .integers = consts(sign),
     .reals = consts(real<signOf>)},
    {.function = ScalarFunction::square,
     .integers = consts(squared),
     .reals = consts(real<squareOf>),
     .complexes = consts(number<squareOfComplex>)},
    {.function = ScalarFunction::reciprocal,
     .integers = consts(nothing), // for integers it is 0 or 1
     .reals = consts(real<reciprocalOf>)},
    // Rounding.
    {.function = ScalarFunction::floor,
     .integers = consts(same),
     .reals = consts(real<std::floor>)},
    {.function = ScalarFunction::ceil,
     .integers = consts(same),
     .reals = consts(real<std::ceil>)},
    {.function = ScalarFunction::trunc,
     .integers = consts(same),
     .reals = consts(real<std::trunc>)},
    {.function = ScalarFunction::round,
     .integers = consts(same),
     .reals = consts(real<std::nearbyint>)},
    {.function = ScalarFunction::rint, .reals = consts(real<std::nearbyint>)},
    // Powers and logarithms.
    {.function = ScalarFunction::sqrt,
     .reals = bodies(real<std::sqrt>),
     .complexes = consts(number<std::sqrt<double>>)},
    {.function = ScalarFunction::cbrt, .reals = bodies(real<std::cbrt>)},
    {.function = ScalarFunction::exp,
     .reals = bodies(real<std::exp>),
     .complexes = consts(number<std::exp<double>>)},
    {.function = ScalarFunction::exp2, .reals = bodies(real<std::exp2>)},
    {.function = ScalarFunction::expm1, .reals = bodies(real<std::expm1>)},
    {.function = ScalarFunction::log,
     .reals = bodies(real<std::log>),
     .complexes = consts(number<std::log<double>>)},
    {.function = ScalarFunction::log2, .reals = bodies(real<std::log2>)},
    {.function = ScalarFunction::log10, .reals = bodies(real<std::log10>)},
    {.function = ScalarFunction::log1p, .reals = bodies(real<std::log1p>)},
    // Trigonometry.
    {.function = ScalarFunction::sin,
     .reals = bodies(real<std::sin>),
     .complexes = consts(number<std::sin<double>>)},
    {.function = ScalarFunction::cos,
     .reals = bodies(real<std::cos>),
     .complexes = consts(number<std::cos<double>>)},
    {.function = ScalarFunction::tan,
     .reals = bodies(real<std::tan>),
     .complexes = consts(number<std::tan<double>>)},
    {.function = ScalarFunction::arcsin, .reals = bodies(real<std::asin>)},
    {.function = ScalarFunction::arccos, .reals = bodies(real<std::acos>)},
    {.function = ScalarFunction::arctan, .reals = bodies(real<std::atan>)},
    {.function = ScalarFunction::sinh,
     .reals = bodies(real<std::sinh>),
     .complexes = consts(number<std::sinh<double>>)},
    {.function = ScalarFunction::cosh,
     .reals = bodies(real<std::cosh>),
     .complexes = consts(number<std::cosh<double>>)},
    {.function = ScalarFunction::tanh,
     .reals = bodies(real<std::tanh>),
     .complexes = consts(number<std::tanh<double>>)},
    {.function = ScalarFunction::arcsinh, .reals = consts(real<std::asinh>)},
    {.function = ScalarFunction::arccosh, .reals = consts(real<std::acosh>)},
    {.function = ScalarFunction::arctanh, .reals = consts(real<std::atanh>)},
    {.function = ScalarFunction::deg2rad, .reals = consts(real<inRadians>)},
    {.function = ScalarFunction::rad2deg, .reals = consts(real<inDegrees>)},
    // Special functions.
    {.function = ScalarFunction::erf, .reals = consts(real<std::erf>)},
    {.function = ScalarFunction::erfc, .reals = consts(real<std::erfc>)},
    {.function = ScalarFunction::gamma, .reals = consts(real<std::tgamma>)},
    {.function = ScalarFunction::lgamma, .reals = consts(real<std::lgamma>)},
    // Complex numbers.
    {.function = ScalarFunction::real,
     .integers = consts(same),
     .reals = consts(sameReal),
     .complexes = consts(measure<realPart>)},
    {.function = ScalarFunction::imag,
     .integers = consts(zero),
     .reals = consts(real<noImaginaryPart>),
     .complexes = consts(measure<imaginaryPart>)},
    {.function = ScalarFunction::conjugate,
     .integers = consts(same),
     .reals = consts(sameReal),
     .complexes = consts(number<std::conj<double>>)},
    {.function = ScalarFunction::angle,
     .reals = consts(real<angleOf>),
     .complexes = consts(measure<std::arg<double>>)},
    // Tests.
    {.function = ScalarFunction::isnan, .reals = consts(holds<std::isnan>)},
    {.function = ScalarFunction::isinf, .reals = consts(holds<std::isinf>)},
    {.function = ScalarFunction::isfinite,
     .reals = consts(holds<std::isfinite>)},
    {.function = ScalarFunction::signbit, .reals = consts(holds<std::signbit>)},
};

llvm::ArrayRef<UnaryRule> unaryRules() { return rules; }

} // namespace kern::compiler
