//===- Operations.cpp - making operations ---------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/constants/ConstantFunctions.h"
#include "compiler/lowering/FunctionLowering.h"
#include "compiler/source/FreeMemory.h"
#include "dialects/Kern/ScalarFunctions.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;

Attribute attributeOf(Builder &builder, const Constant &constant) {
  if (const bool *flag = std::get_if<bool>(&constant.value))
    return builder.getBoolAttr(*flag);
  if (const Integer *integer = constant.asInt()) {
    const APInt &bits = integer->bits();
    return IntegerAttr::get(builder.getIntegerType(bits.getBitWidth()), bits);
  }
  if (const double *number = std::get_if<double>(&constant.value))
    return builder.getF64FloatAttr(*number);
  auto value = std::get<std::complex<double>>(constant.value);
  return builder.getArrayAttr({builder.getF64FloatAttr(value.real()),
                               builder.getF64FloatAttr(value.imag())});
}

Value FunctionLowering::materialize(const Number &scalar, Span span) {
  if (!scalar.constant)
    return scalar.value;
  Attribute attribute = attributeOf(builder, *scalar.constant);
  // A constant keeps its own place, for messages about what it meets.
  Location place = scalar.written ? Location(scalar.written) : loc(span);
  return ConstantOp::create(builder, place, OpenType::get(builder.getContext()),
                            attribute);
}

Value FunctionLowering::constantInt(int64_t value, Span span) {
  return materialize({nullptr, Constant{Integer(value)}}, span);
}

/// The name of the function that is lowered, not of one inlined into it.
static const std::string &outermostName(const FunctionLowering &fn) {
  const Frame *frame = fn.frame;
  while (const Frame *caller = frame->caller())
    frame = caller;
  return frame->function.name.name;
}

bool FunctionLowering::countWork(size_t amount, Span span) {
  if (budget.work >= Budget::maxWork) // reported when it was first exceeded
    return false;
  budget.work += amount;
  if (budget.work < Budget::maxWork)
    return true;
  error(
      Diag::specialization_too_large, span,
      {outermostName(*this), std::to_string(Budget::maxWork) + " expressions"});
  return false;
}

Value FunctionLowering::applyValues(ScalarFunction function,
                                    ArrayRef<Value> operands, Span span) {
  // The size of the text does not bound the memory that inlining takes.
  if (budget.operations % 1024 == 0)
    requireMemory(StepMemory::minimum);
  if (++budget.operations == Budget::maxOperations)
    error(Diag::specialization_too_large, span,
          {outermostName(*this),
           std::to_string(Budget::maxOperations) + " operations"});
  SmallVector<Type> types(infoOf(function).outputs,
                          OpenType::get(builder.getContext()));
  return ApplyOp::create(builder, loc(span), types, function, operands)
      .getResult(0);
}

/// Whether a negative number beside u64, which is large then, gives what nobody
/// means. Sums, differences and products wrap to what they are without.
static bool isWrongForWrapped(ScalarFunction function) {
  using enum ScalarFunction;
  return function == floor_divide || function == remainder ||
         function == fmod || function == maximum || function == minimum ||
         function == right_shift;
}

