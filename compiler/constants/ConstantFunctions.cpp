//===- ConstantFunctions.cpp - functions of constants ---------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/constants/ConstantFunctions.h"

#include "compiler/constants/ConstantRules.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

namespace kern::compiler {

using Complex = std::complex<double>;
using ir::ScalarFunction;
using llvm::ArrayRef;

//===----------------------------------------------------------------------===//
// Three operands
//===----------------------------------------------------------------------===//

static Folded where(ArrayRef<Constant> operands) {
  const Constant &a = operands[1], &b = operands[2];
  if (!operands[0].isBool() || a.value.index() != b.value.index())
    return Folded::Left;
  return truth(operands[0]) ? a : b;
}

static Folded clip(ArrayRef<Constant> operands) {
  Folded bounded =
      fold(ScalarFunction::maximum, operands.take_front(2), FoldedIn::Consts);
  if (!bounded.value)
    return bounded;
  return fold(ScalarFunction::minimum, {*bounded.value, operands[2]},
              FoldedIn::Consts);
}

namespace {
/// For `const`s alone.
struct Ternary {
  ScalarFunction function;
  Folded (*apply)(ArrayRef<Constant> operands);
};
} // namespace

static const Ternary ternaryRules[] = {{ScalarFunction::where, where},
                                       {ScalarFunction::clip, clip}};

//===----------------------------------------------------------------------===//
// Choosing a rule
//===----------------------------------------------------------------------===//

/// Null without a rule.
template <typename Row>
static const Row *find(ArrayRef<Row> rows, ScalarFunction function) {
  const Row *found = llvm::find_if(
      rows, [&](const Row &row) { return row.function == function; });
  return found == rows.end() ? nullptr : found;
}

template <typename... Operands>
static Folded apply(const Rule<Operands...> &rule, FoldedIn where,
                    std::type_identity_t<Operands>... operands) {
  if (!rule || (where == FoldedIn::Bodies && !rule.inBodies))
    return Folded::Left;
  return rule.apply(operands...);
}

static Folded foldUnary(const UnaryRule &row, const Constant &operand,
                        FoldedIn where) {
  if (row.truths)
    return apply(row.truths, where, truth(operand));
  if (operand.isBool()) // bools are typed: NumPy's rules apply, not Python's
    return Folded::Left;
  if (const Complex *value = std::get_if<Complex>(&operand.value))
    return apply(row.complexes, where, *value);
  const Integer *integer = operand.asInt();
  if (integer && row.integers)
    return apply(row.integers, where, *integer);
  // For an integer beyond the largest float, the rule is applied to 1 to see
  // whether it folds at all.
  std::optional<double> real = toReal(operand);
  Folded result = apply(row.reals, where, real.value_or(1));
  return !real && result.value ? Folded::NoFloat : result;
}

static std::optional<int> orderOf(const Constant &a, const Constant &b) {
  const Integer *x = a.asInt(), *y = b.asInt();
  if (x && y)
    return x->compare(*y);
  if (x)
    return x->compare(std::get<double>(b.value));
  if (y) {
    std::optional<int> order = y->compare(std::get<double>(a.value));
    return order ? std::optional(-*order) : std::nullopt;
  }
  double left = std::get<double>(a.value), right = std::get<double>(b.value);
  if (std::isnan(left) || std::isnan(right))
    return std::nullopt;
  return left == right ? 0 : left < right ? -1 : 1;
}

static Folded foldBinary(const BinaryRule &row, const Constant &a,
                         const Constant &b, FoldedIn where) {
  if (row.truths)
    return apply(row.truths, where, truth(a), truth(b));
  if (a.isBool() && b.isBool())
    return apply(row.bools, where, truth(a), truth(b));
  if (a.isBool() || b.isBool())
    return Folded::Left;
  if (a.isComplex() || b.isComplex()) {
    std::optional<Complex> x = toComplex(a), y = toComplex(b);
    Folded result = apply(row.complexes, where, x.value_or(1), y.value_or(1));
    return !(x && y) && result.value ? Folded::NoFloat : result;
  }
  if (row.ofOrder)
    return Constant{row.ofOrder(orderOf(a, b))};
  if (a.isInt() && b.isInt() && row.integers)
    return apply(row.integers, where, row.function, *a.asInt(), *b.asInt());
  std::optional<double> x = toReal(a), y = toReal(b);
  Folded result = apply(row.reals, where, x.value_or(1), y.value_or(1));
  return !(x && y) && result.value ? Folded::NoFloat : result;
}

Folded fold(ScalarFunction function, ArrayRef<Constant> operands,
            FoldedIn where) {
  if (operands.size() == 1)
    if (const UnaryRule *row = find(unaryRules(), function))
      return foldUnary(*row, operands[0], where);
  if (operands.size() == 2)
    if (const BinaryRule *row = find(binaryRules(), function))
      return foldBinary(*row, operands[0], operands[1], where);
  if (operands.size() == 3 && where == FoldedIn::Consts)
    if (const Ternary *row = find(ArrayRef<Ternary>(ternaryRules), function))
      return row->apply(operands);
  return Folded::Left;
}

std::vector<FoldedFunction> foldedFunctions() {
  std::vector<FoldedFunction> list;
  for (const UnaryRule &row : unaryRules())
    list.push_back({row.function, 1});
  for (const BinaryRule &row : binaryRules())
    list.push_back({row.function, 2});
  for (const Ternary &row : ternaryRules)
    list.push_back({row.function, 3});
  return list;
}

} // namespace kern::compiler
