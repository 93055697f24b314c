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
#include "compiler/lowering/SliceBounds.h"
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

namespace {
/// An index, or a bound of a slice.
struct Place {
  Value value;
  /// A constant; a negative one counts from the end, which the value does not.
  std::optional<int64_t> constant;
  Span span;
  /// In code that runs, and no counter or size that a condition may be about.
  bool isCertain = false;
};

/// An open axis, as messages name it.
struct NamedAxis {
  const std::string &array; ///< which the view is a part of
  const std::string &text;  ///< what is indexed: `v`, `x[3:]`
  size_t number;            ///< among the view's open axes
  Value extent;
};
} // namespace

static std::optional<Place> lowerPlace(FunctionLowering &fn,
                                       const syntax::Expr &expr, Value extent) {
  // Far beyond any extent; sums with these do not overflow.
  constexpr int64_t far = int64_t(1) << 60;
  std::optional<Number> scalar = fn.lowerScalar(expr);
  if (!scalar)
    return std::nullopt;
  scalar = asConstantIndex(*scalar);
  if (!scalar->constant) {
    const Value value =
        fn.indexValue(fn.materialize(*scalar, expr.span), expr.span);
    std::optional<int64_t> known = knownInteger(value); // `len(y)` of 4
    if (known && (*known < 0 || *known > far))
      known = std::nullopt;
    return Place{value, known, expr.span};
  }
  const Integer *integer = scalar->constant->asInt();
  if (!integer) {
    fn.error(Diag::index_type, expr.span,
             {"an index must be an integer",
              scalar->constant->isBool() ? "bool" : "a float"});
    return std::nullopt;
  }
  const std::optional<int64_t> number = integer->asInt64();
  if (!number) {
    fn.error(Diag::integer_out_of_range, expr.span, {integer->text(), "i64"});
    return std::nullopt;
  }
  const Value value =
      *number < 0
          ? fn.applyValues(ScalarFunction::add,
                           {extent, fn.constantInt(*number, expr.span)},
                           expr.span)
          : fn.indexValue(fn.materialize(*scalar, expr.span), expr.span);
  return Place{value, std::clamp(*number, -far, far), expr.span, !fn.isDead};
}

/// Where bounds are checked, ends the loop element if a place is outside: if
/// the axis has fewer elements than `least`, if there is such a number.
static void checkAtRunTime(FunctionLowering &fn, const NamedAxis &axis,
                           const Place &place, bool isBound,
                           std::optional<int64_t> least = std::nullopt) {
  if (fn.checks.bounds)
    CheckIndexOp::create(fn.builder, fn.loc(place.span), place.value,
                         axis.extent, axis.array, axis.number, isBound,
                         /*from_end=*/place.constant.value_or(0) < 0,
                         least ? fn.builder.getI64IntegerAttr(*least)
                               : IntegerAttr());
}

/// Whether an axis may have as many elements as a constant place needs. Each
/// call tells, if it decides how many there are.
static bool checkNeeded(FunctionLowering &fn, const NamedAxis &axis,
                        const Place &place, bool isBound, int64_t least,
                        Span span) {
  const std::optional<int64_t> extent = knownInteger(axis.extent);
  if (extent && *extent >= least)
    return true;
  if (extent && place.isCertain) {
    reportOutside(fn, *place.constant, *extent, axis.array, place.span);
    return false;
  }
  if (least > 0) {
    checkAtRunTime(fn, axis, place, isBound,
                   isBound ? std::optional(least) : std::nullopt);
    requireExtent(fn, axis.extent, least, axis.text, axis.number, span);
  }
  return true;
}

/// Whether an index may lie within its axis.
static bool checkIndex(FunctionLowering &fn, const NamedAxis &axis,
                       const Place &index, Span span) {
  if (index.constant)
    return checkNeeded(
        fn, axis, index, /*isBound=*/false,
        *index.constant < 0 ? -*index.constant : *index.constant + 1, span);
  checkAtRunTime(fn, axis, index, /*isBound=*/false);
  if (std::optional<int64_t> largest = largestIndex(index.value))
    requireExtent(fn, axis.extent, *largest + 1, axis.text, axis.number, span);
  return true;
}

namespace {
/// Takes a range of one axis.
class Slice {
public:
  Slice(FunctionLowering &fn, const NamedAxis &named,
        const syntax::Index &index, Span span)
      : fn(fn), named(named), index(index), span(span) {}

  /// Makes the axis that is named the range. False after an error.
  bool narrow(Axis &axis);

private:
  bool readStep();
  bool readBounds(const Axis &axis);
  bool checkBounds() const;
  /// Nothing if a bound is no constant.
  std::optional<SliceBounds> constants() const;
  Value apply(ScalarFunction function, Value a, Value b) {
    return fn.applyValues(function, {a, b}, span);
  }
  Value distance(const Axis &axis);

  FunctionLowering &fn;
  const NamedAxis &named;
  const syntax::Index &index;
  Span span;
  int64_t step = 1;
  std::optional<Place> lowerBound, upperBound;
  Value lower, upper; ///< their values; null if absent
};
} // namespace

