//===- Callees.cpp - typed form of inlined calls and conversions ----------===//
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
using runtime::DType;

/// Whether only the type of a value is used.
static bool standsForType(Value value) {
  auto enter = value.getDefiningOp<EnterOp>();
  if (!enter)
    return isa<ArrayType>(value.getType());
  unsigned number = cast<OpResult>(value).getResultNumber();
  return number >= enter.getOperands().size() ||
         standsForType(enter.getOperands()[number]);
}

void Specializer::cloneEnter(EnterOp enter) {
  SmallVector<ValueType> operands;
  for (Value operand : enter.getOperands()) {
    std::optional<ValueType> type = need(operand, enter.getLoc());
    if (!type)
      return;
    operands.push_back(*type);
  }
  std::optional<LoopEntry> entered = enterLoop(enter, operands);
  if (!entered) {
    std::string text;
    for (ValueType type : operands)
      text += (text.empty() ? "" : ", ") + describe(type);
    report(Diag::no_loop, enter.getLoc(), {enter.getCallee().str(), text},
           describeRefusal(enter, operands));
    return;
  }
  SmallVector<DType> computed;
  for (ValueType type :
       ArrayRef<ValueType>(entered->results).take_front(operands.size()))
    computed.push_back(type.carrier());
  remarkOnWidening(enter.getLoc(), operands, computed);
  for (auto [operand, result, type] :
       llvm::zip(enter.getOperands(), enter.getResults(), entered->results)) {
    if (standsForType(operand))
      continue;
    Value value = get(operand, type.carrier(), enter.getLoc());
    if (!value)
      return;
    values[result] = value;
  }
}

void Specializer::cloneCast(Operation &op, Value value,
                            std::optional<DType> target, CastMode mode) {
  Location loc = op.getLoc();
  std::optional<ValueType> from = need(value, loc);
  if (!target || !from)
    return;
  if (isComplex(from->carrier()) && !isComplex(*target) &&
      *target != DType::Bool) {
    report(Diag::complex_to_real, loc,
           {from->isWeak() ? "number" : describe(*from),
            std::string(name(*target))},
           "take `real(z)`, `imag(z)` or `abs(z)`");
    return;
  }
  if (mode == CastMode::SameKind &&
      !checkSameKind(from, *target, Diag::annotation_cast, loc))
    return;
  isConverting = mode == CastMode::Explicit;
  if (Value converted = get(value, *target, loc))
    values[op.getResult(0)] = converted;
  isConverting = false;
}

} // namespace kern::compiler