/// Applies a function to numbers; with `--check=bounds`, to index values beside
/// u64 only if they are not negative.
static Value applyChecked(FunctionLowering &fn, ScalarFunction function,
                          ArrayRef<Number> operands, Span span) {
  SmallVector<Value> values;
  for (const Number &operand : operands)
    values.push_back(fn.materialize(operand, span));
  Value result = fn.applyValues(function, values, span);
  if (!fn.checks.bounds || values.size() < 2 || !isWrongForWrapped(function))
    return result;
  Block *then = fn.newBlock(), *after = fn.newBlock();
  auto wide = TypeAttr::get(fn.builder.getIntegerType(64, /*isSigned=*/false));
  Value isWide =
      TypeOfIsOp::create(fn.builder, fn.loc(span), fn.builder.getI1Type(),
                         result, fn.builder.getArrayAttr(wide));
  cf::CondBranchOp::create(fn.builder, fn.loc(span), isWide, then, after);
  fn.builder.setInsertionPointToStart(then);
  // A shift's count may be negative: it is then beyond the width.
  if (function == ScalarFunction::right_shift)
    values.pop_back();
  for (Value value : values) {
    Value isIndex = fn.applyValues(ScalarFunction::greater_equal,
                                   {value, fn.constantInt(0, span)}, span);
    AssertOp::create(fn.builder, fn.loc(span), fn.truthOf({isIndex, {}}, span),
                     "a negative index value beside a u64");
  }
  cf::BranchOp::create(fn.builder, fn.loc(span), after);
  fn.builder.setInsertionPointToStart(after);
  return result;
}

Number FunctionLowering::apply(ScalarFunction function,
                               ArrayRef<Number> operands, Span span) {
  SmallVector<Constant> constants;
  for (const Number &operand : operands)
    if (operand.constant)
      constants.push_back(*operand.constant);
  if (constants.size() == operands.size()) {
    Folded folded = fold(function, constants);
    if (folded.value)
      return {nullptr, folded.value};
    if (reportFold(folded.outcome, span, diagnostics)) {
      failed = true;
      return {nullptr, Constant{Integer(0)}};
    }
  }
  return {applyChecked(*this, function, operands, span), std::nullopt};
}

Number FunctionLowering::applyChained(ScalarFunction function,
                                      ArrayRef<Number> operands, Span span) {
  const size_t inputs = infoOf(function).inputs;
  if (operands.size() == inputs)
    return apply(function, operands, span);
  // Constants fold pairwise where that cannot change a type: not where bools,
  // which have a type, meet weak numbers.
  const auto isFolded = [&](const Number &each) {
    return each.constant &&
           each.constant->isBool() == operands.front().constant->isBool();
  };
  if (operands.front().constant && llvm::all_of(operands, isFolded)) {
    Number result = apply(function, operands.take_front(inputs), span);
    for (const Number &next : operands.drop_front(inputs))
      result = apply(function, {result, next}, span);
    return result;
  }
  return {applyChecked(*this, function, operands, span), std::nullopt};
}

Number FunctionLowering::convert(const Number &scalar, TypeName target,
                                 CastMode mode, Span span) {
  Type open = OpenType::get(builder.getContext());
  Value value = materialize(scalar, span);
  auto attribute = CastModeAttr::get(builder.getContext(), mode);
  if (target.like)
    return {CastLikeOp::create(builder, loc(span), open, value, target.like,
                               attribute),
            std::nullopt};
  return {CastOp::create(builder, loc(span), open, value, target.attribute,
                         attribute),
          std::nullopt};
}

Number FunctionLowering::bits(const Number &scalar, TypeName target,
                              Span span) {
  return {
      BitsOp::create(builder, loc(span), OpenType::get(builder.getContext()),
                     materialize(scalar, span), target.attribute, target.like),
      std::nullopt};
}

Value FunctionLowering::truthOf(const Number &scalar, Span span) {
  // The truth of a constant is known now.
  Value number =
      scalar.constant
          ? materialize({nullptr, Constant{truth(*scalar.constant)}}, span)
          : scalar.value;
  return TruthOp::create(builder, loc(span), builder.getI1Type(), number);
}

Value FunctionLowering::opened(Value i1, Span span) {
  return CastOp::create(
      builder, loc(span), OpenType::get(builder.getContext()), i1,
      TypeAttr::get(builder.getI1Type()),
      CastModeAttr::get(builder.getContext(), CastMode::Explicit));
}

Value FunctionLowering::indexValue(Value value, Span span, StringRef range) {
  return IndexOp::create(
      builder, loc(span), OpenType::get(builder.getContext()), value,
      range.empty() ? StringAttr() : builder.getStringAttr(range));
}

} // namespace kern::compiler
