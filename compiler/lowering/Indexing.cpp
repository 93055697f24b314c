//===- Indexing.cpp - indices and slices of views -------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/Arrays.h"

#include "compiler/dependence/Counting.h"
#include "compiler/diagnostics/ForeignNames.h"
#include "compiler/lowering/Calls.h"
#include "compiler/lowering/Loops.h"
#include "compiler/lowering/Ranks.h"
#include "compiler/lowering/WholeArrays.h"
#include "runtime/error/Counted.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;

void reportOutside(FunctionLowering &fn, int64_t index, int64_t size,
                   const std::string &name, Span span) {
  Diagnostic &diagnostic =
      fn.error(Diag::index_out_of_range, span,
               {std::to_string(index),
                runtime::counted(uint64_t(size), "element"), name});
  if (size > 1)
    diagnostic.help = "its indices are 0 to " + std::to_string(size - 1) +
                      ", and from the end -1 to -" + std::to_string(size);
}

/// A constant index or bound; nothing after an error.
static std::optional<int64_t>
constantIndex(FunctionLowering &fn, const Constant &constant, Span span) {
  const Integer *integer = constant.asInt();
  if (!integer) {
    fn.error(Diag::index_type, span,
             {"an index must be an integer",
              constant.isBool() ? "bool" : "a float"});
    return std::nullopt;
  }
  std::optional<int64_t> number = integer->asInt64();
  if (!number)
    fn.error(Diag::integer_out_of_range, span, {integer->text(), "i64"});
  return number;
}

/// An index or a bound on an axis that `--check=bounds` checks. A bound may
/// equal the extent; an index may not. `number` is the position of the axis
/// among those of the view.
static Value checkedIndex(FunctionLowering &fn, Value index,
                          const ArrayView &view, const Axis &axis,
                          size_t number, bool isBound, bool fromEnd,
                          Span span) {
  if (fn.checks.bounds)
    CheckIndexOp::create(fn.builder, fn.loc(span), index, axis.extent,
                         view.name, number, isBound, fromEnd);
  return index;
}

/// Lowers an index on an axis. A negative constant counts from the end.
static std::optional<Value> lowerIndex(FunctionLowering &fn,
                                       const syntax::Expr &expr,
                                       const ArrayView &view, const Axis &axis,
                                       size_t number) {
  std::optional<Number> scalar = fn.lowerScalar(expr);
  if (!scalar)
    return std::nullopt;
  auto checked = [&](Value index, bool fromEnd) {
    return checkedIndex(fn, index, view, axis, number, /*isBound=*/false,
                        fromEnd, expr.span);
  };
  if (!scalar->constant)
    return checked(fn.indexValue(fn.materialize(*scalar, expr.span), expr.span),
                   /*fromEnd=*/false);
  std::optional<int64_t> index =
      constantIndex(fn, *scalar->constant, expr.span);
  if (!index)
    return std::nullopt;
  if (std::optional<int64_t> extent = knownInteger(axis.extent))
    if (*index >= *extent || *index < -*extent) {
      reportOutside(fn, *index, *extent, view.name, expr.span);
      return std::nullopt;
    }
  Value constant = fn.constantInt(*index, expr.span);
  return *index < 0
             ? checked(fn.applyValues(ScalarFunction::add,
                                      {axis.extent, constant}, expr.span),
                       /*fromEnd=*/true)
             : checked(fn.indexValue(constant, expr.span), false);
}

namespace {
/// Takes a range of one axis.
class Slice {
public:
  Slice(FunctionLowering &fn, const ArrayView &view, const syntax::Index &index,
        size_t number, bool isTarget, Span span)
      : fn(fn), view(view), index(index), number(number), isTarget(isTarget),
        span(span) {}

  /// False after an error.
  bool narrow(Axis &axis);

private:
  /// One that is a constant may have one of two other forms, in which extents
  /// are short.
  struct Bound {
    Value position; ///< null if absent
    Value fromEnd;  ///< the extent less the position
    Value past;     ///< the position and 1
    explicit operator bool() const { return bool(position); }
  };
  bool readStep();
  bool readBound(const syntax::Expr *expr, const Axis &axis, Bound &bound);
  Bound constantBound(int64_t at, const Axis &axis, bool isLower);
  Value apply(ScalarFunction function, Value a, Value b) {
    return fn.applyValues(function, {a, b}, span);
  }
  Value less(Value a, Value b) { return apply(ScalarFunction::subtract, a, b); }
  Value integer(int64_t value) { return fn.constantInt(value, span); }
  Value atMost(int64_t size, const Axis &axis);
  Value distance(const Axis &axis);

  FunctionLowering &fn;
  const ArrayView &view;
  const syntax::Index &index;
  size_t number;
  bool isTarget; ///< of a store
  Span span;
  int64_t step = 1;
  Bound lower, upper;
};
} // namespace

