//===- Memory.cpp - typed form of local arrays and accumulations ----------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/specialize/Application.h"
#include "compiler/specialize/Specializer.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;
using namespace runtime;

/// The limit for a ufunc's local arrays, which live in each thread's own
/// memory.
static constexpr uint64_t maxLocalBytes = 16384;

void Specializer::reportUntyped(Value array, Location loc) {
  if (failed)
    return;
  auto argument = dyn_cast<BlockArgument>(array);
  size_t number = argument ? argument.getArgNumber() : 0;
  number -= std::min(number, request.parameters.size());
  std::string name = "this";
  for (OperandAttr result : func.resultInfos())
    if (argument && !result.getCore().empty() && !number--)
      name = result.getName().str();
  report(Diag::generic_core_type, loc, {name},
         "declare it, as in `" + name +
             ": f64[…]`, or store a value of a known type");
}

/// An integer that the type may not hold is its least or greatest then, not
/// another one modulo 2^n: extrema with it are as before the conversion.
Value Specializer::clamped(Value value, DType from, DType to, Location loc) {
  if (!isInteger(from) || !isInteger(to) || canCastSafely(from, to) ||
      value.getDefiningOp<ConstantOp>())
    return get(value, to, loc);
  Value result = get(value, from, loc);
  if (!result)
    return nullptr;
  constexpr unsigned width = 128;
  auto limits = [](DType type) {
    const unsigned bits = unsigned(itemSize(type)) * 8;
    return isSigned(type)
               ? std::pair(APInt::getSignedMinValue(bits).sext(width),
                           APInt::getSignedMaxValue(bits).sext(width))
               : std::pair(APInt::getZero(width),
                           APInt::getAllOnes(bits).zext(width));
  };
  auto [least, greatest] = limits(to);
  auto [lowest, highest] = limits(from);
  for (auto [function, bound] :
       {std::pair(ScalarFunction::maximum, llvm::APIntOps::smax(least, lowest)),
        {ScalarFunction::minimum, llvm::APIntOps::smin(greatest, highest)}}) {
    Type type = result.getType();
    Value limit = ConstantOp::create(
        builder, loc, type,
        IntegerAttr::get(builder.getIntegerType(width), bound));
    result =
        ApplyOp::create(builder, loc, type, function, ValueRange{result, limit})
            .getResult(0);
  }
  return convert(result, to, loc);
}

void Specializer::cloneAccumulate(AccumulateOp op) {
  Location loc = op.getLoc();
  std::optional<ValueType> value = need(op.getValue(), loc);
  std::optional<ValueType> element;
  if (value)
    element = elementType(op.getArray(), loc);
  SmallVector<Value> at;
  if (!element || !value || !indices(op.getIndices(), at, loc))
    return;
  const ScalarFunctionInfo &function = infoOf(op.getFunction());
  std::optional<Application> application =
      resolveApplication(function, {*element, *value});
  const bool isExtremum = op.getFunction() == ScalarFunction::minimum ||
                          op.getFunction() == ScalarFunction::maximum;
  if (application && isExtremum && isComplex(element->carrier())) {
    report(Diag::no_function_for_type, loc,
           {function.name.str(), describe(*element) + ", " + describe(*value)},
           "iterations of a `prange` cannot share the extremum of complex "
           "numbers: use a `for` over `range`, which runs in order");
    return;
  }
  if (!application) {
    report(Diag::no_function_for_type, loc,
           {function.name.str(), describe(*element) + ", " + describe(*value)},
           isFloat(element->carrier()) || isComplex(element->carrier())
               ? "it is a function of integers"
               : "");
    return;
  }
  if (!checkSameKind(application->results[0], element->carrier(),
                     Diag::annotation_cast, loc))
    return;
  if (Value typed = isExtremum ? clamped(op.getValue(), value->carrier(),
                                         element->carrier(), loc)
                               : get(op.getValue(), element->carrier(), loc))
    AccumulateOp::create(builder, loc, op.getFunctionAttr(), typed,
                         values.lookup(op.getArray()), at);
}

