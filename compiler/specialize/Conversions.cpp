//===- Conversions.cpp - conversions that need no word --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/specialize/Specializer.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;
using namespace runtime;

/// What a value is on the paths that lead to it, and what it is computed from.
static SmallVector<Value> sourcesOf(Value value) {
  SmallVector<Value> sources;
  if (Operation *op = value.getDefiningOp()) {
    if (isa<ApplyOp, AccumulatorOp>(op))
      llvm::append_range(sources, op->getOperands());
    return sources;
  }
  auto argument = cast<BlockArgument>(value);
  for (BlockOperand &edge : argument.getOwner()->getUses())
    if (auto branch = dyn_cast<cf::BranchOp>(edge.getOwner()))
      sources.push_back(branch.getDestOperands()[argument.getArgNumber()]);
  return sources;
}

std::string Specializer::integersHelp(Value value) const {
  // All that made it a float, back to the integers: a loop may have carried it.
  bool hasUnsigned = false, hasSigned = false, isSum = false;
  llvm::SmallSetVector<Value, 8> values;
  if (value)
    values.insert(value);
  for (size_t i = 0; i < values.size(); ++i) {
    const SmallVector<Value> sources = sourcesOf(values[i]);
    auto apply = values[i].getDefiningOp<ApplyOp>();
    if (sources.empty())
      return ""; // it was a float before
    unsigned floats = 0, signeds = 0, unsigneds = 0;
    for (Value source : sources) {
      std::optional<ValueType> type = types.type(source);
      if (!type || (!isInteger(type->carrier()) &&
                    (type->isWeak() || type->carrier() != DType::F64)))
        return "";
      if (!isInteger(type->carrier())) {
        values.insert(source);
        ++floats;
        continue;
      }
      const bool isUnsigned = type->carrier() == DType::U64;
      auto carried = source.getDefiningOp<AccumulatorOp>();
      unsigneds += isUnsigned;
      signeds += apply && isSigned(type->carrier());
      isSum |= isUnsigned && (source.getDefiningOp<ReduceOp>() ||
                              (carried && carried.getAccumulates()));
    }
    if (apply && floats == 0 &&
        apply.getFunction() == ScalarFunction::true_divide)
      return "`/` gives a float; integers are divided by `//`";
    if (apply && floats == 0 && !(unsigneds && signeds))
      return ""; // such as a root
    hasUnsigned |= unsigneds > 0;
    hasSigned |= signeds > 0;
  }
  if (!hasUnsigned || !hasSigned)
    return "";
  const std::string rule = "it is f64 by NumPy's rule, since u64 and signed "
                           "integers have no integer type in common; ";
  return rule + (isSum ? "the sum of unsigned numbers is u64, unless it is "
                         "declared, `s: i64 = 0`, or converted, `i64(…)`"
                       : "convert one of the two before they meet: `u64(…)` "
                         "or `i64(…)`");
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

void Specializer::reportIndex(Value index, Location loc, StringRef range) {
  const ValueType type = *types.type(index);
  std::string help = integersHelp(index);
  const bool isReal = isFloat(type.carrier());
  if (help.empty() && isReal && !range.empty())
    help = "convert it: `int(…)`; for steps of a fraction count in integers "
           "and multiply: `x = 0.1 * i`";
  else if (help.empty() && isReal)
    help = "convert a float where it comes in: `i = int(x)`";
  else if (help.empty() && type.carrier() != DType::Bool)
    help = "take its real part first";
  else if (help.empty())
    help = range.empty() ? "choose by it: `a[1] if c else a[0]`"
                         : "convert it: `int(…)`";
  report(Diag::index_type, loc,
         {range.empty() ? "an index must be an integer"
                        : "`" + range.str() + "` takes integers",
          describe(type)},
         help);
}

} // namespace kern::compiler
