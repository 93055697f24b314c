//===- Complex.cpp - arithmetic of complex numbers ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/KernToLoop/Comparison.h"
#include "dialects/KernToLoop/Emitters.h"

#include "mlir/IR/Matchers.h"

#include <limits>
#include <numbers>

namespace kern::ir {

using runtime::DType;
using namespace mlir;
using Operands = llvm::ArrayRef<Scalar>;

namespace {
/// The parts of a complex number. All functions compute with them.
struct Parts {
  Scalar re, im;
};
} // namespace

static Parts parts(ScalarBuilder &s, Scalar x) {
  return {s.real(x), s.imag(x)};
}

static Scalars join(ScalarBuilder &s, Parts x) {
  return {s.complex(x.re, x.im)};
}

//===----------------------------------------------------------------------===//
// Arithmetic, by NumPy's formulas
//===----------------------------------------------------------------------===//

static Scalars add(ScalarBuilder &s, Operands x) {
  Parts a = parts(s, x[0]), b = parts(s, x[1]);
  return join(s, {s.add(a.re, b.re), s.add(a.im, b.im)});
}

static Scalars subtract(ScalarBuilder &s, Operands x) {
  Parts a = parts(s, x[0]), b = parts(s, x[1]);
  return join(s, {s.sub(a.re, b.re), s.sub(a.im, b.im)});
}

static Parts product(ScalarBuilder &s, Parts a, Parts b) {
  return {s.sub(s.mul(a.re, b.re), s.mul(a.im, b.im)),
          s.add(s.mul(a.re, b.im), s.mul(a.im, b.re))};
}

static Scalars multiply(ScalarBuilder &s, Operands x) {
  return join(s, product(s, parts(s, x[0]), parts(s, x[1])));
}

static Scalars square(ScalarBuilder &s, Operands x) {
  return multiply(s, {x[0], x[0]});
}

static Scalars negative(ScalarBuilder &s, Operands x) {
  Parts a = parts(s, x[0]);
  return join(s, {s.neg(a.re), s.neg(a.im)});
}

/// Smith's method: the divisor is scaled by its larger part. For a zero
/// divisor, both parts are divided by zero.
static Scalars trueDivide(ScalarBuilder &s, Operands x) {
  Parts a = parts(s, x[0]), b = parts(s, x[1]);
  DType type = a.re.type;
  Scalar zero = s.number(type, 0.0), one = s.number(type, 1.0);
  Scalar sizeRe = s.abs(b.re), sizeIm = s.abs(b.im);
  Scalar byReal = s.compare(ComparePredicate::GreaterEqual, sizeRe, sizeIm);
  Scalar big = s.select(byReal, b.re, b.im);
  Scalar small = s.select(byReal, b.im, b.re);
  Scalar ratio = s.div(small, big);
  Scalar scale = s.div(one, s.add(big, s.mul(small, ratio)));
  // (re + im·r, im - re·r) if the real part is larger, else
  // (re·r + im, im·r - re).
  Scalar u = s.select(byReal, a.re, a.im), v = s.select(byReal, a.im, a.re);
  Scalar re = s.mul(s.add(u, s.mul(v, ratio)), scale);
  Scalar direct = s.sub(a.im, s.mul(a.re, ratio));
  Scalar crossed = s.sub(s.mul(a.im, ratio), a.re);
  Scalar im = s.mul(s.select(byReal, direct, crossed), scale);
  Scalar byZero = s.bitAnd(s.compare(ComparePredicate::Equal, sizeRe, zero),
                           s.compare(ComparePredicate::Equal, sizeIm, zero));
  return join(s, {s.select(byZero, s.div(a.re, sizeRe), re),
                  s.select(byZero, s.div(a.im, sizeRe), im)});
}

static Scalars reciprocal(ScalarBuilder &s, Operands x) {
  Parts a = parts(s, x[0]);
  Scalar one = s.number(a.re.type, 1.0);
  Scalar byReal =
      s.compare(ComparePredicate::LessEqual, s.abs(a.im), s.abs(a.re));
  Scalar big = s.select(byReal, a.re, a.im);
  Scalar small = s.select(byReal, a.im, a.re);
  Scalar ratio = s.div(small, big);
  Scalar divisor = s.add(big, s.mul(small, ratio));
  Scalar re = s.select(byReal, one, ratio), im = s.select(byReal, ratio, one);
  return join(s, {s.div(re, divisor), s.div(s.neg(im), divisor)});
}

/// NumPy's special cases for constant exponents, else the library's power.
static Scalars power(ScalarBuilder &s, Operands x) {
  Parts exponent = parts(s, x[1]);
  llvm::APFloat re(0.0), im(0.0);
  if (!matchPattern(exponent.re.value, m_ConstantFloat(&re)) ||
      !matchPattern(exponent.im.value, m_ConstantFloat(&im)) || !im.isZero())
    return {s.callComplex("pow", x)};
  if (re.isExactlyValue(2.0))
    return square(s, {x[0]});
  if (re.isExactlyValue(1.0))
    return {x[0]};
  if (re.isExactlyValue(-1.0))
    return reciprocal(s, {x[0]});
  if (re.isZero())
    return {convert(s, s.number(exponent.re.type, 1.0), x[0].type)};
  if (re.isExactlyValue(0.5))
    return {s.callComplex("sqrt", {x[0]})};
  return {s.callComplex("pow", x)};
}

//===----------------------------------------------------------------------===//
// Size and direction
//===----------------------------------------------------------------------===//

static Scalars absolute(ScalarBuilder &s, Operands x) {
  Parts a = parts(s, x[0]);
  return {s.call("hypot", {a.re, a.im})};
}

/// z / |z|, and zero for zero. A single infinite part becomes ±1, and the other
/// part zero. Two infinite parts become NaN.
static Scalars sign(ScalarBuilder &s, Operands x) {
  Parts a = parts(s, x[0]);
  DType type = a.re.type;
  Scalar infinity = s.number(type, std::numeric_limits<double>::infinity());
  Scalar zero = s.number(type, 0.0), one = s.number(type, 1.0);
  Scalar size = s.call("hypot", {a.re, a.im});
  Scalar infinite = s.compare(ComparePredicate::Equal, size, infinity);
  Scalar none = s.compare(ComparePredicate::Equal, size, zero);
  Scalar both =
      s.bitAnd(s.compare(ComparePredicate::Equal, s.abs(a.re), infinity),
               s.compare(ComparePredicate::Equal, s.abs(a.im), infinity));
  Scalar nan = s.number(type, std::numeric_limits<double>::quiet_NaN());
  auto direction = [&](Scalar part) {
    Scalar isInfinite =
        s.compare(ComparePredicate::Equal, s.abs(part), infinity);
    Scalar ofInfinite = s.select(isInfinite, s.copysign(one, part), zero);
    ofInfinite = s.select(both, nan, ofInfinite);
    Scalar result = s.select(none, zero, s.div(part, size));
    result = s.select(s.isNaN(size), nan, result);
    return s.select(infinite, ofInfinite, result);
  };
  Scalar re = direction(a.re);
  return join(s, {re, direction(a.im)});
}

static Scalars angle(ScalarBuilder &s, Operands x) {
  Parts a = parts(s, x[0]);
  return {s.call("atan2", {a.im, a.re})};
}

/// Pi for negative numbers and -0.0, NaN for NaN, else 0.
static Scalars angleOfReal(ScalarBuilder &s, Operands x) {
  DType type = x[0].type;
  Scalar one = s.number(type, 1.0), zero = s.number(type, 0.0);
  Scalar negative =
      s.compare(ComparePredicate::Less, s.copysign(one, x[0]), zero);
  Scalar result = s.select(negative, s.number(type, std::numbers::pi), zero);
  return {s.select(s.isNaN(x[0]), x[0], result)};
}

static Scalars polar(ScalarBuilder &s, Operands x) {
  return {absolute(s, x)[0], angle(s, x)[0]};
}

static Scalars polarOfReal(ScalarBuilder &s, Operands x) {
  return {s.abs(x[0]), angleOfReal(s, x)[0]};
}

/// r·(cos φ + i sin φ), with the special values of Python's cmath.rect. If φ is
/// ±0, the imaginary part is a zero. If φ is infinite or NaN, r = 0 gives 0,
/// and an infinite r gives an infinite real part.
static Scalars rect(ScalarBuilder &s, Operands x) {
  Scalar r = x[0], phi = x[1];
  Scalar zero = s.number(r.type, 0.0), one = s.number(r.type, 1.0);
  Scalar infinity = s.number(r.type, std::numeric_limits<double>::infinity());
  Scalar re = s.mul(r, s.call("cos", {phi}));
  Scalar im = s.mul(r, s.call("sin", {phi}));
  Scalar turned = s.mul(s.copysign(one, r), phi);
  im = s.select(s.compare(ComparePredicate::Equal, phi, zero),
                s.select(s.isNaN(r), zero, turned), im);
  Scalar size = s.abs(r);
  Scalar noAngle = s.isNaN(s.sub(phi, phi));
  Scalar nothing =
      s.bitAnd(noAngle, s.compare(ComparePredicate::Equal, size, zero));
  Scalar endless =
      s.bitAnd(noAngle, s.compare(ComparePredicate::Equal, size, infinity));
  re = s.select(nothing, zero, s.select(endless, infinity, re));
  return {s.complex(re, s.select(nothing, zero, im))};
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

static Scalars takeReal(ScalarBuilder &s, Operands x) { return {s.real(x[0])}; }

static Scalars takeImag(ScalarBuilder &s, Operands x) { return {s.imag(x[0])}; }

static Scalars conjugate(ScalarBuilder &s, Operands x) {
  Parts a = parts(s, x[0]);
  return join(s, {a.re, s.neg(a.im)});
}

static Scalars itself(ScalarBuilder &s, Operands x) { return {x[0]}; }

static Scalars make(ScalarBuilder &s, Operands x) {
  return {s.complex(x[0], x[1])};
}

void addComplex(EmitterTable &table) {
  // Complex code for rows that exist for reals.
  table[ScalarFunction::add].complex = add;
  table[ScalarFunction::subtract].complex = subtract;
  table[ScalarFunction::multiply].complex = multiply;
  table[ScalarFunction::square].complex = square;
  table[ScalarFunction::negative].complex = negative;
  table[ScalarFunction::true_divide].complex = trueDivide;
  table[ScalarFunction::reciprocal].complex = reciprocal;
  table[ScalarFunction::power].complex = power;
  table[ScalarFunction::float_power].complex = power;
  table[ScalarFunction::absolute].complex = absolute;
  table[ScalarFunction::sign].complex = sign;

  table[ScalarFunction::real] = {itself, takeReal, HalfPrecisionRule::Native};
  table[ScalarFunction::imag] = {takeImag, takeImag, HalfPrecisionRule::Native};
  table[ScalarFunction::conjugate] = {itself, conjugate,
                                      HalfPrecisionRule::Native};
  table[ScalarFunction::angle] = {angleOfReal, angle};
  table[ScalarFunction::polar] = {polarOfReal, polar};
  table[ScalarFunction::complex] = {make, {}};
  table[ScalarFunction::rect] = {rect, {}};
}

} // namespace kern::ir