bool Specializer::checkLocalSize(LocalOp local, ValueType element) {
  uint64_t count = 1;
  for (Value extent : local.getExtents())
    if (auto constant = extent.getDefiningOp<ConstantOp>())
      if (std::optional<APInt> size = constant.integer()) {
        uint64_t extent = size->getZExtValue();
        if (__builtin_mul_overflow(count, extent, &count))
          count = UINT64_MAX;
      }
  uint64_t bytes = 0;
  if (__builtin_mul_overflow(count, itemSize(element.carrier()), &bytes) ||
      __builtin_add_overflow(localBytes, bytes, &localBytes))
    localBytes = UINT64_MAX;
  if (localBytes <= maxLocalBytes)
    return true;
  report(Diag::local_array_too_large, local.getLoc(),
         {func.getSymName().str(), std::to_string(localBytes),
          std::to_string(maxLocalBytes)},
         "a `gufunc` may have larger ones");
  return false;
}

void Specializer::cloneLocal(LocalOp local) {
  Location loc = local.getLoc();
  // No path that is left makes it, so that none uses it.
  if (!local.getElement() && !local.getLike() && !types.type(local.getResult()))
    return;
  std::optional<ValueType> type = need(local.getResult(), loc);
  SmallVector<Value> extents;
  if (!type || !indices(local.getExtents(), extents, loc))
    return;
  Type element = typeOf(*type);
  // Only gufuncs get scratch memory from the runtime.
  if (func.getKind() == FuncKind::Ufunc && !checkLocalSize(local, *type))
    return;
  values[local.getResult()] = LocalOp::create(
      builder, loc, ArrayType::get(context, element, extents.size()),
      local.getNameAttr(), TypeAttr::get(element), local.getZeroedAttr(),
      /*like=*/Value(), extents);
}

void Specializer::checkSameType(SameTypeOp same) {
  const Location loc = same.getLoc();
  std::optional<ValueType> value = need(same.getValue(), loc);
  std::optional<ValueType> element;
  if (value)
    element = elementType(same.getArray(), loc);
  if (!element)
    return;
  const DType type = element->carrier();
  TypeSet both;
  both.add({ValueType::Typed, type});
  both.add(*value);
  if (both.type().carrier() == type &&
      (value->isWeak() || value->dtype == type))
    return;
  const std::string given(name(value->carrier()));
  report(Diag::array_retyped, loc,
         {same.getName().str(), std::string(name(type)), given},
         "give it this type before the loop, or convert the value: `" +
             std::string(name(type)) + "(…)`");
}

void Specializer::cloneSameExtent(SameExtentOp same) {
  SmallVector<Value> extents;
  if (indices({same.getOne(), same.getOther()}, extents, same.getLoc()))
    SameExtentOp::create(builder, same.getLoc(), extents[0], extents[1]);
}

void Specializer::cloneTable(TableOp table) {
  Location loc = table.getLoc();
  std::optional<ValueType> type = need(table.getResult(), loc);
  if (!type)
    return;
  SmallVector<Attribute> values;
  for (Attribute value : table.getValues()) {
    auto open = ConstantOp::create(builder, loc, OpenType::get(context), value);
    Value typed = typedConstant(open, type->carrier(), loc);
    open.erase();
    auto constant = typed ? typed.getDefiningOp<ConstantOp>() : ConstantOp();
    if (!constant)
      return;
    values.push_back(constant.getValue());
    constant.erase();
  }
  Type element = typeOf(*type);
  this->values[table.getResult()] = TableOp::create(
      builder, loc, ArrayType::get(context, element, table.getShape().size()),
      builder.getArrayAttr(values), table.getShapeAttr(),
      TypeAttr::get(element));
}

} // namespace kern::compiler
