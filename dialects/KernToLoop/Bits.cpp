//===- Bits.cpp - bitwise functions, and divisors of integers -------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/KernToLoop/Emitters.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace kern::ir {

using namespace mlir;
using Operands = llvm::ArrayRef<Scalar>;

static Scalars bitwiseAnd(ScalarBuilder &s, Operands x) {
  return {s.bitAnd(x[0], x[1])};
}

static Scalars bitwiseOr(ScalarBuilder &s, Operands x) {
  return {s.bitOr(x[0], x[1])};
}

static Scalars bitwiseXor(ScalarBuilder &s, Operands x) {
  return {s.bitXor(x[0], x[1])};
}

static Scalars invert(ScalarBuilder &s, Operands x) { return {s.invert(x[0])}; }

/// Whether a shift count is at least the width, or negative. A negative count
/// is a large unsigned number.
static Scalar pastWidth(ScalarBuilder &s, Scalar count) {
  Scalar unsignedCount = {count.value, unsignedOf(count.type)};
  return s.compare(ComparePredicate::GreaterEqual, unsignedCount,
                   s.integer(unsignedCount.type, bitWidth(count.type)));
}

/// Masks a count to the width. The select alone is not enough: LLVM's NVPTX
/// backend turns `count < 64 ? x << count : 0` into a clamping shift that reads
/// only the low half of a 64-bit count.
static Scalar withinWidth(ScalarBuilder &s, Scalar count) {
  return s.bitAnd(count, s.integer(count.type, bitWidth(count.type) - 1));
}

static Scalars leftShift(ScalarBuilder &s, Operands x) {
  return {s.select(pastWidth(s, x[1]), s.integer(x[0].type, 0),
                   s.shiftLeft(x[0], withinWidth(s, x[1])))};
}

static Scalars rightShift(ScalarBuilder &s, Operands x) {
  Scalar past = pastWidth(s, x[1]);
  if (isUnsigned(x[0].type))
    return {s.select(past, s.integer(x[0].type, 0),
                     s.shiftRight(x[0], withinWidth(s, x[1])))};
  // A shift by the width minus one leaves only the sign.
  Scalar maxCount = s.integer(x[0].type, bitWidth(x[0].type) - 1);
  return {s.shiftRight(x[0], s.select(past, maxCount, x[1]))};
}

/// The absolute value as an unsigned integer, right for the smallest too.
static Scalar magnitude(ScalarBuilder &s, Scalar x) {
  if (isUnsigned(x.type))
    return x;
  Scalar negative = s.compare(ComparePredicate::Less, x, s.integer(x.type, 0));
  return {s.select(negative, s.neg(x), x).value, unsignedOf(x.type)};
}

/// Counts the ones of the absolute value, as NumPy does.
static Scalars bitwiseCount(ScalarBuilder &s, Operands x) {
  Scalar bits = magnitude(s, x[0]);
  Scalar count = {math::CtPopOp::create(s.builder, s.location, bits.value),
                  bits.type};
  return {convert(s, count, runtime::DType::U8)};
}

/// Counts in the bits as they are, as C's functions do.
static Scalars popcount(ScalarBuilder &s, Operands x) {
  Scalar count = {math::CtPopOp::create(s.builder, s.location, x[0].value),
                  unsignedOf(x[0].type)};
  return {convert(s, count, runtime::DType::I32)};
}

/// The zeros before or after all ones; the width for 0.
template <char const *name> static Scalars zeros(ScalarBuilder &s, Operands x) {
  Scalar count = s.intrinsic(name, {x[0], s.boolean(false)}, x[0].type);
  return {
      convert(s, {count.value, unsignedOf(x[0].type)}, runtime::DType::I32)};
}
static constexpr char leading[] = "llvm.ctlz", trailing[] = "llvm.cttz";

static Scalars bitReverse(ScalarBuilder &s, Operands x) {
  return {s.intrinsic("llvm.bitreverse", {x[0]}, x[0].type)};
}

/// The upper half of the product, which is exact in twice the width.
static Scalars mulHigh(ScalarBuilder &s, Operands x) {
  const unsigned width = bitWidth(x[0].type);
  Type narrow = x[0].value.getType();
  Type wide = s.builder.getIntegerType(2 * width);
  auto widened = [&](Value value) -> Value {
    if (isUnsigned(x[0].type))
      return arith::ExtUIOp::create(s.builder, s.location, wide, value);
    return arith::ExtSIOp::create(s.builder, s.location, wide, value);
  };
  Value product = arith::MulIOp::create(
      s.builder, s.location, widened(x[0].value), widened(x[1].value));
  Value count = arith::ConstantOp::create(
      s.builder, s.location, s.builder.getIntegerAttr(wide, width));
  Value high = arith::ShRUIOp::create(s.builder, s.location, product, count);
  return {{arith::TruncIOp::create(s.builder, s.location, narrow, high),
           x[0].type}};
}

/// Euclid's algorithm on unsigned integers.
static Scalar greatestDivisor(ScalarBuilder &s, Scalar a, Scalar b) {
  Scalar zero = s.integer(a.type, 0);
  return s.whileLoop(
      {a, b},
      [&](Operands state) {
        return s.compare(ComparePredicate::NotEqual, state[1], zero);
      },
      [&](Operands state) -> Scalars {
        return {state[1],
                {arith::RemUIOp::create(s.builder, s.location, state[0].value,
                                        state[1].value),
                 a.type}};
      })[0];
}

static Scalars gcd(ScalarBuilder &s, Operands x) {
  Scalar divisor = greatestDivisor(s, magnitude(s, x[0]), magnitude(s, x[1]));
  return {{divisor.value, x[0].type}};
}

/// 0 if either operand is 0: division by 0 gives 0.
static Scalars lcm(ScalarBuilder &s, Operands x) {
  Scalar a = magnitude(s, x[0]), b = magnitude(s, x[1]);
  Scalar quotient = truncatedDivision(s, a, greatestDivisor(s, a, b)).quotient;
  return {{s.mul(quotient, b).value, x[0].type}};
}

void addBits(EmitterTable &table) {
  table[ScalarFunction::bitwise_and] = {bitwiseAnd, {}};
  table[ScalarFunction::bitwise_or] = {bitwiseOr, {}};
  table[ScalarFunction::bitwise_xor] = {bitwiseXor, {}};
  table[ScalarFunction::invert] = {invert, {}};
  table[ScalarFunction::left_shift] = {leftShift, {}};
  table[ScalarFunction::right_shift] = {rightShift, {}};
  table[ScalarFunction::bitwise_count] = {bitwiseCount, {}};
  table[ScalarFunction::popcount] = {popcount, {}};
  table[ScalarFunction::clz] = {zeros<leading>, {}};
  table[ScalarFunction::ctz] = {zeros<trailing>, {}};
  table[ScalarFunction::bit_reverse] = {bitReverse, {}};
  table[ScalarFunction::mul_high] = {mulHigh, {}};
  table[ScalarFunction::gcd] = {gcd, {}};
  table[ScalarFunction::lcm] = {lcm, {}};
}

} // namespace kern::ir