bool Slice::readStep() {
  if (!index.step)
    return true;
  std::optional<Number> value = fn.lowerScalar(*index.step);
  if (!value)
    return false;
  const Integer *integer = value->constant ? value->constant->asInt() : nullptr;
  std::optional<int64_t> known = integer ? integer->asInt64() : std::nullopt;
  constexpr int64_t largest = int64_t(1) << 31;
  if (known && *known != 0 && std::abs(*known) <= largest) {
    step = *known;
    return true;
  }
  fn.error(Diag::slice_unsupported, index.span,
           {known == 0 ? "its step is 0"
            : known    ? "its step is too large"
                       : "its step is no constant"})
      .help = "go through the elements with a step: `for i in range(0, n, s)`";
  return false;
}

/// `min(size, n)`. To read one element of an axis, which is repeated beside
/// others, the axis has one: it is read where there are others.
Value Slice::atMost(int64_t size, const Axis &axis) {
  if (size <= leastExtent(axis.extent) || (size == 1 && !isTarget))
    return integer(size);
  if (std::optional<int64_t> extent = knownInteger(axis.extent))
    return integer(std::min(size, *extent));
  return apply(ScalarFunction::minimum, integer(size), axis.extent);
}

/// As in NumPy, a bound beyond an end of the axis is that end. That need not be
/// said where the slice is empty anyway.
Slice::Bound Slice::constantBound(int64_t at, const Axis &axis, bool isLower) {
  if (at >= 0 && step > 0 && !isLower)
    return {atMost(at, axis), nullptr, nullptr};
  if (at >= 0 && step < 0 && isLower) {
    Value past = atMost(at + 1, axis);
    if (std::optional<int64_t> known = knownInteger(past))
      return {integer(*known - 1), nullptr, past};
    return {less(past, integer(1)), nullptr, past};
  }
  if (at >= 0)
    return {fn.indexValue(integer(at), span), nullptr, nullptr};
  if (step > 0 && isLower) {
    Value fromEnd = atMost(-at, axis);
    return {less(axis.extent, fromEnd), fromEnd, nullptr};
  }
  if (step < 0 && !isLower) {
    Value after = atMost(-at - 1, axis); // elements behind the slice's last
    if (std::optional<int64_t> known = knownInteger(after))
      return {apply(ScalarFunction::add, axis.extent, integer(-1 - *known)),
              integer(*known + 1), nullptr};
    Value fromEnd = apply(ScalarFunction::add, after, integer(1));
    return {less(axis.extent, fromEnd), fromEnd, nullptr};
  }
  return {apply(ScalarFunction::add, axis.extent, integer(at)), integer(-at),
          nullptr};
}

bool Slice::readBound(const syntax::Expr *expr, const Axis &axis,
                      Bound &bound) {
  if (!expr)
    return true;
  const bool isLower = &bound == &lower;
  std::optional<Number> scalar = fn.lowerScalar(*expr);
  if (!scalar)
    return false;
  if (!scalar->constant) {
    const bool isIndex = step < 0 && isLower;
    bound.position = checkedIndex(
        fn, fn.indexValue(fn.materialize(*scalar, expr->span), expr->span),
        view, axis, number, /*isBound=*/!isIndex, /*fromEnd=*/false,
        expr->span);
    return true;
  }
  std::optional<int64_t> at = constantIndex(fn, *scalar->constant, expr->span);
  if (!at)
    return false;
  const bool isIndex = step < 0 && isLower;
  if (std::optional<int64_t> extent = knownInteger(axis.extent))
    if (*at >= *extent + !isIndex || *at < -*extent) {
      reportOutside(fn, *at, *extent, view.name, expr->span);
      return false;
    }
  bound = constantBound(*at, axis, isLower);
  return true;
}

/// From the first index to the one past the last.
Value Slice::distance(const Axis &axis) {
  if (step > 0) {
    if (!lower)
      return upper ? upper.position : axis.extent;
    if (!lower.fromEnd)
      return less(upper ? upper.position : axis.extent, lower.position);
    if (!upper)
      return lower.fromEnd;
    return upper.fromEnd ? less(lower.fromEnd, upper.fromEnd)
                         : less(upper.position, lower.position);
  }
  if (!upper)
    return !lower ? axis.extent
           : lower.past
               ? lower.past
               : apply(ScalarFunction::add, lower.position, integer(1));
  if (lower)
    return upper.fromEnd && lower.fromEnd
               ? less(upper.fromEnd, lower.fromEnd)
               : less(lower.position, upper.position);
  return upper.fromEnd ? less(upper.fromEnd, integer(1))
                       : less(less(axis.extent, upper.position), integer(1));
}

