//===- Reduction.cpp - the arithmetic of reductions -----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/Reduction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace kern::ir::loop;

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

/// The identity of an extremum: every other value of the type wins against it.
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

/// A complex number with constant parts.
static Value complexNumber(ImplicitLocOpBuilder &builder, ComplexType type,
                           TypedAttr real, TypedAttr imaginary) {
  Value re = arith::ConstantOp::create(builder, real);
  Value im = arith::ConstantOp::create(builder, imaginary);
  return complex::CreateOp::create(builder, type, re, im);
}

static Value complexIdentity(ImplicitLocOpBuilder &builder, ReduceKind kind,
                             ComplexType type) {
  Type part = type.getElementType();
  if (kind == ReduceKind::Sum || kind == ReduceKind::Prod)
    return complexNumber(builder, type, number(part, kind == ReduceKind::Prod),
                         number(part, 0));
  return complexNumber(builder, type, worst(kind, part), worst(kind, part));
}

Accumulator kern::ir::loop::identity(ImplicitLocOpBuilder &builder,
                                     ReduceKind kind, Type type) {
  Value place =
      carriesPosition(kind, type) ? position(builder, INT64_MAX) : Value();
  if (auto complex = dyn_cast<ComplexType>(type))
    return {complexIdentity(builder, kind, complex), place};
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
  return {arith::ConstantOp::create(builder, value), place};
}

/// One part of a complex number. It is a vector of two in lowered bodies.
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

namespace {
/// Whether the second of two values is better than the first, or equal to it.
struct Order {
  Value better, same;
};
} // namespace

/// The order of floats, or of complex numbers by their real, then by their
/// imaginary parts. A NaN, in either part, is better than any number.
static Order orderOfFloats(ImplicitLocOpBuilder &builder, ReduceKind kind,
                           Value a, Value b) {
  using P = arith::CmpFPredicate;
  bool isComplex = isa<ComplexType, VectorType>(a.getType());
  auto compare = [&](P p, Value x, Value y) -> Value {
    return arith::CmpFOp::create(builder, p, x, y);
  };
  auto both = [&](Value x, Value y) -> Value {
    return arith::AndIOp::create(builder, x, y);
  };
  auto either = [&](Value x, Value y) -> Value {
    return arith::OrIOp::create(builder, x, y);
  };
  P ahead = isMin(kind) ? P::OLT : P::OGT;
  Value ar = isComplex ? part(builder, a, 0) : a;
  Value br = isComplex ? part(builder, b, 0) : b;
  Value no = arith::ConstantOp::create(builder, builder.getBoolAttr(false));
  Value aNan = compare(P::UNO, ar, ar), bNan = compare(P::UNO, br, br);
  Value same = compare(P::OEQ, ar, br);
  if (!isComplex) {
    // An unordered comparison is true if either is NaN.
    Value better = compare(isMin(kind) ? P::ULT : P::UGT, br, ar);
    return {arith::SelectOp::create(builder, aNan, no, better),
            either(same, both(aNan, bNan))};
  }
  Value ai = part(builder, a, 1), bi = part(builder, b, 1);
  aNan = either(aNan, compare(P::UNO, ai, ai));
  bNan = either(bNan, compare(P::UNO, bi, bi));
  Value better =
      either(compare(ahead, br, ar), both(same, compare(ahead, bi, ai)));
  same = both(same, compare(P::OEQ, ai, bi));
  return {arith::SelectOp::create(builder, aNan, no, either(bNan, better)),
          either(same, both(aNan, bNan))};
}

static Order orderOfIntegers(ImplicitLocOpBuilder &builder, ReduceKind kind,
                             Value a, Value b) {
  using P = arith::CmpIPredicate;
  P ahead = kind == ReduceKind::ArgSMin   ? P::slt
            : kind == ReduceKind::ArgSMax ? P::sgt
            : kind == ReduceKind::ArgUMin ? P::ult
                                          : P::ugt;
  return {arith::CmpIOp::create(builder, ahead, b, a),
          arith::CmpIOp::create(builder, P::eq, a, b)};
}

static Order orderOf(ImplicitLocOpBuilder &builder, ReduceKind kind, Value a,
                     Value b) {
  return isa<IntegerType>(a.getType()) ? orderOfIntegers(builder, kind, a, b)
                                       : orderOfFloats(builder, kind, a, b);
}

Value kern::ir::loop::isBetter(ImplicitLocOpBuilder &builder, ReduceKind kind,
                               Value a, Value b) {
  return orderOf(builder, kind, a, b).better;
}

ReduceKind kern::ir::loop::withoutPosition(ReduceKind kind) {
  switch (kind) {
  case ReduceKind::ArgSMin:
    return ReduceKind::SMin;
  case ReduceKind::ArgSMax:
    return ReduceKind::SMax;
  case ReduceKind::ArgUMin:
    return ReduceKind::UMin;
  case ReduceKind::ArgUMax:
    return ReduceKind::UMax;
  case ReduceKind::ArgFMin:
    return ReduceKind::FMinNan;
  default:
    return ReduceKind::FMaxNan;
  }
}

/// Whether `b` replaces `a` as the first extremum.
static Value wins(ImplicitLocOpBuilder &builder, ReduceKind kind, Accumulator a,
                  Accumulator b) {
  Value earlier = arith::CmpIOp::create(builder, arith::CmpIPredicate::slt,
                                        b.index, a.index);
  Order order = orderOf(builder, kind, a.value, b.value);
  return arith::OrIOp::create(
      builder, order.better,
      arith::AndIOp::create(builder, order.same, earlier));
}

static Accumulator pick(ImplicitLocOpBuilder &builder, Value takesSecond,
                        Accumulator a, Accumulator b) {
  return {arith::SelectOp::create(builder, takesSecond, b.value, a.value),
          arith::SelectOp::create(builder, takesSecond, b.index, a.index)};
}

Accumulator kern::ir::loop::combineLater(ImplicitLocOpBuilder &builder,
                                         ReduceKind kind, Accumulator a,
                                         Accumulator b) {
  if (!carriesPosition(kind, a.value.getType()))
    return combine(builder, kind, a, b);
  return pick(builder, isBetter(builder, kind, a.value, b.value), a, b);
}

Accumulator kern::ir::loop::combine(ImplicitLocOpBuilder &builder,
                                    ReduceKind kind, Accumulator a,
                                    Accumulator b) {
  bool isExtremum = carriesPosition(kind, a.value.getType());
  if (isa<ComplexType, VectorType>(a.value.getType()) && !isExtremum)
    return {combineComplex(builder, kind, a.value, b.value), Value()};
  if (isExtremum)
    return pick(builder, wins(builder, kind, a, b), a, b);
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
    llvm_unreachable("the arg_ kinds carry a position");
  }
}

Value kern::ir::loop::result(ImplicitLocOpBuilder &builder, ReduceKind kind,
                             Accumulator accumulator) {
  if (!isArg(kind))
    return accumulator.value;
  Value none =
      arith::CmpIOp::create(builder, arith::CmpIPredicate::eq,
                            accumulator.index, position(builder, INT64_MAX));
  return arith::SelectOp::create(builder, none, position(builder, -1),
                                 accumulator.index);
}
