//===- ScalarBuilder.cpp - scalar code with Kern's types ------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/KernToLoop/ScalarBuilder.h"

#include "dialects/Kern/ElementTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace kern::ir {

using runtime::DType;

Type loopType(MLIRContext *context, DType type) {
  if (isInteger(type))
    return IntegerType::get(context, bitWidth(type));
  return toType(context, type);
}

unsigned bitWidth(DType type) {
  return type == DType::Bool ? 1 : unsigned(itemSize(type)) * 8;
}

DType unsignedOf(DType type) {
  switch (bitWidth(type)) {
  case 8:
    return DType::U8;
  case 16:
    return DType::U16;
  case 32:
    return DType::U32;
  default:
    return DType::U64;
  }
}

DType partOf(DType type) {
  return type == DType::C64 ? DType::F32 : DType::F64;
}

static const llvm::fltSemantics &semantics(DType type) {
  switch (type) {
  case DType::F16:
    return llvm::APFloat::IEEEhalf();
  case DType::BF16:
    return llvm::APFloat::BFloat();
  case DType::F32:
    return llvm::APFloat::IEEEsingle();
  default:
    return llvm::APFloat::IEEEdouble();
  }
}

unsigned mantissaBits(DType type) {
  return llvm::APFloat::semanticsPrecision(semantics(type)) - 1;
}

