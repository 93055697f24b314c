//===- Division.cpp - quotients and remainders ----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/KernToLoop/Emitters.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace kern::ir {

using runtime::DType;
using namespace mlir;
using Operands = llvm::ArrayRef<Scalar>;

template <typename Op>
static Scalar divide(ScalarBuilder &s, Scalar a, Scalar b) {
  return {s.builder.createOrFold<Op>(s.location, a.value, b.value), a.type};
}

QuotientAndRemainder truncatedDivision(ScalarBuilder &s, Scalar a, Scalar b) {
  DType type = a.type;
  Scalar zero = s.integer(type, 0), one = s.integer(type, 1);
  Scalar byZero = s.compare(ComparePredicate::Equal, b, zero);
  if (isUnsigned(type)) {
    Scalar divisor = s.select(byZero, one, b);
    return {s.select(byZero, zero, divide<arith::DivUIOp>(s, a, divisor)),
            s.select(byZero, zero, divide<arith::RemUIOp>(s, a, divisor))};
  }
  // A quotient by -1 is the negative, which wraps. Dividing by 1 instead gives
  // the right remainder, 0.
  Scalar byMinusOne =
      s.compare(ComparePredicate::Equal, b, s.integer(type, -1));
  Scalar divisor = s.select(s.bitOr(byZero, byMinusOne), one, b);
  Scalar quotient = divide<arith::DivSIOp>(s, a, divisor);
  Scalar remainder = divide<arith::RemSIOp>(s, a, divisor);
  quotient = s.select(byMinusOne, s.neg(a), quotient);
  return {s.select(byZero, zero, quotient), remainder};
}

//===----------------------------------------------------------------------===//
// Floor division
//===----------------------------------------------------------------------===//

static QuotientAndRemainder floorInteger(ScalarBuilder &s, Scalar a, Scalar b) {
  auto [quotient, remainder] = truncatedDivision(s, a, b);
  if (isUnsigned(a.type))
    return {quotient, remainder};
  Scalar zero = s.integer(a.type, 0), one = s.integer(a.type, 1);
  Scalar inexact = s.compare(ComparePredicate::NotEqual, remainder, zero);
  Scalar signsDiffer =
      s.compare(ComparePredicate::Less, s.bitXor(remainder, b), zero);
  Scalar adjust = s.bitAnd(inexact, signsDiffer);
  return {s.select(adjust, s.sub(quotient, one), quotient),
          s.select(adjust, s.add(remainder, b), remainder)};
}

static Scalars floorDivide(ScalarBuilder &s, Operands x) {
  if (isFloat(x[0].type))
    return {s.call("floor_divide", x)};
  return {floorInteger(s, x[0], x[1]).quotient};
}

static Scalars remainder(ScalarBuilder &s, Operands x) {
  if (isFloat(x[0].type))
    return {s.call("remainder", x)};
  return {floorInteger(s, x[0], x[1]).remainder};
}

static Scalars divmod(ScalarBuilder &s, Operands x) {
  if (isFloat(x[0].type))
    return {s.call("floor_divide", x), s.call("remainder", x)};
  auto [quotient, remainder] = floorInteger(s, x[0], x[1]);
  return {quotient, remainder};
}

//===----------------------------------------------------------------------===//
// Other division
//===----------------------------------------------------------------------===//

/// As in C, the remainder has the dividend's sign.
static Scalars fmod(ScalarBuilder &s, Operands x) {
  if (isFloat(x[0].type))
    return {s.call("fmod", x)};
  return {truncatedDivision(s, x[0], x[1]).remainder};
}

static Scalars trueDivide(ScalarBuilder &s, Operands x) {
  return {s.div(x[0], x[1])};
}

static Scalars reciprocal(ScalarBuilder &s, Operands x) {
  Scalar one = s.integer(x[0].type, 1);
  if (isFloat(x[0].type))
    return {s.div(one, x[0])};
  return {truncatedDivision(s, one, x[0]).quotient};
}

void addDivision(EmitterTable &table) {
  table[ScalarFunction::true_divide] = {trueDivide, {}};
  table[ScalarFunction::floor_divide] = {floorDivide, {}};
  table[ScalarFunction::remainder] = {remainder, {}};
  table[ScalarFunction::divmod] = {divmod, {}};
  table[ScalarFunction::fmod] = {fmod, {}};
  table[ScalarFunction::reciprocal] = {reciprocal, {}};
}

} // namespace kern::ir
