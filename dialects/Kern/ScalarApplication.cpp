//===- ScalarApplication.cpp - the loop of an application -----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Kern/ScalarApplication.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

namespace kern::ir {

using runtime::DType;
using runtime::Kind;

ValueType weakResult(DType result, bool fromIndex) {
  switch (kindOf(result)) {
  case Kind::Bool:
    return {ValueType::Typed, DType::Bool};
  case Kind::Integer:
    return {fromIndex ? ValueType::Index : ValueType::WeakInt, DType::I64};
  case Kind::Float:
    return {ValueType::WeakFloat, DType::F64};
  case Kind::Complex:
    return {ValueType::WeakComplex, DType::C128};
  }
  llvm_unreachable("all kinds are handled");
}

std::optional<Application>
resolveApplication(const ScalarFunctionInfo &function,
                   llvm::ArrayRef<ValueType> operands) {
  bool allWeak = true, fromIndex = false;
  llvm::SmallVector<DType, 3> carriers;
  for (ValueType type : operands) {
    allWeak &= type.isWeak();
    fromIndex |= type.form == ValueType::Index;
    carriers.push_back(type.carrier());
  }
  // These promote only some of their operands together.
  llvm::ArrayRef<ValueType> meeting = operands;
  if (function.rule == LoopRule::Select)
    meeting = operands.drop_front();
  else if (function.rule == LoopRule::FloatAndInteger)
    meeting = operands.take_front();
  // NumPy takes the first float loop to which each integer converts on its
  // own: hypot(u16, i16) is f32, although the two promote to i32. Next to a
  // bf16 operand, that first loop is bf16's instead of f16's.
  llvm::SmallVector<ValueType, 4> counted;
  if (function.rule == LoopRule::Float ||
      function.rule == LoopRule::RealFloat) {
    bool beside =
        llvm::is_contained(operands, ValueType{ValueType::Typed, DType::BF16});
    counted = countedTypes(operands);
    for (ValueType &operand : counted)
      if (!operand.isWeak()) {
        DType type = floated(operand.dtype);
        if (beside && type == DType::F16 && operand.dtype != DType::F16)
          type = DType::BF16;
        operand = {ValueType::Typed, type};
      }
    meeting = counted;
  }
  ValueType type = common(meeting);
  // The first loop that takes a weak integer is f16's.
  if (function.rule == LoopRule::FloatAndInteger &&
      countedTypes(operands).front().form == ValueType::WeakInt)
    carriers[0] = DType::F16;
  if (function.rule == LoopRule::Select) {
    carriers[1] = carriers[2] = type.carrier();
    allWeak = type.isWeak();
  }
  std::optional<ScalarLoop> loop =
      scalarLoop(function, carriers, type.carrier());
  if (!loop)
    return std::nullopt;
  Application application{*loop, {}};
  for (DType output : loop->outputs)
    application.results.push_back(allWeak
                                      ? weakResult(output, fromIndex)
                                      : ValueType{ValueType::Typed, output});
  return application;
}

} // namespace kern::ir
