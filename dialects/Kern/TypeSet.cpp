//===- TypeSet.cpp - the types that reach a value -------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Kern/TypeSet.h"

#include "llvm/Support/ErrorHandling.h"

namespace kern::ir {

using runtime::DType;
using runtime::DTypeSet;

DType ValueType::carrier() const {
  switch (form) {
  case Typed:
    return dtype;
  case WeakInt:
  case Index:
    return DType::I64;
  case WeakFloat:
    return DType::F64;
  case WeakComplex:
    return DType::C128;
  }
  llvm_unreachable("all forms are handled");
}

std::string describe(ValueType type) {
  switch (type.form) {
  case ValueType::Typed:
    return std::string(name(type.dtype));
  case ValueType::WeakInt:
    return "an int";
  case ValueType::Index:
    return "an index";
  case ValueType::WeakFloat:
    return "a float";
  case ValueType::WeakComplex:
    return "a complex number";
  }
  llvm_unreachable("all forms are handled");
}

std::string briefly(ValueType type) {
  const std::string text = describe(type);
  return text.substr(type.isWeak() ? text.find(' ') + 1 : 0);
}

void TypeSet::add(ValueType type) {
  if (type.isWeak())
    weak |= 1 << type.form;
  else
    typed = typed | DTypeSet::of(type.dtype);
}

ValueType TypeSet::type() const {
  if (typed.empty()) {
    for (auto form : {ValueType::WeakComplex, ValueType::WeakFloat,
                      ValueType::Index, ValueType::WeakInt})
      if (has(form))
        return {form, DType::F64};
    llvm_unreachable("the set is empty");
  }
  DType type = resultType(typed);
  bool isInexact = isFloat(type) || isComplex(type);
  if (has(ValueType::WeakComplex) && !isComplex(type)) {
    bool isSingle =
        type == DType::F32 || type == DType::F16 || type == DType::BF16;
    return {ValueType::Typed, isSingle ? DType::C64 : DType::C128};
  }
  if (has(ValueType::WeakFloat) && !isInexact)
    return {ValueType::Typed, DType::F64};
  // NumPy would make f64 of u64 and i64, which no index can be.
  if (has(ValueType::Index) && !isInexact && type != DType::U64)
    return {ValueType::Typed, resultType(type, DType::I64)};
  if (has(ValueType::WeakInt) && type == DType::Bool)
    return {ValueType::Typed, DType::I64};
  return {ValueType::Typed, type};
}

llvm::SmallVector<ValueType, 4>
countedTypes(llvm::ArrayRef<ValueType> arguments) {
  DTypeSet weak, typed;
  for (ValueType argument : arguments) {
    DTypeSet &set = argument.isWeak() ? weak : typed;
    set = set | DTypeSet::of(argument.carrier());
  }
  const bool yields = givesWay(weak, typed);
  const bool toIntegers =
      !givesWay(DTypeSet::of(DType::F64), typed); // and no further
  llvm::SmallVector<ValueType, 4> counted(arguments);
  for (ValueType &argument : counted)
    if (!yields || (argument.form == ValueType::Index && toIntegers))
      argument = {ValueType::Typed, argument.carrier()};
  return counted;
}

ValueType common(llvm::ArrayRef<ValueType> types) {
  TypeSet set;
  for (ValueType type : types)
    set.add(type);
  return set.type();
}

} // namespace kern::ir
