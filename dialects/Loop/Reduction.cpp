//===- Reduction.cpp - what the kinds of reduction compute ----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Loop/Reduction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace kern::loop;

static bool isMin(ReduceKind kind) {
  switch (kind) {
  case ReduceKind::SMin:
  case ReduceKind::UMin:
  case ReduceKind::FMinNan:
  case ReduceKind::ArgSMin:
  case ReduceKind::ArgUMin:
  case ReduceKind::ArgFMin:
    return true;
  default:
    return false;
  }
}

/// The value that every other value of the type wins against.
static TypedAttr worst(ReduceKind kind, Type type) {
  if (auto floating = dyn_cast<FloatType>(type))
    return FloatAttr::get(type, APFloat::getInf(floating.getFloatSemantics(),
                                                /*Negative=*/!isMin(kind)));
  unsigned width = type.getIntOrFloatBitWidth();
  bool isSigned = kind == ReduceKind::SMin || kind == ReduceKind::SMax ||
                  kind == ReduceKind::ArgSMin || kind == ReduceKind::ArgSMax;
  APInt value = isMin(kind) ? (isSigned ? APInt::getSignedMaxValue(width)
                                        : APInt::getMaxValue(width))
                            : (isSigned ? APInt::getSignedMinValue(width)
                                        : APInt::getMinValue(width));
  return IntegerAttr::get(type, value);
}

static TypedAttr number(Type type, int value) {
  if (isa<FloatType>(type))
    return FloatAttr::get(type, value);
  return IntegerAttr::get(type, value);
}

static Value position(ImplicitLocOpBuilder &builder, int64_t value) {
  return arith::ConstantOp::create(builder, builder.getI64IntegerAttr(value));
}

/// A complex number of constant parts.
static Value complexNumber(ImplicitLocOpBuilder &builder, ComplexType type,
                           int value) {
  Type part = type.getElementType();
  Value re = arith::ConstantOp::create(builder, number(part, value));
  Value im = arith::ConstantOp::create(builder, number(part, 0));
  return complex::CreateOp::create(builder, type, re, im);
}

Accumulator kern::loop::identity(ImplicitLocOpBuilder &builder, ReduceKind kind,
                                 Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    return {complexNumber(builder, complex, kind == ReduceKind::Prod), Value()};
  TypedAttr value;
  switch (kind) {
  case ReduceKind::Sum:
    value = number(type, 0);
    break;
  case ReduceKind::Prod:
    value = number(type, 1);
    break;
  case ReduceKind::Any:
    value = builder.getBoolAttr(false);
    break;
  case ReduceKind::All:
    value = builder.getBoolAttr(true);
    break;
  default:
    value = worst(kind, type);
  }
  return {arith::ConstantOp::create(builder, value),
          isArg(kind) ? position(builder, INT64_MAX) : Value()};
}

/// One part of a complex number, which is a vector of two in lowered bodies.
static Value part(ImplicitLocOpBuilder &builder, Value number, int index) {
  if (isa<VectorType>(number.getType()))
    return LLVM::ExtractElementOp::create(builder, number,
                                          position(builder, index));
  if (index == 0)
    return complex::ReOp::create(builder, number);
  return complex::ImOp::create(builder, number);
}

static Value combineComplex(ImplicitLocOpBuilder &builder, ReduceKind kind,
                            Value a, Value b) {
  Value ar = part(builder, a, 0), ai = part(builder, a, 1);
  Value br = part(builder, b, 0), bi = part(builder, b, 1);
  auto add = [&](Value x, Value y) -> Value {
    return arith::AddFOp::create(builder, x, y);
  };
  auto mul = [&](Value x, Value y) -> Value {
    return arith::MulFOp::create(builder, x, y);
  };
  Value re, im;
  if (kind == ReduceKind::Sum) {
    re = add(ar, br);
    im = add(ai, bi);
  } else {
    re = arith::SubFOp::create(builder, mul(ar, br), mul(ai, bi));
    im = add(mul(ar, bi), mul(ai, br));
  }
  if (isa<ComplexType>(a.getType()))
    return complex::CreateOp::create(builder, a.getType(), re, im);
  Value pair = LLVM::UndefOp::create(builder, a.getType());
  pair = LLVM::InsertElementOp::create(builder, pair, re, position(builder, 0));
  return LLVM::InsertElementOp::create(builder, pair, im, position(builder, 1));
}

