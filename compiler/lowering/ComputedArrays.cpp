//===- ComputedArrays.cpp - arrays that functions of arrays give ----------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/ComputedArrays.h"

#include "compiler/dependence/Counting.h"
#include "compiler/diagnostics/ForeignNames.h"
#include "compiler/lowering/Ranks.h"
#include "compiler/lowering/WholeArrays.h"
#include "runtime/error/Counted.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;

std::shared_ptr<ComputedArray> ComputedArray::of(FunctionLowering &fn,
                                                 const syntax::Expr &expr) {
  const LanguageFunction function = *Ranks(fn).computing(expr);
  const StringRef name = nameOf(function);
  const auto *call = expr.as<syntax::Call>();
  const auto *binary = expr.as<syntax::Binary>();
  const Kind kind = function == LanguageFunction::Arange  ? Kind::Range
                    : function == LanguageFunction::Outer ? Kind::Outer
                    : function == LanguageFunction::Cross ? Kind::Cross
                    : isReduction(function)               ? Kind::Reduction
                                                          : Kind::Product;
  std::shared_ptr<ComputedArray> made(new ComputedArray(kind, expr.span));
  bool isDone = false;
  if (kind == Kind::Range) {
    isDone = made->takeRange(fn, *call);
  } else if (kind == Kind::Reduction) {
    isDone = made->takeReduction(fn, name, *call);
  } else {
    Arguments arguments;
    if (binary)
      arguments = {binary->left.get(), binary->right.get()};
    else if (!checkCount(fn, name, *call, 2, 2, expr.span))
      return nullptr;
    else
      arguments = {call->arguments[0].get(), call->arguments[1].get()};
    isDone = made->takeTwo(fn, binary ? "@" : name, arguments);
  }
  return isDone ? made : nullptr;
}

bool ComputedArray::takeRange(FunctionLowering &fn, const syntax::Call &call) {
  SmallVector<const syntax::Expr *> bounds;
  for (const syntax::ExprPtr &argument : call.arguments)
    bounds.push_back(argument.get());
  if (!call.keywords.empty()) {
    const syntax::Identifier &keyword = call.keywords.front().first;
    fn.error(Diag::keyword_argument, keyword.span, {"arange", keyword.name})
        .help = "its elements are index values, which take the type of what "
                "they meet";
    return false;
  }
  std::optional<Sequence> sequence = rangeOf(fn, "arange", bounds, span);
  if (!sequence)
    return false;
  range = std::move(*sequence);
  if (range.constantStep != -1) {
    shape = {lengthOf(fn, range, span)};
    return true;
  }
  // As a slice has it, so that `arange(n - 1, -1, -1)` has n elements.
  Value down = fn.applyValues(ScalarFunction::subtract,
                              {range.lower, range.upper}, span);
  shape = {fn.applyValues(ScalarFunction::maximum,
                          {down, fn.constantInt(0, span)}, span)};
  return true;
}

