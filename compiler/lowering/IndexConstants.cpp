//===- IndexConstants.cpp - indices that are constants --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `const K: i64 = 3` has a type, and so has what is computed from it, `-K`.
// Elsewhere such a constant is an operation, whose type decides; as an index or
// a size it is the number that it is, like a literal.
//
//===----------------------------------------------------------------------===//

#include "compiler/constants/TypedConstants.h"
#include "compiler/dependence/Counting.h"
#include "compiler/lowering/Arrays.h"
#include "compiler/lowering/Ranks.h"
#include "compiler/modules/Names.h"
#include "dialects/Kern/ElementTypes.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;

/// The value of an operation on constants. Subtracts the operations from the
/// budget; nothing without one.
static std::optional<TypedConstant> valueOf(Value value, unsigned &budget) {
  if (budget == 0)
    return std::nullopt;
  --budget;
  if (auto constant = value.getDefiningOp<ConstantOp>()) {
    const std::optional<APInt> bits = constant.integer();
    const std::optional<Integer> integer =
        bits ? Integer::of(*bits) : std::nullopt;
    return integer ? std::optional(TypedConstant{Constant{*integer}})
                   : std::nullopt;
  }
  if (auto cast = value.getDefiningOp<CastOp>()) {
    const auto target = dyn_cast<TypeAttr>(cast.getTarget());
    const std::optional<runtime::DType> type =
        target ? toDType(target.getValue()) : std::nullopt;
    if (!type || !runtime::isInteger(*type))
      return std::nullopt;
    const std::optional<TypedConstant> number =
        valueOf(cast.getValue(), budget);
    return number ? ofType(number->value, *type) : std::nullopt;
  }
  auto apply = value.getDefiningOp<ApplyOp>();
  if (!apply)
    return std::nullopt;
  SmallVector<TypedConstant> operands;
  for (Value operand : apply.getOperands()) {
    std::optional<TypedConstant> number = valueOf(operand, budget);
    if (!number)
      return std::nullopt;
    operands.push_back(std::move(*number));
  }
  return foldTyped(apply.getFunction(), operands).result;
}

Number asConstantIndex(const Number &index) {
  unsigned budget = 16;
  std::optional<TypedConstant> known =
      index.value ? valueOf(index.value, budget) : std::nullopt;
  return known && known->value.isInt() ? Number{nullptr, known->value} : index;
}

std::optional<Constant> constantOf(const NamesInBody &names,
                                   const syntax::Expr &expr) {
  auto folded = [&](ScalarFunction function,
                    ArrayRef<const syntax::Expr *> operands) {
    SmallVector<Constant> values;
    for (const syntax::Expr *operand : operands)
      if (std::optional<Constant> value = constantOf(names, *operand))
        values.push_back(*value);
    return values.size() == operands.size() ? fold(function, values).value
                                            : std::nullopt;
  };
  if (const auto *literal = expr.as<syntax::IntegerLiteral>())
    return Constant{Integer::ofWords(literal->words)};
  if (const auto *unary = expr.as<syntax::Unary>())
    return folded(functionOf(unary->op), {unary->operand.get()});
  if (const auto *binary = expr.as<syntax::Binary>())
    return binary->op == syntax::BinaryOp::MatMul
               ? std::nullopt
               : folded(functionOf(binary->op),
                        {binary->left.get(), binary->right.get()});
  if (const auto *call = expr.as<syntax::Call>()) {
    const auto *argument = call->arguments.size() == 1
                               ? call->arguments[0]->as<syntax::Name>()
                               : nullptr;
    const auto *called = call->function->as<syntax::Name>();
    auto found = argument ? names.env.find(argument->name) : names.env.end();
    const auto *tuple =
        found == names.env.end() ? nullptr : found->second.as<Tuple>();
    return tuple && called && called->name == "len"
               ? std::optional(Constant{Integer(tuple->elements().size())})
               : std::nullopt;
  }
  const auto *name = expr.as<syntax::Name>();
  if (!name)
    return std::nullopt;
  auto found = names.env.find(name->name);
  if (found == names.env.end()) {
    const NamedConstant *constant = names.scope.constant(name->name);
    return constant && !constant->isTuple && constant->shape.empty()
               ? std::optional(constant->value)
               : std::nullopt;
  }
  const auto *number = found->second.as<Number>();
  if (!number || (!number->constant && !number->value))
    return std::nullopt;
  const Number known = asConstantIndex(*number);
  if (known.constant)
    return known.constant;
  const std::optional<int64_t> counter = knownInteger(known.value);
  return counter ? std::optional(Constant{Integer(*counter)}) : std::nullopt;
}

} // namespace kern::compiler
