//===- SameExtents.cpp - equal indices and extents ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/dependence/Counting.h"
#include "compiler/lowering/Arrays.h"
#include "compiler/lowering/WholeArrays.h"

#include "llvm/Support/MathExtras.h"

#include <memory>

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
/// A sum of multiples of values, and of quotients of such sums by constants.
class LinearSum {
public:
  /// Adds an extent. A slice that ends before it begins is empty, and so are
  /// the loops over a negative extent: `max(e, 0)` counts as e.
  void add(Value value, int64_t factor) {
    unsigned visits = 256; // values that use an operand twice can be nested
    add(value, factor, visits);
  }

  int64_t constant = 0;
  /// Whether the sum is `constant`.
  bool isKnown() const {
    return llvm::all_of(terms, [](const Term &t) { return t.factor == 0; });
  }

private:
  /// `factor * value`, or, without a value, `factor * (dividend // divisor)`.
  struct Term {
    Value value;
    std::shared_ptr<LinearSum> dividend;
    int64_t divisor, factor;
  };
  void add(Value value, int64_t factor, unsigned &visits);
  void add(const Term &term, int64_t factor);
  void addQuotient(LinearSum dividend, int64_t divisor, int64_t factor);
  static bool isSame(const Term &a, const Term &b);

  SmallVector<Term> terms;
};
} // namespace

bool LinearSum::isSame(const Term &a, const Term &b) {
  if (a.value || b.value)
    return a.value && b.value && isSameIndex(a.value, b.value);
  LinearSum difference = *a.dividend;
  difference.constant -= b.dividend->constant;
  for (const Term &term : b.dividend->terms)
    difference.add(term, -term.factor);
  return a.divisor == b.divisor && difference.constant == 0 &&
         difference.isKnown();
}

void LinearSum::add(const Term &added, int64_t factor) {
  for (Term &term : terms)
    if (isSame(term, added)) {
      term.factor += factor;
      return;
    }
  terms.push_back(added);
  terms.back().factor = factor;
}

/// Multiples of the divisor are taken out, so that `(n - 1) // 2` is
/// `(n + 1) // 2 - 1`, and `(n // 2) // 3` is `n // 6`.
void LinearSum::addQuotient(LinearSum dividend, int64_t divisor,
                            int64_t factor) {
  constexpr int64_t largest = int64_t(1) << 31;
  const int64_t whole = llvm::divideFloorSigned(dividend.constant, divisor);
  constant += factor * whole;
  dividend.constant -= whole * divisor;
  for (Term &term : dividend.terms)
    if (term.factor % divisor == 0) {
      add(term, factor * (term.factor / divisor));
      term.factor = 0;
    }
  llvm::erase_if(dividend.terms, [](const Term &t) { return t.factor == 0; });
  if (dividend.terms.empty())
    return;
  const Term &only = dividend.terms.front();
  if (dividend.terms.size() == 1 && !only.value && only.factor == 1 &&
      std::max(divisor, only.divisor) <= largest) {
    LinearSum inner = *only.dividend;
    inner.constant += dividend.constant * only.divisor;
    return addQuotient(std::move(inner), divisor * only.divisor, factor);
  }
  add({Value(), std::make_shared<LinearSum>(std::move(dividend)), divisor, 0},
      factor);
}

void LinearSum::add(Value value, int64_t factor, unsigned &visits) {
  if (std::optional<int64_t> known = knownInteger(value)) {
    constant += factor * *known;
    return;
  }
  if (auto index = value.getDefiningOp<IndexOp>())
    return add(index.getValue(), factor, visits);
  auto apply = value.getDefiningOp<ApplyOp>();
  if (apply && apply.getOperands().size() == 2 && visits != 0) {
    --visits;
    Value left = apply.getOperand(0), right = apply.getOperand(1);
    std::optional<int64_t> other = knownInteger(right);
    switch (apply.getFunction()) {
    case ScalarFunction::add:
      add(left, factor, visits);
      return add(right, factor, visits);
    case ScalarFunction::subtract:
      add(left, factor, visits);
      return add(right, -factor, visits);
    case ScalarFunction::maximum:
      if (other == 0)
        return add(left, factor, visits);
      break;
    case ScalarFunction::floor_divide:
      if (other && *other > 0) {
        LinearSum dividend;
        dividend.add(left, 1, visits);
        return addQuotient(std::move(dividend), *other, factor);
      }
      break;
    default:
      break;
    }
  }
  add({value, nullptr, 1, 0}, factor);
}

bool isSameExtent(Value a, Value b) {
  if (!a || !b)
    return a == b;
  LinearSum difference;
  difference.add(a, 1);
  difference.add(b, -1);
  return difference.isKnown() && difference.constant == 0;
}

bool areDifferent(Value a, Value b) {
  LinearSum difference;
  difference.add(a, 1);
  difference.add(b, -1);
  return difference.isKnown() && difference.constant != 0;
}

std::optional<int64_t> knownExtent(Value extent) {
  LinearSum sum;
  sum.add(extent, 1);
  return sum.isKnown() ? std::optional(std::max<int64_t>(sum.constant, 0))
                       : std::nullopt;
}

static std::string helpFor(Diag id, const std::string &name) {
  if (id == Diag::product_extents)
    return "its dimensions have one name in the header; a transposed array is "
           "`b.T`";
  const bool isName = llvm::all_of(
      name, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
  const std::string first = id == Diag::extents_differ && isName ? name : "y";
  return "take a slice of each, with equally many elements: `" + first +
         "[1:]` and `x[:-1]`";
}

/// `e` of `max(e, 0)`, which calls compare as 0 if it is negative.
static Value withoutBound(Value extent) {
  auto bound = extent.getDefiningOp<ApplyOp>();
  return bound && bound.getFunction() == ScalarFunction::maximum &&
                 knownInteger(bound.getOperand(1)) == 0
             ? withoutBound(bound.getOperand(0))
             : extent;
}

void requireExtent(FunctionLowering &fn, Value extent, int64_t least,
                   StringRef array, size_t axis, Span span) {
  // Checks of bounds find it on whichever path it is.
  const std::optional<int64_t> known = knownInteger(extent);
  if (least > known.value_or(0) && !fn.checks.bounds && isShapeValue(extent) &&
      !isLargeShape(extent))
    LeastExtentOp::create(fn.builder, fn.loc(span), withoutBound(extent), least,
                          array, axis);
}

bool checkSameExtent(FunctionLowering &fn, const std::string &name,
                     Value target, Value value, Span span, Diag id) {
  LinearSum difference;
  difference.add(target, 1);
  difference.add(value, -1);
  if (difference.isKnown()) {
    if (difference.constant != 0)
      fn.error(id, span, {name}).help = helpFor(id, name);
    return difference.constant == 0;
  }
  if (isShapeValue(target) && isShapeValue(value)) {
    if (isLargeShape(target) || isLargeShape(value)) {
      fn.error(id, span, {name}).help =
          "each call compares them, but not expressions of more than " +
          std::to_string(maxDimTerms) +
          " terms: take a size as a `dim` parameter";
      return false;
    }
    SameExtentOp::create(fn.builder, fn.loc(span), withoutBound(target),
                         withoutBound(value));
    return true;
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
