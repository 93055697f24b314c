//===- Casts.cpp - conversions between element types ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/KernToLoop/Casts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace kern::ir {

using runtime::DType;

template <typename Op>
static Scalar castBy(ScalarBuilder &s, Scalar x, DType type) {
  Type lowered = loopType(s.builder.getContext(), type);
  return {s.builder.createOrFold<Op>(s.location, lowered, x.value), type};
}

Scalar widenHalf(ScalarBuilder &s, Scalar x) {
  return isHalf(x.type) ? castBy<arith::ExtFOp>(s, x, DType::F32) : x;
}

Scalar truth(ScalarBuilder &s, Scalar x) {
  if (x.type == DType::Bool)
    return x;
  if (isComplex(x.type))
    return s.bitOr(truth(s, s.real(x)), truth(s, s.imag(x)));
  x = widenHalf(s, x);
  return s.compare(ComparePredicate::NotEqual, x, s.integer(x.type, 0));
}

/// Rounds f64 to f32, to odd. A further rounding to f16 or bf16 then gives the
/// result of a single rounding.
static Scalar roundToOdd(ScalarBuilder &s, Scalar x) {
  Scalar nearest = castBy<arith::TruncFOp>(s, x, DType::F32);
  Scalar back = castBy<arith::ExtFOp>(s, nearest, DType::F64);
  Scalar tooBig = s.compare(ComparePredicate::Greater, s.abs(back), s.abs(x));
  Scalar tooSmall = s.compare(ComparePredicate::Less, s.abs(back), s.abs(x));
  // Of the two neighbours of x, take the one with an odd last bit: truncate,
  // then set that bit. NaN compares false twice and stays.
  Scalar bits = s.bits(nearest);
  Scalar one = s.integer(DType::U32, 1), zero = s.integer(DType::U32, 0);
  Scalar cut = s.select(tooBig, s.sub(bits, one), bits);
  Scalar sticky = s.select(s.bitOr(tooBig, tooSmall), one, zero);
  return s.fromBits(s.bitOr(cut, sticky), DType::F32);
}

static Scalar floatToFloat(ScalarBuilder &s, Scalar x, DType type) {
  if (isHalf(x.type) && isHalf(type))
    return floatToFloat(s, widenHalf(s, x), type);
  if (isHalf(x.type) && type == DType::F64)
    return castBy<arith::ExtFOp>(s, widenHalf(s, x), type);
  if (x.type == DType::F64 && isHalf(type))
    return castBy<arith::TruncFOp>(s, roundToOdd(s, x), type);
  return bitWidth(x.type) < bitWidth(type)
             ? castBy<arith::ExtFOp>(s, x, type)
             : castBy<arith::TruncFOp>(s, x, type);
}

static Scalar floatToInteger(ScalarBuilder &s, Scalar x, DType type) {
  x = widenHalf(s, x);
  return s.intrinsic(isSigned(type) ? "llvm.fptosi.sat" : "llvm.fptoui.sat",
                     {x}, type);
}

static Scalar integerToFloat(ScalarBuilder &s, Scalar x, DType type) {
  if (isHalf(type))
    return floatToFloat(s, integerToFloat(s, x, DType::F32), type);
  return isSigned(x.type) ? castBy<arith::SIToFPOp>(s, x, type)
                          : castBy<arith::UIToFPOp>(s, x, type);
}

static Scalar integerToInteger(ScalarBuilder &s, Scalar x, DType type) {
  unsigned from = bitWidth(x.type), to = bitWidth(type);
  if (from == to)
    return {x.value, type};
  if (from > to)
    return castBy<arith::TruncIOp>(s, x, type);
  return isSigned(x.type) ? castBy<arith::ExtSIOp>(s, x, type)
                          : castBy<arith::ExtUIOp>(s, x, type);
}

Scalar convert(ScalarBuilder &s, Scalar x, DType type) {
  if (x.type == type)
    return x;
  if (type == DType::Bool)
    return truth(s, x);
  if (isComplex(type)) {
    DType part = type == DType::C64 ? DType::F32 : DType::F64;
    if (isComplex(x.type))
      return s.complex(floatToFloat(s, s.real(x), part),
                       floatToFloat(s, s.imag(x), part));
    return s.complex(convert(s, x, part), s.number(part, 0.0));
  }
  assert(!isComplex(x.type) && "complex to real is an error before this");
  if (isFloat(x.type))
    return isFloat(type) ? floatToFloat(s, x, type)
                         : floatToInteger(s, x, type);
  return isFloat(type) ? integerToFloat(s, x, type)
                       : integerToInteger(s, x, type);
}

} // namespace kern::ir
