//===- Powers.cpp - powers ------------------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------===//

#include "dialects/KernToLoop/Emitters.h"

#include "mlir/IR/Matchers.h"

#include <optional>

namespace kern {

using namespace mlir;
using Operands = llvm::ArrayRef<Scalar>;

//===----------------------------------------------------------------------===//
// Integer powers
//===----------------------------------------------------------------------===//

/// A known exponent, multiplied out by squaring; wrapping makes it exact.
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

/// To a negative power: the true quotient, truncated. 0 to it is 0.
static Scalar negativePower(ScalarBuilder &s, Scalar base, Scalar exponent) {
  Scalar zero = s.integer(base.type, 0), one = s.integer(base.type, 1),
         minusOne = s.integer(base.type, -1);
  Scalar odd = s.compare(Relation::NotEqual, s.bitAnd(exponent, one), zero);
  Scalar ofMinusOne = s.select(odd, minusOne, one);
  Scalar others =
      s.select(s.compare(Relation::Equal, base, minusOne), ofMinusOne, zero);
  return s.select(s.compare(Relation::Equal, base, one), one, others);
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
    count = s.select(s.compare(Relation::Less, exponent, zero), zero, exponent);
  Scalars state = s.whileLoop(
      {one, base, count},
      [&](Operands state) {
        return s.compare(Relation::NotEqual, state[2], zero);
      },
      [&](Operands state) -> Scalars {
        Scalar odd =
            s.compare(Relation::NotEqual, s.bitAnd(state[2], one), zero);
        return {s.select(odd, s.mul(state[0], state[1]), state[0]),
                s.mul(state[1], state[1]), s.shiftRight(state[2], one)};
      });
  if (isUnsigned(type))
    return state[0];
  return s.select(s.compare(Relation::Less, exponent, zero),
                  negativePower(s, base, exponent), state[0]);
}

//===----------------------------------------------------------------------===//
// Float powers
//===----------------------------------------------------------------------===//

/// The exponents that NumPy takes a shorter way for, and no others: further
/// multiplying out would round more than once.
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

static Scalars power(ScalarBuilder &s, Operands x) {
  if (!isFloat(x[0].type))
    return {integerPower(s, x[0], x[1])};
  if (std::optional<Scalar> result = shortPower(s, x[0], x[1]))
    return {*result};
  return {s.call("pow", x)};
}

static Scalars floatPower(ScalarBuilder &s, Operands x) {
  return {s.call("pow", x)};
}

void addPowers(EmitterTable &table) {
  table["power"] = {power, {}};
  table["float_power"] = {floatPower, {}};
}

} // namespace kern