/// Whether `b` replaces `a` as the first extremum.
static Value wins(ImplicitLocOpBuilder &builder, ReduceKind kind, Accumulator a,
                  Accumulator b) {
  Value earlier = arith::CmpIOp::create(builder, arith::CmpIPredicate::slt,
                                        b.index, a.index);
  Value better, same;
  if (isa<FloatType>(a.value.getType())) {
    using P = arith::CmpFPredicate;
    auto compare = [&](P p, Value x, Value y) -> Value {
      return arith::CmpFOp::create(builder, p, x, y);
    };
    Value aNan = compare(P::UNO, a.value, a.value);
    Value bNan = compare(P::UNO, b.value, b.value);
    better = arith::SelectOp::create(
        builder, aNan,
        arith::ConstantOp::create(builder, builder.getBoolAttr(false)),
        arith::OrIOp::create(
            builder, bNan,
            compare(isMin(kind) ? P::OLT : P::OGT, b.value, a.value)));
    same = arith::OrIOp::create(builder, compare(P::OEQ, a.value, b.value),
                                arith::AndIOp::create(builder, aNan, bNan));
  } else {
    using P = arith::CmpIPredicate;
    P predicate = kind == ReduceKind::ArgSMin   ? P::slt
                  : kind == ReduceKind::ArgSMax ? P::sgt
                  : kind == ReduceKind::ArgUMin ? P::ult
                                                : P::ugt;
    better = arith::CmpIOp::create(builder, predicate, b.value, a.value);
    same = arith::CmpIOp::create(builder, P::eq, a.value, b.value);
  }
  return arith::OrIOp::create(builder, better,
                              arith::AndIOp::create(builder, same, earlier));
}

Accumulator kern::loop::combine(ImplicitLocOpBuilder &builder, ReduceKind kind,
                                Accumulator a, Accumulator b) {
  if (isa<ComplexType, VectorType>(a.value.getType()))
    return {combineComplex(builder, kind, a.value, b.value), Value()};
  bool isFloat = isa<FloatType>(a.value.getType());
  auto plain = [&]<typename Op>() -> Accumulator {
    return {Op::create(builder, a.value, b.value), Value()};
  };
  switch (kind) {
  case ReduceKind::Sum:
    return isFloat ? plain.operator()<arith::AddFOp>()
                   : plain.operator()<arith::AddIOp>();
  case ReduceKind::Prod:
    return isFloat ? plain.operator()<arith::MulFOp>()
                   : plain.operator()<arith::MulIOp>();
  case ReduceKind::SMin:
    return plain.operator()<arith::MinSIOp>();
  case ReduceKind::SMax:
    return plain.operator()<arith::MaxSIOp>();
  case ReduceKind::UMin:
    return plain.operator()<arith::MinUIOp>();
  case ReduceKind::UMax:
    return plain.operator()<arith::MaxUIOp>();
  case ReduceKind::FMinNan:
    return plain.operator()<arith::MinimumFOp>();
  case ReduceKind::FMaxNan:
    return plain.operator()<arith::MaximumFOp>();
  case ReduceKind::Any:
    return plain.operator()<arith::OrIOp>();
  case ReduceKind::All:
    return plain.operator()<arith::AndIOp>();
  default:
    break;
  }
  Value take = wins(builder, kind, a, b);
  return {arith::SelectOp::create(builder, take, b.value, a.value),
          arith::SelectOp::create(builder, take, b.index, a.index)};
}

Value kern::loop::result(ImplicitLocOpBuilder &builder, ReduceKind kind,
                         Accumulator accumulator) {
  if (!isArg(kind))
    return accumulator.value;
  Value none =
      arith::CmpIOp::create(builder, arith::CmpIPredicate::eq,
                            accumulator.index, position(builder, INT64_MAX));
  return arith::SelectOp::create(builder, none, position(builder, 0),
                                 accumulator.index);
}
