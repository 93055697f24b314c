//===- RefusedOperands.cpp - operands that no loop takes ------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/modules/Names.h"
#include "compiler/specialize/Specializer.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;
using runtime::DType;

/// Advice for an operator that the operands' type lacks.
static std::string operatorHelp(ScalarFunction function) {
  using enum ScalarFunction;
  if (function == bitwise_xor)
    return "it is the exclusive or of integers; a power is written `**`";
  if (function == subtract || function == negative)
    return "use `^` or `not` on bools, or convert them: `int(…)`";
  if (function == invert || function == bitwise_and || function == bitwise_or)
    return "it is an operator on the bits of integers; conditions are joined "
           "by `and`, `or` and `not`";
  if (function == left_shift || function == right_shift)
    return "it is an operator on integers; multiply by a power of two: "
           "`x * 2 ** n`";
  if (function == floor_divide || function == remainder)
    return "complex numbers have no order and so no quotient rounded down";
  return infoOf(function).inputs == 1 ? "it needs a number" : "";
}

/// Advice for u64 beside a signed integer, which have no integer type in
/// common;
/// "" for other operands.
static std::string mixedSignsHelp(ArrayRef<ValueType> operands) {
  const bool hasLarge =
      llvm::is_contained(operands, ValueType{ValueType::Typed, DType::U64});
  const bool hasSigned = llvm::any_of(operands, [](ValueType type) {
    return type.form == ValueType::Typed && isInteger(type.dtype) &&
           isSigned(type.dtype);
  });
  return hasLarge && hasSigned
             ? "u64 and signed integers have no integer type in common, by "
               "NumPy's rule; convert one of the two: `u64(…)` or `i64(…)`"
             : "";
}

void Specializer::refuseOperands(ApplyOp apply,
                                 const ScalarFunctionInfo &function,
                                 ArrayRef<ValueType> operands) {
  std::string text;
  for (ValueType type : operands)
    text += (text.empty() ? "" : ", ") + describe(type);
  const bool isUnary = operands.size() == 1;
  StringRef op = operatorOf(function.function, isUnary);
  const std::string mixed = mixedSignsHelp(operands);
  if (!op.empty() && !isCallText(sourceText(apply.getLoc()))) {
    report(Diag::no_operator, apply.getLoc(), {op.str(), text},
           mixed.empty() ? operatorHelp(function.function) : mixed);
    return;
  }
  std::string help;
  if (!mixed.empty())
    help = mixed;
  else if (function.rule == LoopRule::Bitwise ||
           function.rule == LoopRule::Integer ||
           function.rule == LoopRule::BitPosition ||
           function.rule == LoopRule::IntegerNoBool)
    help = "it is a function of integers";
  else if (function.rule == LoopRule::ArithmeticNoBool)
    help = operatorHelp(ScalarFunction::subtract);
  report(Diag::no_function_for_type, apply.getLoc(),
         {function.name.str(), text}, help);
}

} // namespace kern::compiler
