//===- TypedConstants.cpp - functions of constants of a type --------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/constants/TypedConstants.h"

#include "dialects/Kern/ElementTypes.h"
#include "dialects/Kern/ScalarApplication.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"

#include <cmath>

namespace kern::compiler {

using namespace ir;
using llvm::APFloat;
using runtime::DType;
using Operands = llvm::SmallVector<Constant, 3>;

static ValueType typeOf(const TypedConstant &constant) {
  if (constant.type)
    return {ValueType::Typed, *constant.type};
  if (constant.value.isBool())
    return {ValueType::Typed, DType::Bool};
  return {constant.value.isInt()     ? ValueType::WeakInt
          : constant.value.isFloat() ? ValueType::WeakFloat
                                     : ValueType::WeakComplex};
}

/// A power modulo 2^64, which may be too wide before it wraps.
static Integer wrappingPower(const Integer &base, uint64_t exponent) {
  llvm::APInt square = base.bits().trunc(64), result(64, 1);
  for (; exponent; exponent >>= 1) {
    if (exponent & 1)
      result *= square;
    square *= square;
  }
  return *Integer::of(result);
}

static std::optional<Integer> ofTypedIntegers(ScalarFunction function,
                                              const Integer &a,
                                              const Integer &b, DType type) {
  Integer none(0);
  const bool isFar =
      b.isNegative() || b.compare(Integer(itemSize(type) * 8 - 1)) > 0;
  if (function == ScalarFunction::power && !b.isNegative())
    return wrappingPower(a, b.bits().getZExtValue());
  if (function == ScalarFunction::left_shift && isFar)
    return none;
  if (function == ScalarFunction::right_shift && isFar)
    return a.isNegative() ? Integer(-1) : none;
  return std::nullopt;
}

/// The neighbour of a float in its own type.
static double nextAfter(double from, double to, DType type) {
  if (type == DType::F64 || std::isnan(from) || std::isnan(to) || from == to)
    return std::nextafter(from, to);
  APFloat value(from);
  bool isInexact = false;
  value.convert(type == DType::F32    ? APFloat::IEEEsingle()
                : type == DType::BF16 ? APFloat::BFloat()
                                      : APFloat::IEEEhalf(),
                APFloat::rmNearestTiesToEven, &isInexact);
  if (value.isZero())
    value = APFloat::getSmallest(value.getSemantics(), to < 0);
  else
    value.next(/*nextDown=*/to < from);
  return value.convertToDouble();
}

static Folded apply(ScalarFunction function, const Operands &operands,
                    DType type) {
  const Integer *a = operands[0].asInt();
  const Integer *b = operands.size() == 2 ? operands[1].asInt() : nullptr;
  if (a && b)
    if (std::optional<Integer> value = ofTypedIntegers(function, *a, *b, type))
      return Constant{*value};
  if (function == ScalarFunction::nextafter)
    return Constant{nextAfter(std::get<double>(operands[0].value),
                              std::get<double>(operands[1].value), type)};
  return fold(function, operands, FoldedIn::Consts);
}

std::optional<TypedConstant> ofType(const Constant &value, DType type) {
  std::optional<Constant> converted = convertConstant(value, type);
  if (!converted)
    return std::nullopt;
  return TypedConstant{*converted, type == DType::Bool ? std::nullopt
                                                       : std::optional(type)};
}

TypedFolded foldTyped(ScalarFunction function,
                      llvm::ArrayRef<TypedConstant> operands) {
  Operands values;
  llvm::SmallVector<ValueType, 3> types;
  for (const TypedConstant &operand : operands) {
    values.push_back(operand.value);
    types.push_back(typeOf(operand));
  }
  if (llvm::none_of(operands, [](const auto &each) { return each.type; })) {
    Folded folded = fold(function, values, FoldedIn::Consts);
    if (!folded.value)
      return {folded.outcome};
    return {Folded::Done, TypedConstant{*folded.value}};
  }
  const ScalarFunctionInfo &row = infoOf(function);
  if (row.inputs != operands.size() || row.outputs != 1)
    return {Folded::Left};
  std::optional<Application> application = resolveApplication(row, types);
  if (!application)
    return {Folded::Left};

  // Comparisons of integers and truth need no conversion.
  const bool isByValue =
      row.rule == LoopRule::Truth ||
      (row.rule == LoopRule::Compare &&
       llvm::all_of(values, [](auto &value) { return value.isInt(); }));
  for (auto [index, type] : llvm::enumerate(application->loop.inputs)) {
    Constant &value = values[index];
    if (isByValue)
      break;
    const Integer *integer = value.asInt();
    if (integer && !integer->toDouble())
      return {Folded::NoFloat};
    if (integer && !operands[index].type && isInteger(type) &&
        !holdsInteger(type, integer->bits()))
      return {Folded::Left, std::nullopt, index, type};
    std::optional<Constant> converted = convertConstant(value, type);
    if (!converted)
      return {Folded::Left};
    value = *converted;
  }
  Folded folded = apply(function, values, application->loop.inputs[0]);
  if (!folded.value)
    return {folded.outcome};
  std::optional<TypedConstant> result =
      ofType(*folded.value, application->results[0].carrier());
  if (!result)
    return {Folded::Left};
  return {Folded::Done, result};
}

} // namespace kern::compiler
