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

void Specializer::cloneBits(BitsOp bits) {
  Location loc = bits.getLoc();
  std::optional<ValueType> from = need(bits.getValue(), loc);
  std::optional<ValueType> to = need(bits.getResult(), loc);
  if (!from || !to)
    return;
  const DType source = from->carrier(), target = to->carrier();
  auto isReal = [](DType type) { return isInteger(type) || isFloat(type); };
  auto size = [](DType type) {
    return std::string(name(type)) + " has " +
           std::to_string(itemSize(type) * 8) + " bits";
  };
  if (!isReal(source) || !isReal(target)) {
    report(Diag::view_type, loc,
           {describe(*from), describe(*to), "views are of integers and floats"},
           isComplex(source) || isComplex(target)
               ? "take `real(z)` and `imag(z)`, and view those"
               : "a bool is converted: `u8(x)`");
    return;
  }
  if (itemSize(source) != itemSize(target)) {
    report(Diag::view_type, loc,
           {describe(*from), describe(*to),
            size(source) + ", and " + size(target)},
           "view it as `u" + std::to_string(itemSize(source) * 8) +
               "`, or convert it first, to a type of " +
               std::to_string(itemSize(target) * 8) + " bits");
    return;
  }
  Value value = get(bits.getValue(), source, loc);
  if (value && source != target)
    value = BitsOp::create(builder, loc, toType(context, target), value,
                           TypeAttr::get(toType(context, target)), Value());
  if (value)
    values[bits.getResult()] = value;
}

} // namespace kern::compiler
