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

/// Lowers an index or a slice bound on an axis. A negative constant counts from
/// the end. A bound may equal the extent; an index may not. `number` is the
/// position of the axis among those of the view.
static std::optional<Value> lowerIndex(FunctionLowering &fn,
                                       const syntax::Expr &expr,
                                       const ArrayView &view, const Axis &axis,
                                       size_t number, bool isBound) {
  std::optional<Number> scalar = fn.lowerScalar(expr);
  if (!scalar)
    return std::nullopt;
  auto checked = [&](Value index, bool fromEnd) {
    if (fn.checks.bounds)
      CheckIndexOp::create(fn.builder, fn.loc(expr.span), index, axis.extent,
                           view.name, number, isBound, fromEnd);
    return index;
  };
  if (scalar->constant) {
    const Integer *integer = scalar->constant->asInt();
    if (!integer) {
      fn.error(Diag::index_type, expr.span,
               {"an index must be an integer",
                scalar->constant->isBool() ? "bool" : "a float"});
      return std::nullopt;
    }
    std::optional<int64_t> number = integer->asInt64();
    if (!number) {
      fn.error(Diag::integer_out_of_range, expr.span, {integer->text(), "i64"});
      return std::nullopt;
    }
    if (std::optional<int64_t> extent = knownInteger(axis.extent))
      if (*number >= *extent + isBound || *number < -*extent) {
        reportOutside(fn, *number, *extent, view.name, expr.span);
        return std::nullopt;
      }
    if (*number < 0)
      return checked(
          fn.applyValues(ScalarFunction::add,
                         {axis.extent, fn.constantInt(*number, expr.span)},
                         expr.span),
          /*fromEnd=*/true);
  }
  return checked(fn.indexValue(fn.materialize(*scalar, expr.span), expr.span),
                 /*fromEnd=*/false);
}

namespace {
/// Takes a range of one axis.
class Slice {
public:
  Slice(FunctionLowering &fn, const ArrayView &view, const syntax::Index &index,
        size_t number, Span span)
      : fn(fn), view(view), index(index), number(number), span(span) {}

  /// False after an error.
  bool narrow(Axis &axis);

private:
  bool readStep();
  bool readBounds(const Axis &axis);
  Value apply(ScalarFunction function, Value a, Value b) {
    return fn.applyValues(function, {a, b}, span);
  }
  Value distance(const Axis &axis);
  std::optional<int64_t> constantOf(const Axis &axis, Value bound) const;
  int64_t needed(const Axis &axis) const;

  FunctionLowering &fn;
  const ArrayView &view;
  const syntax::Index &index;
  size_t number;
  Span span;
  int64_t step = 1;
  Value lower, upper; ///< null if absent
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

bool Slice::readBounds(const Axis &axis) {
  for (auto [expr, bound] :
       {std::pair(&index.lower, &lower), {&index.upper, &upper}}) {
    if (!*expr)
      continue;
    const bool isIndex = step < 0 && bound == &lower;
    std::optional<Value> value =
        lowerIndex(fn, **expr, view, axis, number, /*isBound=*/!isIndex);
    if (!value)
      return false;
    *bound = *value;
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

/// A bound that is a constant; one from the end is negative.
std::optional<int64_t> Slice::constantOf(const Axis &axis, Value bound) const {
  // Far beyond any extent; sums with these do not overflow.
  constexpr int64_t farthest = int64_t(1) << 60;
  auto sum = bound ? bound.getDefiningOp<ApplyOp>() : ApplyOp();
  const bool isFromEnd = sum && sum.getFunction() == ScalarFunction::add &&
                         sum.getOperand(0) == axis.extent;
  std::optional<int64_t> known;
  if (bound)
    known = knownInteger(isFromEnd ? sum.getOperand(1) : bound);
  return known ? std::optional(std::clamp(*known, -farthest, farthest))
               : std::nullopt;
}

/// How many elements the axis must have for the constant bounds to lie in it; 0
/// for any number, where the slice is empty, and for other bounds.
int64_t Slice::needed(const Axis &axis) const {
  const std::optional<int64_t> first = constantOf(axis, lower),
                               end = constantOf(axis, upper);
  if ((lower && !first) || (upper && !end))
    return 0;
  const int64_t stride = std::abs(step);
  const bool isToEnd = end && *end < 0; ///< counted from the end
  // The last of the elements from the first one to an end.
  auto last = [&](int64_t count) { return (count - 1) / stride * stride; };
  if (step > 0) {
    if (first && *first < 0) {
      if (isToEnd && *end <= *first)
        return 0;
      return end && !isToEnd ? std::max(-*first, *end) : -*first;
    }
    const int64_t begin = first.value_or(0);
    return end && *end > begin ? begin + last(*end - begin) + 1 : 0;
  }
  if (first && *first >= 0) {
    if (end && *end >= *first)
      return 0;
    // One step beyond the front is less than `end` before it.
    const int64_t beyond =
        isToEnd ? *first % stride - stride - *end : int64_t(0);
    return std::max(*first + 1, beyond);
  }
  const int64_t begin = lower ? -*first : 1;
  return isToEnd && -*end > begin ? begin + last(-*end - begin) : 0;
}

bool Slice::narrow(Axis &axis) {
  if (!readStep() || !readBounds(axis))
    return false;
  requireExtent(fn, axis.extent, needed(axis), span);
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
        lower || (step < 0 && upper) || constantOf(axis, upper).value_or(0) < 0;
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
  if (isNameless)
    view.name = textAt(fn, subscript.value->span);
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
    if (index.isSlice) {
      if (!Slice(fn, view, index, number++, span).narrow(*axis))
        return std::nullopt;
      continue;
    }
    if (isArrayIndex(fn, index))
      return std::nullopt;
    std::optional<Value> position =
        lowerIndex(fn, *index.value, view, *axis, number++, false);
    if (!position)
      return std::nullopt;
    axis->fixed = positionOn(fn, *axis, *position, span);
  }
  if (isNameless)
    view.name.clear();
  return view;
}

} // namespace kern::compiler
