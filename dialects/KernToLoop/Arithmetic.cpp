//===- Arithmetic.cpp - sums, products, signs -----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/KernToLoop/Emitters.h"

namespace kern::ir {

using runtime::DType;

using Operands = llvm::ArrayRef<Scalar>;

/// For bool, `+` is or.
static Scalars add(ScalarBuilder &s, Operands x) {
  if (x[0].type == DType::Bool)
    return {s.bitOr(x[0], x[1])};
  return {s.add(x[0], x[1])};
}

static Scalars subtract(ScalarBuilder &s, Operands x) {
  return {s.sub(x[0], x[1])};
}

static Scalars multiply(ScalarBuilder &s, Operands x) {
  if (x[0].type == DType::Bool)
    return {s.bitAnd(x[0], x[1])};
  return {s.mul(x[0], x[1])};
}

static Scalars square(ScalarBuilder &s, Operands x) {
  return {s.mul(x[0], x[0])};
}

static Scalars negative(ScalarBuilder &s, Operands x) { return {s.neg(x[0])}; }

static Scalars positive(ScalarBuilder &s, Operands x) { return {x[0]}; }

/// The absolute value of the smallest integer wraps to itself.
static Scalars absolute(ScalarBuilder &s, Operands x) {
  if (isFloat(x[0].type))
    return {s.abs(x[0])};
  if (!isSigned(x[0].type))
    return {x[0]};
  Scalar negative =
      s.compare(ComparePredicate::Less, x[0], s.integer(x[0].type, 0));
  return {s.select(negative, s.neg(x[0]), x[0])};
}

/// 1, -1 or 0 (for -0.0 too). NaN gives NaN.
static Scalars sign(ScalarBuilder &s, Operands x) {
  DType type = x[0].type;
  Scalar zero = s.integer(type, 0), one = s.integer(type, 1);
  Scalar positive = s.compare(ComparePredicate::Greater, x[0], zero);
  if (isUnsigned(type))
    return {s.select(positive, one, zero)};
  Scalar rest = zero;
  if (isFloat(type))
    rest = s.select(s.isNaN(x[0]), x[0], zero);
  Scalar negative = s.compare(ComparePredicate::Less, x[0], zero);
  rest = s.select(negative, s.integer(type, -1), rest);
  return {s.select(positive, one, rest)};
}

static bool hasFma(const ScalarBuilder &s, DType type) {
  return type == DType::F16    ? s.fmaOfHalves.f16
         : type == DType::BF16 ? s.fmaOfHalves.bf16
                               : true;
}

/// Of halves that the target has no fma for the product is exact in f64. The
/// sum is rounded to odd in f64, so that only the rounding to the half counts.
static Scalars fma(ScalarBuilder &s, Operands x) {
  if (hasFma(s, x[0].type))
    return {s.intrinsic("llvm.fma", x, x[0].type)};
  Scalar a = convert(s, x[0], DType::F64), b = convert(s, x[1], DType::F64),
         c = convert(s, x[2], DType::F64);
  Scalar product = s.mul(a, b), sum = s.add(product, c);
  // Knuth's two-sum: the exact error of `sum`.
  Scalar part = s.sub(sum, product);
  Scalar error = s.add(s.sub(product, s.sub(sum, part)), s.sub(c, part));
  Scalar zero = s.number(DType::F64, 0.0), bits = s.bits(sum);
  Scalar one = s.integer(DType::U64, 1), none = s.integer(DType::U64, 0);
  Scalar positive = s.compare(ComparePredicate::Greater, error, zero);
  Scalar negative = s.compare(ComparePredicate::Less, error, zero);
  Scalar inexact = s.bitOr(positive, negative);
  Scalar even = s.compare(ComparePredicate::Equal, s.bitAnd(bits, one), none);
  // Move towards the error: to a larger magnitude if the signs agree.
  Scalar outward = s.compare(ComparePredicate::Equal, positive,
                             s.compare(ComparePredicate::Greater, sum, zero));
  Scalar moved = s.select(outward, s.add(bits, one), s.sub(bits, one));
  Scalar odd = s.select(s.bitAnd(inexact, even), moved, bits);
  return {convert(s, s.fromBits(odd, DType::F64), x[0].type)};
}

void addArithmetic(EmitterTable &table) {
  table[ScalarFunction::add] = {add, {}};
  table[ScalarFunction::subtract] = {subtract, {}};
  table[ScalarFunction::multiply] = {multiply, {}};
  table[ScalarFunction::square] = {square, {}};
  table[ScalarFunction::negative] = {negative, {}};
  table[ScalarFunction::positive] = {positive, positive,
                                     HalfPrecisionRule::Native};
  table[ScalarFunction::absolute] = {absolute, {}};
  table[ScalarFunction::fabs] = {absolute, {}};
  table[ScalarFunction::sign] = {sign, {}};
  table[ScalarFunction::fma] = {fma, {}, HalfPrecisionRule::Native};
}

} // namespace kern::ir
