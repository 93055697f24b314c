//===- SameExtents.cpp - equal indices and extents ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/dependence/Counting.h"
#include "compiler/lowering/Arrays.h"
#include "compiler/lowering/WholeArrays.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;

static bool isSameIndex(Value a, Value b, unsigned depth) {
  if (a == b)
    return true;
  if (!a || !b || depth == 0)
    return false;
  if (std::optional<int64_t> known = knownInteger(a))
    return known == knownInteger(b);
  Operation *x = a.getDefiningOp(), *y = b.getDefiningOp();
  if (!x || !y || !isa<ApplyOp, IndexOp, DimOp>(x) ||
      x->getName() != y->getName() || x->getAttrs() != y->getAttrs() ||
      x->getPropertiesAsAttribute() != y->getPropertiesAsAttribute() ||
      x->getNumOperands() != y->getNumOperands())
    return false;
  return llvm::all_of(
      llvm::zip(x->getOperands(), y->getOperands()), [&](auto pair) {
        return isSameIndex(std::get<0>(pair), std::get<1>(pair), depth - 1);
      });
}

bool isSameIndex(Value a, Value b) {
  constexpr unsigned deepest = 8;
  return isSameIndex(a, b, deepest);
}

namespace {
/// A sum of multiples of values.
struct LinearSum {
  int64_t constant = 0;
  SmallVector<std::pair<Value, int64_t>> terms;

  void add(Value value, int64_t factor) {
    for (auto &[term, count] : terms)
      if (isSameIndex(term, value)) {
        count += factor;
        return;
      }
    terms.push_back({value, factor});
  }
};
} // namespace

/// Adds an extent to a sum. A slice that ends before it begins is empty, and so
/// are the loops over a negative extent: `max(e, 0)` counts as e.
static void addExtent(LinearSum &sum, Value value, int64_t factor,
                      unsigned depth = 8) {
  if (std::optional<int64_t> known = knownInteger(value)) {
    sum.constant += factor * *known;
    return;
  }
  if (auto index = value.getDefiningOp<IndexOp>())
    return addExtent(sum, index.getValue(), factor, depth);
  auto apply = value.getDefiningOp<ApplyOp>();
  if (!apply || apply.getOperands().size() != 2 || depth == 0)
    return sum.add(value, factor);
  Value left = apply.getOperand(0), right = apply.getOperand(1);
  ScalarFunction function = apply.getFunction();
  if (function == ScalarFunction::add || function == ScalarFunction::subtract) {
    bool isSum = function == ScalarFunction::add;
    addExtent(sum, left, factor, depth - 1);
    addExtent(sum, right, isSum ? factor : -factor, depth - 1);
  } else if (function == ScalarFunction::maximum && knownInteger(right) == 0) {
    addExtent(sum, left, factor, depth - 1);
  } else {
    sum.add(value, factor);
  }
}

/// `isKnown`: the extents differ by a number that is known.
static std::string helpFor(Diag id, const std::string &name, bool isKnown) {
  const std::string oneName =
      "give both dimensions one name in the header, and each call checks that "
      "they are equal";
  if (id == Diag::product_extents)
    return "its dimensions have one name in the header; a transposed array is "
           "`b.T`";
  if (id != Diag::extents_differ)
    return oneName;
  return isKnown ? "take a slice of each, with equally many elements: `" +
                       name + "[1:] = x[:-1]`"
                 : oneName + "; or take a slice of equally many elements";
}

bool checkSameExtent(FunctionLowering &fn, const std::string &name,
                     Value target, Value value, Span span, Diag id) {
  LinearSum difference;
  addExtent(difference, target, 1);
  addExtent(difference, value, -1);
  const bool isKnown = llvm::all_of(
      difference.terms, [](const auto &term) { return term.second == 0; });
  if (isKnown && difference.constant == 0)
    return true;
  const bool isShape = isShapeValue(target) && isShapeValue(value);
  if (isKnown || isShape) {
    fn.error(id, span, {name}).help = helpFor(id, name, isKnown);
    return false;
  }
  if (fn.checks.bounds) {
    Value isSame = fn.truthOf(
        {fn.applyValues(ScalarFunction::equal, {target, value}, span), {}},
        span);
    AssertOp::create(fn.builder, fn.loc(span), isSame,
                     id == Diag::argument_extents
                         ? "the arguments of `" + name + "` agree in size"
                         : "`" + name +
                               "` and its value have equally many elements");
  }
  return true;
}

} // namespace kern::compiler