bool ComputedArray::takeReduction(FunctionLowering &fn, StringRef name,
                                  const syntax::Call &call) {
  reduction = *reduceKind(name);
  const syntax::Expr *axis = axisOf(call, fn.scope());
  const bool isSecond =
      call.arguments.size() == 2 && axis == call.arguments[1].get();
  if (hasNumPyOptions(call, fn.scope()) &&
      !(isSecond && Ranks(fn).of(*call.arguments[0]) > 0)) {
    fn.failed = true;
    reportNumPyOptions(call, span, fn.diagnostics);
    return false;
  }
  if (!isSecond && !checkCount(fn, name, call, 1, 1, span))
    return false;
  SmallVector<std::pair<StringRef, const syntax::Expr *>> options{
      {"axis", axis}};
  for (const auto &[keyword, value] : call.keywords) {
    if (keyword.name != "axis" && keyword.name != "keepdims") {
      fn.error(Diag::keyword_argument, keyword.span, {name.str(), keyword.name})
          .help = insteadOfKeyword(std::string_view(name), keyword.name);
      return false;
    }
    if (value.get() != axis)
      options.push_back({keyword.name, value.get()});
  }
  SmallVector<int64_t> numbers;
  for (auto [keyword, value] : options) {
    std::optional<Binding> given = fn.lowerExpr(*value);
    if (!given)
      return false;
    SmallVector<Binding> parts{*given};
    if (const auto *tuple = given->as<Tuple>();
        tuple && keyword == "axis" && reduction != ReduceKind::ArgMin &&
        reduction != ReduceKind::ArgMax)
      parts.assign(tuple->elements().begin(), tuple->elements().end());
    for (const Binding &part : parts) {
      const auto *number = part.as<Number>();
      const bool isKnown = number && number->constant;
      if (keyword == "axis" && isKnown && number->constant->isInt() &&
          number->constant->asInt()->asInt64()) {
        numbers.push_back(*number->constant->asInt()->asInt64());
      } else if (keyword == "keepdims" && isKnown &&
                 number->constant->isBool()) {
        keepsAxis = truth(*number->constant);
      } else {
        Diagnostic &diagnostic = fn.error(
            Diag::array_function, value->span,
            {name.str(),
             "`" + keyword.str() + "` is not " +
                 (keyword == "axis" ? "an integer" : "`True` or `False`") +
                 " known at compile time"});
        if (isSecond && (name == "max" || name == "min"))
          diagnostic.help =
              "element by element it is `" + name.str() + "imum(a, b)`";
        return false;
      }
    }
  }
  const syntax::Expr &argument = *call.arguments.front();
  const int64_t rank = int64_t(Ranks(fn).of(argument));
  if (rank == 0) {
    fn.error(Diag::array_function, argument.span,
             {name.str(), "`axis` is for arrays, and this is not one"});
    return false;
  }
  for (int64_t number : numbers) {
    const unsigned axis = unsigned(number < 0 ? number + rank : number);
    if (number >= rank || number < -rank || llvm::is_contained(axes, axis)) {
      fn.error(Diag::array_function, span,
               {name.str(), llvm::is_contained(axes, axis)
                                ? "it names an axis twice"
                                : "there is no such axis: it has " +
                                      runtime::counted(rank, "dimension")});
      return false;
    }
    axes.push_back(axis);
  }
  llvm::sort(axes);
  std::optional<ArrayExpression> source = ArrayExpression::of(fn, argument);
  std::optional<SmallVector<Value>> extents;
  if (source)
    extents = source->extents(fn);
  if (!extents)
    return false;
  sources.push_back(std::move(*source));
  sourceShapes.push_back(*extents);
  for (auto [index, extent] : llvm::enumerate(*extents))
    if (!llvm::is_contained(axes, index))
      shape.push_back(extent);
    else if (keepsAxis)
      shape.push_back(fn.constantInt(1, span));
  return true;
}

bool ComputedArray::takeTwo(FunctionLowering &fn, StringRef name,
                            const Arguments &arguments) {
  const size_t most = kind == Kind::Product ? 2 : 1;
  for (const syntax::Expr *argument : arguments) {
    const size_t rank = Ranks(fn).of(*argument);
    if (rank == 0 || rank > most) {
      fn.error(
            Diag::array_function, argument->span,
            {name.str(),
             "it takes arrays of " +
                 std::string(most == 1 ? "1 dimension" : "1 or 2 dimensions") +
                 ", and this " +
                 (rank == 0 ? "is not one" : "has " + std::to_string(rank))})
          .help = kind != Kind::Product ? ""
                  : rank == 0 ? "numbers are multiplied by `*`"
                              : "multiply one part after the other: `y[i] = "
                                "a[i] @ b` in a `for i in prange(m)`";
      return false;
    }
    std::optional<ArrayExpression> source =
        ArrayExpression::ofElements(fn, *argument);
    std::optional<SmallVector<Value>> extents;
    if (source)
      extents = source->extents(fn);
    if (!extents)
      return false;
    sources.push_back(std::move(*source));
    sourceShapes.push_back(*extents);
  }
  ArrayRef<Value> left = sourceShapes[0], right = sourceShapes[1];
  if (kind == Kind::Outer) {
    shape = {left[0], right[0]};
    return true;
  }
  if (kind == Kind::Cross) {
    shape = {fn.constantInt(3, span)};
    if (knownInteger(left[0]) == 3 && knownInteger(right[0]) == 3)
      return true;
    fn.error(Diag::array_function, span,
             {name.str(), "it takes arrays of 3 elements"})
        .help = "say so in the header, `v: f64[3]`, or take a slice: `v[0:3]`";
    return false;
  }
  shape.append(left.begin(), left.end() - 1);
  if (right.size() == 2)
    shape.push_back(right[1]);
  return checkSameExtent(fn, name.str(), left.back(), right.front(), span,
                         Diag::product_extents);
}

