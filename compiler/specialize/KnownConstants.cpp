//===- KnownConstants.cpp - constants with a type -------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lowering folds weak constants. A constant with a type is a conversion, whose
// type may be a variable, and is known once that is.
//
//===----------------------------------------------------------------------===//

#include "compiler/specialize/Inference.h"
#include "dialects/Kern/ElementTypes.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;
using namespace runtime;

static std::optional<Constant> numberOf(ConstantOp op) {
  Attribute value = op.getValue();
  if (std::optional<APInt> bits = op.integer()) {
    std::optional<Integer> integer = Integer::of(*bits);
    return integer ? std::optional(Constant{*integer}) : std::nullopt;
  }
  if (auto flag = dyn_cast<BoolAttr>(value))
    return Constant{flag.getValue()};
  if (auto real = dyn_cast<FloatAttr>(value))
    return Constant{real.getValueAsDouble()};
  auto part = [&](unsigned index) {
    return cast<FloatAttr>(cast<ArrayAttr>(value)[index]).getValueAsDouble();
  };
  return Constant{std::complex<double>(part(0), part(1))};
}

std::optional<TypedConstant> InferredTypes::constant(Value value) const {
  if (auto op = value.getDefiningOp<ConstantOp>()) {
    std::optional<Constant> number = numberOf(op);
    return number ? std::optional(TypedConstant{*number}) : std::nullopt;
  }
  auto found = constants.find(value);
  return found != constants.end() ? std::optional(found->second) : std::nullopt;
}

void InferredTypes::findConstant(Operation &op) {
  std::optional<TypedConstant> result;
  if (isa<CastOp, CastLikeOp>(op)) {
    std::optional<TypedConstant> operand = constant(op.getOperand(0));
    Fact converted = fact(op.getResult(0));
    if (operand && !converted.set.empty() && !converted.set.type().isWeak())
      result = ofType(operand->value, converted.set.type().carrier());
  } else if (auto apply = dyn_cast<ApplyOp>(op)) {
    SmallVector<TypedConstant> operands;
    for (Value operand : apply.getOperands()) {
      std::optional<TypedConstant> known = constant(operand);
      if (!known)
        return;
      operands.push_back(*known);
    }
    result =
        foldTyped(infoOf(apply.getFunction()).name, operands, FoldedIn::Bodies)
            .result;
  } else if (auto truthOp = dyn_cast<TruthOp>(op)) {
    if (std::optional<TypedConstant> operand = constant(truthOp.getValue()))
      result = TypedConstant{{truth(operand->value)}};
  }
  if (!result)
    return;
  Value value = op.getResult(0);
  constants.insert_or_assign(value, *result);
  if (const bool *flag = std::get_if<bool>(&result->value.value))
    facts[value].flag = *flag ? Flag::True : Flag::False;
}

} // namespace kern::compiler
