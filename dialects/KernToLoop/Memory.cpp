//===- Memory.cpp - stores, sums and local arrays -------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/KernToLoop/Casts.h"
#include "dialects/KernToLoop/Extents.h"
#include "dialects/KernToLoop/KernelLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"

using namespace mlir;

namespace kern::ir {

using namespace runtime;

LogicalResult KernelLowering::lowerStore(ScalarBuilder &s, StoreOp op) {
  auto array = cast<ArrayType>(op.getArray().getType());
  if (op.getValue().getType() != array.getElementType())
    return op.emitOpError("stores a value of type ")
           << op.getValue().getType() << " into an array of "
           << array.getElementType();
  SmallVector<Value> at = indices(s, op.getIndices());
  if (races)
    races->check(op, op.getArray(), at);
  loop::StoreOp::create(builder, op.getLoc(), mapping.lookup(op.getValue()),
                        mapping.lookup(op.getArray()), at);
  if (written)
    written->note(op.getLoc(), mapping.lookup(op.getArray()), at);
  return success();
}

LogicalResult KernelLowering::lowerAccumulate(ScalarBuilder &s,
                                              AccumulateOp op) {
  using Kind = loop::AccumulateKind;
  Type element = cast<ArrayType>(op.getArray().getType()).getElementType();
  auto ordered = [&](Kind ofSigned, Kind ofUnsigned,
                     Kind ofFloats) -> std::optional<Kind> {
    if (isa<FloatType>(element))
      return ofFloats;
    if (!isa<IntegerType>(element))
      return std::nullopt;
    return element.isSignedInteger() ? ofSigned : ofUnsigned;
  };
  auto kind = [&]() -> std::optional<Kind> {
    switch (op.getFunction()) {
    case ScalarFunction::minimum:
      return ordered(Kind::SMin, Kind::UMin, Kind::FMinNan);
    case ScalarFunction::maximum:
      return ordered(Kind::SMax, Kind::UMax, Kind::FMaxNan);
    case ScalarFunction::add:
      return Kind::Add;
    case ScalarFunction::bitwise_and:
      return Kind::And;
    case ScalarFunction::bitwise_or:
      return Kind::Or;
    case ScalarFunction::bitwise_xor:
      return Kind::Xor;
    default:
      return std::nullopt;
    }
  }();
  if (!kind || op.getValue().getType() != element)
    return op.emitOpError("cannot join ")
           << op.getValue().getType() << " to " << element << " by "
           << infoOf(op.getFunction()).name;
  SmallVector<Value> at = indices(s, op.getIndices());
  if (races)
    races->check(op, op.getArray(), at);
  loop::AccumulateOp::create(builder, op.getLoc(), *kind,
                             mapping.lookup(op.getValue()),
                             mapping.lookup(op.getArray()), at);
  return success();
}

/// The values of a table as they lie in memory; those of complex numbers are
/// twice as many. Null if some value has no such type.
static ElementsAttr storedValues(ScalarBuilder &s, TableOp table,
                                 DType element) {
  SmallVector<Attribute> values;
  auto take = [&](Attribute value, DType type) {
    std::optional<Scalar> scalar = emitConstant(s, value, type);
    auto constant =
        scalar ? scalar->value.getDefiningOp<arith::ConstantOp>() : nullptr;
    if (!constant)
      return false;
    values.push_back(constant.getValue());
    if (type == DType::Bool)
      values.back() = s.builder.getI8IntegerAttr(
          cast<IntegerAttr>(constant.getValue()).getValue().getZExtValue());
    constant.erase();
    return true;
  };
  const DType part = isComplex(element) ? realPart(element) : element;
  for (Attribute value : table.getValues()) {
    auto parts = dyn_cast<ArrayAttr>(value);
    if (!parts ? !take(value, part)
               : !take(parts[0], part) || !take(parts[1], part))
      return nullptr;
  }
  Type type = cast<TypedAttr>(values.front()).getType();
  return DenseElementsAttr::get(
      RankedTensorType::get({int64_t(values.size())}, type), values);
}

LogicalResult KernelLowering::lowerLookup(ScalarBuilder &s, LoadOp op,
                                          TableOp table,
                                          ArrayRef<Value> indices) {
  Location loc = op.getLoc();
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI64IntegerAttr(value));
  };
  Value at = number(0);
  for (auto [index, extent] : llvm::zip(indices, table.getShape()))
    at = arith::AddIOp::create(
        builder, loc, arith::MulIOp::create(builder, loc, at, number(extent)),
        index);
  const DType element = *toDType(op.getType());
  ElementsAttr values = storedValues(s, table, element);
  if (!values)
    return op.emitOpError("has a value that is not of its type");
  Type type = lower(op.getType());
  if (!isComplex(element)) {
    mapping.map(
        op.getResult(),
        loop::LookupOp::create(builder, loc, type, values, at).getResult());
    return success();
  }
  Type part = cast<ComplexType>(type).getElementType();
  Value first = arith::MulIOp::create(builder, loc, at, number(2));
  Value second = arith::AddIOp::create(builder, loc, first, number(1));
  auto read = [&](Value place) -> Value {
    return loop::LookupOp::create(builder, loc, part, values, place);
  };
  Value re = read(first), im = read(second);
  mapping.map(
      op.getResult(),
      complex::CreateOp::create(builder, loc, type, re, im).getResult());
  return success();
}

LogicalResult KernelLowering::lowerLocal(ScalarBuilder &s, LocalOp op) {
  auto array = cast<ArrayType>(op.getResult().getType());
  runtime::DType element = *toDType(array.getElementType());
  ArrayAttr bytes = localBytes(op, unsigned(itemSize(element)));
  if (!bytes)
    return op.emitOpError("has an extent that no call decides");
  // An array with a negative extent is empty.
  SmallVector<Value> extents;
  for (Value extent : indices(s, op.getExtents()))
    extents.push_back(builder.createOrFold<arith::MaxSIOp>(
        op.getLoc(), extent,
        arith::ConstantOp::create(builder, op.getLoc(),
                                  builder.getI64IntegerAttr(0))));
  auto local = loop::LocalOp::create(
      builder, op.getLoc(), lower(array), extents, op.getZeroed(), bytes,
      /*slot=*/IntegerAttr(), /*per_lane=*/false);
  mapping.map(op.getResult(), local.getResult());
  if (races)
    races->addLocal(op, local);
  return success();
}

} // namespace kern::ir