SmallVector<const ArrayView *> ComputedArray::views() const {
  SmallVector<const ArrayView *> all;
  for (const ArrayExpression &source : sources)
    llvm::append_range(all, source.views());
  return all;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

std::optional<Number> ComputedArray::multiplied(FunctionLowering &fn,
                                                ArrayRef<Value> left,
                                                ArrayRef<Value> right) const {
  std::optional<Number> one = sources[0].at(fn, left);
  std::optional<Number> other = sources[1].at(fn, right);
  if (!one || !other)
    return std::nullopt;
  return fn.apply(ScalarFunction::multiply, {*one, *other}, span);
}

std::optional<Number> ComputedArray::summed(FunctionLowering &fn,
                                            ArrayRef<Value> indices) const {
  const size_t rows = sourceShapes[0].size() - 1;
  auto element = [&](Value index) -> std::optional<ReducedElement> {
    SmallVector<Value> left(indices.take_front(rows)), right = {index};
    left.push_back(index);
    llvm::append_range(right, indices.drop_front(rows));
    std::optional<Number> product = multiplied(fn, left, right);
    if (!product)
      return std::nullopt;
    return ReducedElement{fn.materialize(*product, span)};
  };
  std::optional<Reduced> total =
      reduceOver(fn, {ReduceKind::Sum},
                 counting(fn, sourceShapes[0].back(), span), span, element);
  return total ? std::optional(Number{total->value, {}}) : std::nullopt;
}

/// `a[i + 1] * b[i + 2] - a[i + 2] * b[i + 1]`, counting modulo 3.
std::optional<Number> ComputedArray::crossed(FunctionLowering &fn,
                                             Value index) const {
  auto after = [&](int64_t steps) {
    const std::optional<int64_t> known = knownInteger(index);
    if (known)
      return fn.indexValue(fn.constantInt((*known + steps) % 3, span), span);
    return fn.applyValues(
        ScalarFunction::remainder,
        {fn.applyValues(ScalarFunction::add,
                        {index, fn.constantInt(steps, span)}, span),
         fn.constantInt(3, span)},
        span);
  };
  Value next = after(1), last = after(2);
  std::optional<Number> first = multiplied(fn, next, last);
  std::optional<Number> second = multiplied(fn, last, next);
  if (!first || !second)
    return std::nullopt;
  return fn.apply(ScalarFunction::subtract, {*first, *second}, span);
}

std::optional<Number> ComputedArray::reduced(FunctionLowering &fn,
                                             ArrayRef<Value> indices) const {
  Reduction how{reduction};
  ArrayRef<Value> extents = sourceShapes[0];
  auto apply = [&](ScalarFunction function, Value a, Value b) {
    return fn.applyValues(function, {a, b}, span);
  };
  Value extent = fn.constantInt(1, span);
  for (unsigned axis : axes)
    extent = axis == axes.front()
                 ? extents[axis]
                 : apply(ScalarFunction::multiply, extent, extents[axis]);
  if (reduction == ReduceKind::Mean)
    how.count = extent;
  auto element = [&](Value index) -> std::optional<ReducedElement> {
    SmallVector<Value> at;
    for (size_t d = 0, next = 0; d < extents.size(); ++d) {
      const bool isReduced = llvm::is_contained(axes, d);
      at.push_back(isReduced ? Value() : indices[next]);
      next += !isReduced || keepsAxis;
    }
    // Counts through the axes, the last one fastest.
    for (unsigned axis : llvm::reverse(axes)) {
      const bool isFirst = axis == axes.front();
      at[axis] = isFirst
                     ? index
                     : apply(ScalarFunction::remainder, index, extents[axis]);
      if (!isFirst)
        index = apply(ScalarFunction::floor_divide, index, extents[axis]);
    }
    std::optional<Number> number = sources[0].at(fn, at);
    if (!number)
      return std::nullopt;
    Value value = fn.materialize(*number, span);
    if (reduction == ReduceKind::Any || reduction == ReduceKind::All)
      value = fn.opened(fn.truthOf({value, {}}, span), span);
    return ReducedElement{value};
  };
  std::optional<Reduced> result =
      reduceOver(fn, how, counting(fn, extent, span), span, element);
  return result ? std::optional(Number{result->value, {}}) : std::nullopt;
}

std::optional<Number> ComputedArray::at(FunctionLowering &fn,
                                        ArrayRef<Value> indices) const {
  switch (kind) {
  case Kind::Range: {
    std::optional<Binding> element =
        elementAt(fn, range, indices.front(), span);
    return element ? fn.scalarOf(*element, span) : std::nullopt;
  }
  case Kind::Reduction:
    return reduced(fn, indices);
  case Kind::Product:
    return summed(fn, indices);
  case Kind::Outer:
    return multiplied(fn, indices.front(), indices.back());
  case Kind::Cross:
    return crossed(fn, indices.front());
  }
  llvm_unreachable("all kinds are handled");
}

} // namespace kern::compiler