bool Slice::narrow(Axis &axis) {
  if (!readStep() || !readBound(index.lower.get(), axis, lower) ||
      !readBound(index.upper.get(), axis, upper))
    return false;
  Value extent;
  const std::optional<int64_t> first = lower ? knownInteger(lower.position) : 0;
  if (step > 1 && first && *first >= 0) {
    // As a header has it: `(n + 1) // 2` elements of `v[::2]`, `n // 2` of
    // `v[1::2]`.
    Value end = upper ? upper.position : axis.extent;
    const int64_t more = step - 1 - *first;
    if (more != 0)
      end = apply(more > 0 ? ScalarFunction::add : ScalarFunction::subtract,
                  end, fn.constantInt(std::abs(more), span));
    extent =
        apply(ScalarFunction::floor_divide, end, fn.constantInt(step, span));
    if (first != 0 || upper)
      extent = apply(ScalarFunction::maximum, extent, fn.constantInt(0, span));
  } else {
    extent = distance(axis);
    const bool isPart = bool(lower) || upper.fromEnd || (step < 0 && upper);
    if (std::abs(step) > 1)
      extent = apply(ScalarFunction::floor_divide,
                     apply(ScalarFunction::add, extent,
                           fn.constantInt(std::abs(step) - 1, span)),
                     fn.constantInt(std::abs(step), span));
    if (isPart) // as in NumPy, a slice that ends before it begins is empty
      extent = apply(ScalarFunction::maximum, extent, fn.constantInt(0, span));
  }
  Value begin = lower.position;
  if (!begin && step < 0)
    begin =
        apply(ScalarFunction::subtract, axis.extent, fn.constantInt(1, span));
  if (begin)
    axis.lower = positionOn(fn, axis, begin, span);
  if (std::optional<int64_t> known = knownExtent(extent))
    extent = fn.constantInt(*known, span);
  axis.extent = extent;
  axis.step *= step;
  return true;
}

/// Reports elements that an array chooses.
static bool isArrayIndex(FunctionLowering &fn, const syntax::Index &index) {
  if (!index.value || Ranks(fn).of(*index.value) == 0)
    return false;
  fn.error(Diag::slice_unsupported, index.span,
           {"an array chooses its elements"})
      .help =
      "`where(m, a, b)` chooses between the elements of two arrays, and "
      "`a[m] = 0` stores to those that a mask chooses; to read at "
      "indices, loop over them: `a[k[i]]`";
  return true;
}

/// Reports `np.newaxis` and `None`; the parser has reported the latter.
static bool makesAxis(FunctionLowering &fn, const syntax::Index &index) {
  if (!index.value)
    return false;
  if (index.value->as<syntax::ErrorExpr>()) {
    fn.failed = true;
    return true;
  }
  const auto *attribute = index.value->as<syntax::Attribute>();
  const auto *name = index.value->as<syntax::Name>();
  const std::string_view word = attribute
                                    ? std::string_view(attribute->name.name)
                                : name ? std::string_view(name->name)
                                       : "";
  if (word != "newaxis" || (name && isNamed(fn, name->name)))
    return false;
  fn.error(Diag::slice_unsupported, index.span, {"it makes an axis"}).help =
      insteadOf(word);
  return true;
}

std::optional<ArrayView> indexView(FunctionLowering &fn, ArrayView view,
                                   const syntax::Subscript &subscript,
                                   Span span, bool isTarget) {
  // An array that has no name yet is what the program calls it.
  const bool isNameless = view.name.empty();
  if (isNameless)
    view.name = textAt(fn, subscript.value->span);
  if (llvm::any_of(subscript.indices, [&](const syntax::Index &index) {
        return makesAxis(fn, index);
      }))
    return std::nullopt;
  std::vector<Axis *> open = view.open();
  if (subscript.indices.size() > open.size()) {
    fn.error(Diag::index_count, span,
             {view.name, runtime::counted(open.size(), "dimension"),
              runtime::countedAre(subscript.indices.size(), "index")})
        .notes.push_back({view.declared, "it is declared here"});
    return std::nullopt;
  }
  for (auto [number, axis, index] :
       llvm::enumerate(ArrayRef(open).take_front(subscript.indices.size()),
                       subscript.indices)) {
    if (index.isSlice) {
      if (!Slice(fn, view, index, number, isTarget, span).narrow(*axis))
        return std::nullopt;
      continue;
    }
    if (isArrayIndex(fn, index))
      return std::nullopt;
    std::optional<Value> position =
        lowerIndex(fn, *index.value, view, *axis, number);
    if (!position)
      return std::nullopt;
    axis->fixed = positionOn(fn, *axis, *position, span);
  }
  if (isNameless)
    view.name.clear();
  return view;
}

} // namespace kern::compiler
