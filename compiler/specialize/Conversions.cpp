//===- Conversions.cpp - conversions that need no word --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/specialize/Specializer.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;
using namespace runtime;

std::string Specializer::integersHelp(Value value) const {
  auto apply = value ? value.getDefiningOp<ApplyOp>() : ApplyOp();
  if (!apply || apply.getOperands().size() != 2)
    return "";
  bool hasUnsigned = false, hasSigned = false;
  for (Value operand : apply.getOperands()) {
    std::optional<ValueType> type = types.type(operand);
    if (!type || !isInteger(type->carrier()))
      return "";
    hasUnsigned |= type->carrier() == DType::U64;
    hasSigned |= isSigned(type->carrier());
  }
  if (apply.getFunction() == ScalarFunction::true_divide)
    return "`/` gives a float; integers are divided by `//`";
  if (!hasUnsigned || !hasSigned)
    return "";
  return "it is f64 by NumPy's rule, since u64 and signed integers have no "
         "integer type in common; a sum of unsigned numbers is u64, unless it "
         "is declared, `s: i64 = 0`; else convert one of the two before they "
         "meet: `i64(…)`";
}

bool Specializer::checkSameKind(std::optional<ValueType> from, DType to,
                                Diag diag, Location loc, Value value) {
  if (!from)
    return false;
  bool ok = false;
  switch (from->form) {
  case ValueType::Typed:
    ok = canCastSameKind(from->dtype, to);
    break;
  case ValueType::WeakInt:
  case ValueType::Index:
    ok = to != DType::Bool;
    break;
  case ValueType::WeakFloat:
    ok = isFloat(to) || isComplex(to);
    break;
  case ValueType::WeakComplex:
    ok = isComplex(to);
    break;
  }
  if (ok)
    return true;
  std::string help = isInteger(to) ? integersHelp(value) : "";
  if (help.empty())
    help = "convert it: `" + std::string(name(to)) + "(…)`";
  if (!from->isWeak() && isComplex(from->dtype) && !isComplex(to))
    help = "take `real(…)`, or `abs(…)`";
  report(diag, loc, {describe(*from), std::string(name(to))}, help);
  return false;
}

void Specializer::reportIndex(Value index, Location loc) {
  const ValueType type = *types.type(index);
  std::string help = integersHelp(index);
  if (help.empty() && isFloat(type.carrier()))
    help = "indices, and the bounds of `range`, are integers: convert a float, "
           "`i = int(x)`, where it comes in";
  else if (help.empty())
    help = type.carrier() == DType::Bool ? "choose by it: `a[1] if c else a[0]`"
                                         : "take its real part first";
  report(Diag::index_type, loc, {describe(type)}, help);
}

} // namespace kern::compiler
