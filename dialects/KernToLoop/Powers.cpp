//===- Powers.cpp - powers ------------------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/KernToLoop/Emitters.h"

#include "mlir/IR/Matchers.h"

#include <limits>
#include <optional>

namespace kern::ir {

using runtime::DType;
using namespace mlir;
using Operands = llvm::ArrayRef<Scalar>;

//===----------------------------------------------------------------------===//
// Integer powers
//===----------------------------------------------------------------------===//

/// A power with a constant exponent, by repeated squaring. It wraps like a
/// product, so it is exact.
static Scalar multiplyOut(ScalarBuilder &s, Scalar base, llvm::APInt exponent) {
  std::optional<Scalar> result;
  while (!exponent.isZero()) {
    if (exponent[0])
      result = result ? s.mul(*result, base) : base;
    exponent.lshrInPlace(1);
    if (!exponent.isZero())
      base = s.mul(base, base);
  }
  return result ? *result : s.integer(base.type, 1);
}

/// A negative power: the exact quotient, truncated. For the base 0 it is 0.
static Scalar negativePower(ScalarBuilder &s, Scalar base, Scalar exponent) {
  Scalar zero = s.integer(base.type, 0), one = s.integer(base.type, 1),
         minusOne = s.integer(base.type, -1);
  Scalar odd =
      s.compare(ComparePredicate::NotEqual, s.bitAnd(exponent, one), zero);
  Scalar ofMinusOne = s.select(odd, minusOne, one);
  Scalar others = s.select(s.compare(ComparePredicate::Equal, base, minusOne),
                           ofMinusOne, zero);
  return s.select(s.compare(ComparePredicate::Equal, base, one), one, others);
}

static Scalar integerPower(ScalarBuilder &s, Scalar base, Scalar exponent) {
  DType type = base.type;
  llvm::APInt known;
  if (matchPattern(exponent.value, m_ConstantInt(&known)) &&
      (isUnsigned(type) || known.isNonNegative()))
    return multiplyOut(s, base, known);

  Scalar zero = s.integer(type, 0), one = s.integer(type, 1);
  Scalar count = exponent;
  if (isSigned(type))
    count = s.select(s.compare(ComparePredicate::Less, exponent, zero), zero,
                     exponent);
  Scalars state = s.whileLoop(
      {one, base, count},
      [&](Operands state) {
        return s.compare(ComparePredicate::NotEqual, state[2], zero);
      },
      [&](Operands state) -> Scalars {
        Scalar odd = s.compare(ComparePredicate::NotEqual,
                               s.bitAnd(state[2], one), zero);
        return {s.select(odd, s.mul(state[0], state[1]), state[0]),
                s.mul(state[1], state[1]), s.shiftRight(state[2], one)};
      });
  if (isUnsigned(type))
    return state[0];
  return s.select(s.compare(ComparePredicate::Less, exponent, zero),
                  negativePower(s, base, exponent), state[0]);
}

//===----------------------------------------------------------------------===//
// Float powers
//===----------------------------------------------------------------------===//

/// NumPy's special cases for constant exponents, and no others. Multiplying out
/// further exponents would round more than once.
static std::optional<Scalar> shortPower(ScalarBuilder &s, Scalar base,
                                        Scalar exponent) {
  llvm::APFloat known(0.0);
  if (!matchPattern(exponent.value, m_ConstantFloat(&known)))
    return std::nullopt;
  if (known.isExactlyValue(2.0))
    return s.mul(base, base);
  if (known.isExactlyValue(0.5))
    return s.sqrt(base);
  if (known.isExactlyValue(1.0))
    return base;
  if (known.isZero())
    return s.number(base.type, 1.0);
  if (known.isExactlyValue(-1.0))
    return s.div(s.number(base.type, 1.0), base);
  return std::nullopt;
}

/// 2^(y log2 |x|), for f32 under `@fastmath`. Special cases are added: 1 for a
/// zero exponent and for |x| = 1, the sign of odd powers, and NaN for a
/// negative number with a fractional exponent. Zeros, infinities and NaN need
/// none.
static Scalar approximatePower(ScalarBuilder &s, Scalar x, Scalar y) {
  Scalar zero = s.number(x.type, 0.0), one = s.number(x.type, 1.0);
  Scalar size = s.abs(x);
  Scalar power = s.call("exp2", {s.mul(y, s.call("log2", {size}))});
  power = s.select(s.compare(ComparePredicate::Equal, size, one), one, power);

  Scalar half = s.mul(y, s.number(x.type, 0.5));
  Scalar isWhole = s.compare(ComparePredicate::Equal, s.trunc(y), y);
  Scalar isEven = s.compare(ComparePredicate::Equal, s.trunc(half), half);
  Scalar infinity = s.number(x.type, std::numeric_limits<double>::infinity());
  Scalar isNumber = s.bitAnd(s.compare(ComparePredicate::Less, x, zero),
                             s.compare(ComparePredicate::Less, size, infinity));
  Scalar nan = s.number(x.type, std::numeric_limits<double>::quiet_NaN());
  Scalar ofNegative = s.select(isWhole, s.select(isEven, power, s.neg(power)),
                               s.select(isNumber, nan, power));
  Scalar isNegative =
      s.compare(ComparePredicate::Less, s.copysign(one, x), zero);
  power = s.select(isNegative, ofNegative, power);
  return s.select(s.compare(ComparePredicate::Equal, y, zero), one, power);
}

static Scalars floatPower(ScalarBuilder &s, Operands x) {
  if (s.isFast && x[0].type == DType::F32)
    return {approximatePower(s, x[0], x[1])};
  return {s.call("pow", x)};
}

static Scalars power(ScalarBuilder &s, Operands x) {
  if (!isFloat(x[0].type))
    return {integerPower(s, x[0], x[1])};
  if (std::optional<Scalar> result = shortPower(s, x[0], x[1]))
    return {*result};
  return floatPower(s, x);
}

void addPowers(EmitterTable &table) {
  table[ScalarFunction::power] = {power, {}};
  table[ScalarFunction::float_power] = {floatPower, {}};
}

} // namespace kern::ir