bool Slice::readStep() {
  if (!index.step)
    return true;
  std::optional<Number> value = fn.lowerScalar(*index.step);
  if (!value)
    return false;
  value = asConstantIndex(*value);
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

bool Slice::readBounds(const Axis &axis) {
  auto read = [&](const syntax::ExprPtr &expr, std::optional<Place> &bound,
                  Value &value) {
    if (!expr)
      return true;
    bound = lowerPlace(fn, *expr, axis.extent);
    if (bound)
      value = bound->value;
    return bound.has_value();
  };
  return read(index.lower, lowerBound, lower) &&
         read(index.upper, upperBound, upper);
}

std::optional<SliceBounds> Slice::constants() const {
  SliceBounds bounds;
  bounds.step = step;
  for (auto [place, bound] :
       {std::pair(&lowerBound, &bounds.lower), {&upperBound, &bounds.upper}}) {
    if (!*place)
      continue;
    *bound = (*place)->constant;
    if (!*bound)
      return std::nullopt;
  }
  return bounds;
}

/// False after an error.
bool Slice::checkBounds() const {
  if (std::optional<SliceBounds> bounds = constants()) {
    if (!lowerBound && !upperBound)
      return true;
    const bool isLower = !upperBound || isForLower(*bounds);
    const Place &place = isLower ? *lowerBound : *upperBound;
    return checkNeeded(fn, named, place, /*isBound=*/!isLower || step > 0,
                       elementsNeeded(*bounds), span);
  }
  // Each bound by itself.
  for (const std::optional<Place> *bound : {&lowerBound, &upperBound}) {
    if (!*bound)
      continue;
    const bool isUpper = bound == &upperBound, isIndex = step < 0 && !isUpper;
    const Place &place = **bound;
    if (!place.constant) {
      checkAtRunTime(fn, named, place, /*isBound=*/!isIndex);
      continue;
    }
    // Going down, the end may be one before the front.
    const int64_t least = *place.constant >= 0
                              ? *place.constant + isIndex
                              : -*place.constant - (step < 0 && isUpper);
    std::optional<int64_t> extent = knownInteger(named.extent);
    if (extent && *extent < least && place.isCertain) {
      reportOutside(fn, *place.constant, *extent, named.array, place.span);
      return false;
    }
    checkAtRunTime(fn, named, place, /*isBound=*/!isIndex, least);
  }
  return true;
}

/// From the first index to the one past the last.
Value Slice::distance(const Axis &axis) {
  if (step > 0)
    return lower ? apply(ScalarFunction::subtract, upper ? upper : axis.extent,
                         lower)
                 : (upper ? upper : axis.extent);
  if (!lower)
    return upper ? apply(ScalarFunction::subtract,
                         apply(ScalarFunction::subtract, axis.extent, upper),
                         fn.constantInt(1, span))
                 : axis.extent;
  return upper ? apply(ScalarFunction::subtract, lower, upper)
               : apply(ScalarFunction::add, lower, fn.constantInt(1, span));
}

bool Slice::narrow(Axis &axis) {
  if (!readStep() || !readBounds(axis) || !checkBounds())
    return false;
  std::optional<SliceBounds> bounds = constants();
  if (bounds && isAlwaysEmpty(*bounds)) {
    axis.extent = fn.constantInt(0, span);
    axis.step *= step;
    return true;
  }
  Value extent;
  const std::optional<int64_t> first = lower ? knownInteger(lower) : 0;
  if (step > 1 && first && *first >= 0) {
    // As a header has it: `(n + 1) // 2` elements of `v[::2]`, `n // 2` of
    // `v[1::2]`.
    Value end = upper ? upper : axis.extent;
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
    const bool isPart =
        lower || (upper && (step < 0 || upperBound->constant.value_or(0) < 0));
    if (std::abs(step) > 1)
      extent = apply(ScalarFunction::floor_divide,
                     apply(ScalarFunction::add, extent,
                           fn.constantInt(std::abs(step) - 1, span)),
                     fn.constantInt(std::abs(step), span));
    if (isPart) // as in NumPy, a slice that ends before it begins is empty
      extent = apply(ScalarFunction::maximum, extent, fn.constantInt(0, span));
  }
  Value begin = lower;
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
                                   Span span) {
  // An array that has no name yet is what the program calls it.
  const bool isNameless = view.name.empty();
  const std::string text = textAt(fn, subscript.value->span);
  if (isNameless)
    view.name = text;
  if (llvm::any_of(subscript.indices, [&](const syntax::Index &index) {
        return makesAxis(fn, index);
      }))
    return std::nullopt;
  std::vector<Axis *> open = view.open();
  const size_t given =
      llvm::count_if(subscript.indices, [](const syntax::Index &index) {
        return !index.isEllipsis;
      });
  if (given > open.size()) {
    fn.error(Diag::index_count, span,
             {view.name, runtime::counted(open.size(), "dimension"),
              runtime::countedAre(given, "index")})
        .notes.push_back({view.declared, "it is declared here"});
    return std::nullopt;
  }
  size_t number = 0;
  for (const syntax::Index &index : subscript.indices) {
    if (index.isEllipsis) {
      number += open.size() - given;
      continue;
    }
    Axis *axis = open[number];
    const NamedAxis named{view.name, text, number++, axis->extent};
    if (index.isSlice) {
      if (!Slice(fn, named, index, span).narrow(*axis))
        return std::nullopt;
      continue;
    }
    if (isArrayIndex(fn, index))
      return std::nullopt;
    std::optional<Place> place = lowerPlace(fn, *index.value, axis->extent);
    if (!place || !checkIndex(fn, named, *place, span))
      return std::nullopt;
    axis->fixed = positionOn(fn, *axis, place->value, span);
  }
  if (isNameless)
    view.name.clear();
  return view;
}

} // namespace kern::compiler
