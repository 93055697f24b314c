//===- Comparison.cpp - comparison and truth ------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------===//

#include "dialects/KernToLoop/Comparison.h"

#include "dialects/KernToLoop/Emitters.h"

#include <limits>

namespace kern {

using Operands = llvm::ArrayRef<Scalar>;

static DType signedOfWidth(unsigned width) {
  return width <= 8    ? DType::I8
         : width <= 16 ? DType::I16
         : width <= 32 ? DType::I32
                       : DType::I64;
}

static Relation mirrored(Relation relation) {
  switch (relation) {
  case Relation::Less:
    return Relation::Greater;
  case Relation::LessEqual:
    return Relation::GreaterEqual;
  case Relation::Greater:
    return Relation::Less;
  case Relation::GreaterEqual:
    return Relation::LessEqual;
  default:
    return relation;
  }
}

/// i64 or narrower against u64, which no type holds both of: a negative number
/// is below every unsigned one.
static Scalar compareToU64(ScalarBuilder &s, Relation relation, Scalar a,
                           Scalar b) {
  Scalar wide = convert(s, a, DType::I64);
  Scalar negative = s.compare(Relation::Less, wide, s.integer(DType::I64, 0));
  Scalar byBits = s.compare(relation, {wide.value, DType::U64}, b);
  bool ofNegative = relation == Relation::Less ||
                    relation == Relation::LessEqual ||
                    relation == Relation::NotEqual;
  return s.select(negative, s.boolean(ofNegative), byBits);
}

static Scalar compareIntegers(ScalarBuilder &s, Relation relation, Scalar a,
                              Scalar b) {
  unsigned width = std::max(bitWidth(a.type), bitWidth(b.type));
  if (isSigned(a.type) == isSigned(b.type)) {
    DType type = bitWidth(a.type) == width ? a.type : b.type;
    return s.compare(relation, convert(s, a, type), convert(s, b, type));
  }
  if (isUnsigned(a.type))
    return compareIntegers(s, mirrored(relation), b, a);
  if (bitWidth(b.type) == 64)
    return compareToU64(s, relation, a, b);
  // The first signed type that holds both.
  DType type = signedOfWidth(std::max(bitWidth(a.type), 2 * bitWidth(b.type)));
  return s.compare(relation, convert(s, a, type), convert(s, b, type));
}

static Scalar compareComplex(ScalarBuilder &s, Relation relation, Scalar a,
                             Scalar b) {
  Scalar ar = s.real(a), ai = s.imag(a), br = s.real(b), bi = s.imag(b);
  if (relation == Relation::Equal)
    return s.bitAnd(s.compare(relation, ar, br), s.compare(relation, ai, bi));
  if (relation == Relation::NotEqual)
    return s.bitOr(s.compare(relation, ar, br), s.compare(relation, ai, bi));
  bool less = relation == Relation::Less || relation == Relation::LessEqual;
  Scalar byReal = s.compare(less ? Relation::Less : Relation::Greater, ar, br);
  Scalar unordered = s.bitOr(s.isNaN(ai), s.isNaN(bi));
  byReal = s.bitAnd(byReal, s.invert(unordered));
  Scalar byImag =
      s.bitAnd(s.compare(Relation::Equal, ar, br), s.compare(relation, ai, bi));
  return s.bitOr(byReal, byImag);
}

Scalar compareByValue(ScalarBuilder &s, Relation relation, Scalar a, Scalar b) {
  if (isInteger(a.type) && isInteger(b.type))
    return compareIntegers(s, relation, a, b);
  if (isComplex(a.type))
    return compareComplex(s, relation, a, b);
  return s.compare(relation, widenHalf(s, a), widenHalf(s, b));
}

Scalar hasNaN(ScalarBuilder &s, Scalar x) {
  if (isComplex(x.type))
    return s.bitOr(s.isNaN(s.real(x)), s.isNaN(s.imag(x)));
  return isFloat(x.type) ? s.isNaN(widenHalf(s, x)) : s.boolean(false);
}

//===----------------------------------------------------------------------===//
// Predicates
//===----------------------------------------------------------------------===//

static Scalar magnitudeAgainstInfinity(ScalarBuilder &s, Relation relation,
                                       Scalar x) {
  return s.compare(relation, s.abs(x),
                   s.number(x.type, std::numeric_limits<double>::infinity()));
}

static Scalars isNan(ScalarBuilder &s, Operands x) { return {hasNaN(s, x[0])}; }

static Scalars isInfinite(ScalarBuilder &s, Operands x) {
  if (isComplex(x[0].type))
    return {s.bitOr(isInfinite(s, {s.real(x[0])})[0],
                    isInfinite(s, {s.imag(x[0])})[0])};
  if (!isFloat(x[0].type))
    return {s.boolean(false)};
  return {magnitudeAgainstInfinity(s, Relation::Equal, x[0])};
}

static Scalars isFinite(ScalarBuilder &s, Operands x) {
  if (isComplex(x[0].type))
    return {s.bitAnd(isFinite(s, {s.real(x[0])})[0],
                     isFinite(s, {s.imag(x[0])})[0])};
  if (!isFloat(x[0].type))
    return {s.boolean(true)};
  return {magnitudeAgainstInfinity(s, Relation::Less, x[0])};
}

static Scalars signBit(ScalarBuilder &s, Operands x) {
  Scalar bits = s.bits(x[0]);
  DType type = signedOfWidth(bitWidth(bits.type));
  return {s.compare(Relation::Less, {bits.value, type}, s.integer(type, 0))};
}

static Scalars logicalNot(ScalarBuilder &s, Operands x) {
  return {s.invert(truth(s, x[0]))};
}

void addComparison(EmitterTable &table) {
  auto relation = [&](ScalarFunction function, Relation relation) {
    Emit emit = [relation](ScalarBuilder &s, Operands x) -> Scalars {
      return {compareByValue(s, relation, x[0], x[1])};
    };
    table[function] = {emit, emit};
  };
  relation(ScalarFunction::less, Relation::Less);
  relation(ScalarFunction::less_equal, Relation::LessEqual);
  relation(ScalarFunction::greater, Relation::Greater);
  relation(ScalarFunction::greater_equal, Relation::GreaterEqual);
  relation(ScalarFunction::equal, Relation::Equal);
  relation(ScalarFunction::not_equal, Relation::NotEqual);

  auto logical = [&](ScalarFunction function,
                     Scalar (ScalarBuilder::*combine)(Scalar, Scalar)) {
    Emit emit = [combine](ScalarBuilder &s, Operands x) -> Scalars {
      Scalar a = truth(s, x[0]), b = truth(s, x[1]);
      return {(s.*combine)(a, b)};
    };
    table[function] = {emit, emit};
  };
  logical(ScalarFunction::logical_and, &ScalarBuilder::bitAnd);
  logical(ScalarFunction::logical_or, &ScalarBuilder::bitOr);
  logical(ScalarFunction::logical_xor, &ScalarBuilder::bitXor);
  table[ScalarFunction::logical_not] = {logicalNot, logicalNot};

  table[ScalarFunction::isnan] = {isNan, isNan};
  table[ScalarFunction::isinf] = {isInfinite, isInfinite};
  table[ScalarFunction::isfinite] = {isFinite, isFinite};
  table[ScalarFunction::signbit] = {signBit, {}, Halves::Native};
}

} // namespace kern
