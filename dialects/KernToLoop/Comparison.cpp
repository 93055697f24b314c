//===- Comparison.cpp - comparison and truth ------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/KernToLoop/Comparison.h"

#include "dialects/KernToLoop/Emitters.h"

#include <limits>

namespace kern::ir {

using runtime::DType;

using Operands = llvm::ArrayRef<Scalar>;

static DType signedOfWidth(unsigned width) {
  return width <= 8    ? DType::I8
         : width <= 16 ? DType::I16
         : width <= 32 ? DType::I32
                       : DType::I64;
}

static ComparePredicate mirrored(ComparePredicate predicate) {
  switch (predicate) {
  case ComparePredicate::Less:
    return ComparePredicate::Greater;
  case ComparePredicate::LessEqual:
    return ComparePredicate::GreaterEqual;
  case ComparePredicate::Greater:
    return ComparePredicate::Less;
  case ComparePredicate::GreaterEqual:
    return ComparePredicate::LessEqual;
  default:
    return predicate;
  }
}

/// Compares i64 or narrower with u64. No integer type represents both. A
/// negative number is less than every unsigned one.
static Scalar compareToU64(ScalarBuilder &s, ComparePredicate predicate,
                           Scalar a, Scalar b) {
  Scalar wide = convert(s, a, DType::I64);
  Scalar negative =
      s.compare(ComparePredicate::Less, wide, s.integer(DType::I64, 0));
  Scalar byBits = s.compare(predicate, {wide.value, DType::U64}, b);
  bool ofNegative = predicate == ComparePredicate::Less ||
                    predicate == ComparePredicate::LessEqual ||
                    predicate == ComparePredicate::NotEqual;
  return s.select(negative, s.boolean(ofNegative), byBits);
}

static Scalar compareIntegers(ScalarBuilder &s, ComparePredicate predicate,
                              Scalar a, Scalar b) {
  unsigned width = std::max(bitWidth(a.type), bitWidth(b.type));
  if (isSigned(a.type) == isSigned(b.type)) {
    DType type = bitWidth(a.type) == width ? a.type : b.type;
    return s.compare(predicate, convert(s, a, type), convert(s, b, type));
  }
  if (isUnsigned(a.type))
    return compareIntegers(s, mirrored(predicate), b, a);
  if (bitWidth(b.type) == 64)
    return compareToU64(s, predicate, a, b);
  // The narrowest signed type that represents both.
  DType type = signedOfWidth(std::max(bitWidth(a.type), 2 * bitWidth(b.type)));
  return s.compare(predicate, convert(s, a, type), convert(s, b, type));
}

static Scalar compareComplex(ScalarBuilder &s, ComparePredicate predicate,
                             Scalar a, Scalar b) {
  Scalar ar = s.real(a), ai = s.imag(a), br = s.real(b), bi = s.imag(b);
  if (predicate == ComparePredicate::Equal)
    return s.bitAnd(s.compare(predicate, ar, br), s.compare(predicate, ai, bi));
  if (predicate == ComparePredicate::NotEqual)
    return s.bitOr(s.compare(predicate, ar, br), s.compare(predicate, ai, bi));
  bool less = predicate == ComparePredicate::Less ||
              predicate == ComparePredicate::LessEqual;
  Scalar byReal = s.compare(
      less ? ComparePredicate::Less : ComparePredicate::Greater, ar, br);
  Scalar unordered = s.bitOr(s.isNaN(ai), s.isNaN(bi));
  byReal = s.bitAnd(byReal, s.invert(unordered));
  Scalar byImag = s.bitAnd(s.compare(ComparePredicate::Equal, ar, br),
                           s.compare(predicate, ai, bi));
  return s.bitOr(byReal, byImag);
}

Scalar compareByValue(ScalarBuilder &s, ComparePredicate predicate, Scalar a,
                      Scalar b) {
  if (isInteger(a.type) && isInteger(b.type))
    return compareIntegers(s, predicate, a, b);
  if (isComplex(a.type))
    return compareComplex(s, predicate, a, b);
  return s.compare(predicate, widenHalf(s, a), widenHalf(s, b));
}

Scalar hasNaN(ScalarBuilder &s, Scalar x) {
  if (isComplex(x.type))
    return s.bitOr(s.isNaN(s.real(x)), s.isNaN(s.imag(x)));
  return isFloat(x.type) ? s.isNaN(widenHalf(s, x)) : s.boolean(false);
}

//===----------------------------------------------------------------------===//
// Predicates
//===----------------------------------------------------------------------===//

static Scalar magnitudeAgainstInfinity(ScalarBuilder &s,
                                       ComparePredicate predicate, Scalar x) {
  return s.compare(predicate, s.abs(x),
                   s.number(x.type, std::numeric_limits<double>::infinity()));
}

static Scalars isNan(ScalarBuilder &s, Operands x) { return {hasNaN(s, x[0])}; }

static Scalars isInfinite(ScalarBuilder &s, Operands x) {
  if (isComplex(x[0].type))
    return {s.bitOr(isInfinite(s, {s.real(x[0])})[0],
                    isInfinite(s, {s.imag(x[0])})[0])};
  if (!isFloat(x[0].type))
    return {s.boolean(false)};
  return {magnitudeAgainstInfinity(s, ComparePredicate::Equal, x[0])};
}

static Scalars isFinite(ScalarBuilder &s, Operands x) {
  if (isComplex(x[0].type))
    return {s.bitAnd(isFinite(s, {s.real(x[0])})[0],
                     isFinite(s, {s.imag(x[0])})[0])};
  if (!isFloat(x[0].type))
    return {s.boolean(true)};
  return {magnitudeAgainstInfinity(s, ComparePredicate::Less, x[0])};
}

static Scalars signBit(ScalarBuilder &s, Operands x) {
  Scalar bits = s.bits(x[0]);
  DType type = signedOfWidth(bitWidth(bits.type));
  return {s.compare(ComparePredicate::Less, {bits.value, type},
                    s.integer(type, 0))};
}

static Scalars logicalNot(ScalarBuilder &s, Operands x) {
  return {s.invert(truth(s, x[0]))};
}

void addComparison(EmitterTable &table) {
  auto predicate = [&](ScalarFunction function, ComparePredicate predicate) {
    Emit emit = [predicate](ScalarBuilder &s, Operands x) -> Scalars {
      return {compareByValue(s, predicate, x[0], x[1])};
    };
    table[function] = {emit, emit};
  };
  predicate(ScalarFunction::less, ComparePredicate::Less);
  predicate(ScalarFunction::less_equal, ComparePredicate::LessEqual);
  predicate(ScalarFunction::greater, ComparePredicate::Greater);
  predicate(ScalarFunction::greater_equal, ComparePredicate::GreaterEqual);
  predicate(ScalarFunction::equal, ComparePredicate::Equal);
  predicate(ScalarFunction::not_equal, ComparePredicate::NotEqual);

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
  table[ScalarFunction::signbit] = {signBit, {}, HalfPrecisionRule::Native};
}

} // namespace kern::ir
