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
  return ofIntegers("subtract", Integer(0), x);
}
static Folded inverted(const Integer &x) {
  return ofIntegers("subtract", Integer(-1), x);
}
static Folded magnitude(const Integer &x) {
  return x.isNegative() ? negated(x) : same(x);
}
static Folded sign(const Integer &x) {
  return Constant{Integer(x.isNegative() ? -1 : !x.isZero())};
}
static Folded squared(const Integer &x) { return ofIntegers("multiply", x, x); }
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
    {.name = "logical_not",
     .truths = bodies(+[](bool x) -> Folded { return Constant{!x}; })},
    {.name = "positive",
     .integers = bodies(same),
     .reals = bodies(sameReal),
     .complexes = consts(number<sameComplex>)},
    {.name = "negative",
     .integers = bodies(negated),
     .reals = bodies(real<negatedReal>),
     .complexes = bodies(number<negatedComplex>)},
    {.name = "absolute",
     .integers = bodies(magnitude),
     .reals = bodies(real<std::fabs>),
     .complexes = consts(measure<std::abs<double>>)},
    {.name = "invert", .integers = bodies(inverted)},
    {.name = "fabs", .reals = bodies(real<std::fabs>)},
    {.name = "sign", .integers = consts(sign), .reals = consts(real<signOf>)},
    {.name = "square",
     .integers = consts(squared),
     .reals = consts(real<squareOf>),
     .complexes = consts(number<squareOfComplex>)},
    {.name = "reciprocal",
     .integers = consts(nothing), // for integers it is 0 or 1
     .reals = consts(real<reciprocalOf>)},
    // Rounding.
    {.name = "floor",
     .integers = consts(same),
     .reals = consts(real<std::floor>)},
    {.name = "ceil",
     .integers = consts(same),
     .reals = consts(real<std::ceil>)},
    {.name = "trunc",
     .integers = consts(same),
     .reals = consts(real<std::trunc>)},
    {.name = "round",
     .integers = consts(same),
     .reals = consts(real<std::nearbyint>)},
    {.name = "rint", .reals = consts(real<std::nearbyint>)},
    // Powers and logarithms.
    {.name = "sqrt",
     .reals = bodies(real<std::sqrt>),
     .complexes = consts(number<std::sqrt<double>>)},
    {.name = "cbrt", .reals = bodies(real<std::cbrt>)},
    {.name = "exp",
     .reals = bodies(real<std::exp>),
     .complexes = consts(number<std::exp<double>>)},
    {.name = "exp2", .reals = bodies(real<std::exp2>)},
    {.name = "expm1", .reals = bodies(real<std::expm1>)},
    {.name = "log",
     .reals = bodies(real<std::log>),
     .complexes = consts(number<std::log<double>>)},
    {.name = "log2", .reals = bodies(real<std::log2>)},
    {.name = "log10", .reals = bodies(real<std::log10>)},
    {.name = "log1p", .reals = bodies(real<std::log1p>)},
    // Trigonometry.
    {.name = "sin",
     .reals = bodies(real<std::sin>),
     .complexes = consts(number<std::sin<double>>)},
    {.name = "cos",
     .reals = bodies(real<std::cos>),
     .complexes = consts(number<std::cos<double>>)},
    {.name = "tan",
     .reals = bodies(real<std::tan>),
     .complexes = consts(number<std::tan<double>>)},
    {.name = "arcsin", .reals = bodies(real<std::asin>)},
    {.name = "arccos", .reals = bodies(real<std::acos>)},
    {.name = "arctan", .reals = bodies(real<std::atan>)},
    {.name = "sinh",
     .reals = bodies(real<std::sinh>),
     .complexes = consts(number<std::sinh<double>>)},
    {.name = "cosh",
     .reals = bodies(real<std::cosh>),
     .complexes = consts(number<std::cosh<double>>)},
    {.name = "tanh",
     .reals = bodies(real<std::tanh>),
     .complexes = consts(number<std::tanh<double>>)},
    {.name = "arcsinh", .reals = consts(real<std::asinh>)},
    {.name = "arccosh", .reals = consts(real<std::acosh>)},
    {.name = "arctanh", .reals = consts(real<std::atanh>)},
    {.name = "deg2rad", .reals = consts(real<inRadians>)},
    {.name = "rad2deg", .reals = consts(real<inDegrees>)},
    // Special functions.
    {.name = "erf", .reals = consts(real<std::erf>)},
    {.name = "erfc", .reals = consts(real<std::erfc>)},
    {.name = "gamma", .reals = consts(real<std::tgamma>)},
    {.name = "lgamma", .reals = consts(real<std::lgamma>)},
    // Complex numbers.
    {.name = "real",
     .integers = consts(same),
     .reals = consts(sameReal),
     .complexes = consts(measure<realPart>)},
    {.name = "imag",
     .integers = consts(zero),
     .reals = consts(real<noImaginaryPart>),
     .complexes = consts(measure<imaginaryPart>)},
    {.name = "conjugate",
     .integers = consts(same),
     .reals = consts(sameReal),
     .complexes = consts(number<std::conj<double>>)},
    {.name = "angle",
     .reals = consts(real<angleOf>),
     .complexes = consts(measure<std::arg<double>>)},
    // Tests.
    {.name = "isnan", .reals = consts(holds<std::isnan>)},
    {.name = "isinf", .reals = consts(holds<std::isinf>)},
    {.name = "isfinite", .reals = consts(holds<std::isfinite>)},
    {.name = "signbit", .reals = consts(holds<std::signbit>)},
};

llvm::ArrayRef<UnaryRule> unaryRules() { return rules; }

} // namespace kern::compiler