unsigned exponentBias(DType type) {
  return unsigned(llvm::APFloat::semanticsMaxExponent(semantics(type)));
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static Scalar constant(ScalarBuilder &s, DType type, TypedAttr value) {
  return {arith::ConstantOp::create(s.builder, s.location, value), type};
}

Scalar ScalarBuilder::number(DType type, const llvm::APFloat &value) {
  llvm::APFloat rounded = value;
  bool inexact;
  rounded.convert(semantics(type), llvm::APFloat::rmNearestTiesToEven,
                  &inexact);
  Type lowered = loopType(builder.getContext(), type);
  return constant(*this, type, FloatAttr::get(lowered, rounded));
}

Scalar ScalarBuilder::number(DType type, double value) {
  if (isFloat(type))
    return number(type, llvm::APFloat(value));
  return integer(type, int64_t(value));
}

Scalar ScalarBuilder::integer(DType type, const llvm::APInt &value) {
  if (isFloat(type)) {
    llvm::APFloat rounded(semantics(type));
    rounded.convertFromAPInt(value, /*IsSigned=*/true,
                             llvm::APFloat::rmNearestTiesToEven);
    return number(type, rounded);
  }
  Type lowered = loopType(builder.getContext(), type);
  return constant(*this, type,
                  IntegerAttr::get(lowered, value.sextOrTrunc(bitWidth(type))));
}

Scalar ScalarBuilder::integer(DType type, int64_t value) {
  return integer(type, llvm::APInt(64, uint64_t(value), /*isSigned=*/true));
}

//===----------------------------------------------------------------------===//
// Arithmetic and comparison
//===----------------------------------------------------------------------===//

template <typename FloatOp, typename IntegerOp>
static Scalar binary(ScalarBuilder &s, Scalar a, Scalar b) {
  assert(a.type == b.type && "operands of one type");
  Value value =
      isFloat(a.type)
          ? s.builder.createOrFold<FloatOp>(s.location, a.value, b.value)
          : s.builder.createOrFold<IntegerOp>(s.location, a.value, b.value);
  return {value, a.type};
}

Scalar ScalarBuilder::add(Scalar a, Scalar b) {
  return binary<arith::AddFOp, arith::AddIOp>(*this, a, b);
}

Scalar ScalarBuilder::sub(Scalar a, Scalar b) {
  return binary<arith::SubFOp, arith::SubIOp>(*this, a, b);
}

Scalar ScalarBuilder::mul(Scalar a, Scalar b) {
  return binary<arith::MulFOp, arith::MulIOp>(*this, a, b);
}

Scalar ScalarBuilder::div(Scalar a, Scalar b) {
  assert(isFloat(a.type) && a.type == b.type);
  return {builder.createOrFold<arith::DivFOp>(location, a.value, b.value),
          a.type};
}

Scalar ScalarBuilder::approximateDiv(Scalar a, Scalar b) {
  assert(isFloat(a.type) && a.type == b.type);
  using arith::FastMathFlags;
  return {arith::DivFOp::create(builder, location, a.value, b.value,
                                FastMathFlags::arcp | FastMathFlags::afn),
          a.type};
}

Scalar ScalarBuilder::neg(Scalar a) {
  if (isFloat(a.type))
    return {builder.createOrFold<arith::NegFOp>(location, a.value), a.type};
  return sub(integer(a.type, 0), a);
}

Scalar ScalarBuilder::compare(ComparePredicate predicate, Scalar a, Scalar b) {
  assert(a.type == b.type && "operands of one type");
  auto at = unsigned(predicate);
  if (isFloat(a.type)) {
    using P = arith::CmpFPredicate;
    static constexpr P predicates[] = {P::OLT, P::OLE, P::OGT,
                                       P::OGE, P::OEQ, P::UNE};
    return {builder.createOrFold<arith::CmpFOp>(location, predicates[at],
                                                a.value, b.value),
            DType::Bool};
  }
  using P = arith::CmpIPredicate;
  static constexpr P signedPredicates[] = {P::slt, P::sle, P::sgt,
                                           P::sge, P::eq,  P::ne};
  static constexpr P unsignedPredicates[] = {P::ult, P::ule, P::ugt,
                                             P::uge, P::eq,  P::ne};
  const auto &predicates =
      isSigned(a.type) ? signedPredicates : unsignedPredicates;
  return {builder.createOrFold<arith::CmpIOp>(location, predicates[at], a.value,
                                              b.value),
          DType::Bool};
}

Scalar ScalarBuilder::isNaN(Scalar a) {
  return {arith::CmpFOp::create(builder, location, arith::CmpFPredicate::UNO,
                                a.value, a.value),
          DType::Bool};
}

Scalar ScalarBuilder::select(Scalar condition, Scalar a, Scalar b) {
  assert(a.type == b.type && condition.type == DType::Bool);
  return {builder.createOrFold<arith::SelectOp>(location, condition.value,
                                                a.value, b.value),
          a.type};
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

template <typename Op>
static Scalar bitwise(ScalarBuilder &s, Scalar a, Scalar b) {
  assert(a.type == b.type && !isFloat(a.type));
  return {s.builder.createOrFold<Op>(s.location, a.value, b.value), a.type};
}

Scalar ScalarBuilder::bitAnd(Scalar a, Scalar b) {
  return bitwise<arith::AndIOp>(*this, a, b);
}

Scalar ScalarBuilder::bitOr(Scalar a, Scalar b) {
  return bitwise<arith::OrIOp>(*this, a, b);
}

Scalar ScalarBuilder::bitXor(Scalar a, Scalar b) {
  return bitwise<arith::XOrIOp>(*this, a, b);
}

Scalar ScalarBuilder::invert(Scalar a) {
  return bitXor(a, integer(a.type, -1));
}

Scalar ScalarBuilder::shiftLeft(Scalar a, Scalar amount) {
  return bitwise<arith::ShLIOp>(*this, a, amount);
}

Scalar ScalarBuilder::shiftRight(Scalar a, Scalar amount) {
  return isSigned(a.type) ? bitwise<arith::ShRSIOp>(*this, a, amount)
                          : bitwise<arith::ShRUIOp>(*this, a, amount);
}

Scalar ScalarBuilder::bits(Scalar a) {
  DType type = unsignedOf(a.type);
  return {builder.createOrFold<arith::BitcastOp>(
              location, loopType(builder.getContext(), type), a.value),
          type};
}

Scalar ScalarBuilder::fromBits(Scalar bits, DType type) {
  return {builder.createOrFold<arith::BitcastOp>(
              location, loopType(builder.getContext(), type), bits.value),
          type};
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

Scalar ScalarBuilder::abs(Scalar a) {
  return {builder.createOrFold<math::AbsFOp>(location, a.value), a.type};
}

Scalar ScalarBuilder::sqrt(Scalar a) {
  return {math::SqrtOp::create(builder, location, a.value), a.type};
}

Scalar ScalarBuilder::approximateSqrt(Scalar a) {
  return {math::SqrtOp::create(builder, location, a.value,
                               arith::FastMathFlags::afn),
          a.type};
}

Scalar ScalarBuilder::floor(Scalar a) {
  return {math::FloorOp::create(builder, location, a.value), a.type};
}

Scalar ScalarBuilder::trunc(Scalar a) {
  return {math::TruncOp::create(builder, location, a.value), a.type};
}

Scalar ScalarBuilder::copysign(Scalar magnitude, Scalar sign) {
  return {
      math::CopySignOp::create(builder, location, magnitude.value, sign.value),
      magnitude.type};
}

//===----------------------------------------------------------------------===//
// Complex numbers
//===----------------------------------------------------------------------===//

Scalar ScalarBuilder::real(Scalar a) {
  if (!isComplex(a.type))
    return a;
  return {builder.createOrFold<complex::ReOp>(location, a.value),
          partOf(a.type)};
}

Scalar ScalarBuilder::imag(Scalar a) {
  if (!isComplex(a.type))
    return integer(a.type, 0);
  return {builder.createOrFold<complex::ImOp>(location, a.value),
          partOf(a.type)};
}

Scalar ScalarBuilder::complex(Scalar real, Scalar imag) {
  assert(real.type == imag.type && isFloat(real.type));
  DType type = real.type == DType::F32 ? DType::C64 : DType::C128;
  return {complex::CreateOp::create(builder, location,
                                    loopType(builder.getContext(), type),
                                    real.value, imag.value),
          type};
}

} // namespace kern::ir
