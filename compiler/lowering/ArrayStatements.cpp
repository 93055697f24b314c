//===- ArrayStatements.cpp - stores of expressions of arrays --------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/ArrayCalls.h"
#include "compiler/lowering/ArrayExpressions.h"
#include "compiler/lowering/Arrays.h"
#include "compiler/lowering/Assignments.h"
#include "compiler/lowering/WholeArrays.h"
#include "compiler/modules/Names.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;

namespace {
/// One store of an expression to a part of an array.
class ExpressionStore {
public:
  ExpressionStore(FunctionLowering &fn, const ArrayView &target,
                  const ArrayExpression &value, Span place, Span span)
      : fn(fn), target(target), value(value), place(place), span(span) {
    for (const Axis *axis : target.open())
      extents.push_back(axis->extent);
  }
  /// The operator of an augmented assignment.
  std::optional<ScalarFunction> update;

  void run();

private:
  Value at(ArrayRef<Value> indices);
  void storeTo(const ArrayView &array,
               llvm::function_ref<Value(ArrayRef<Value>)> element);
  void storeFew(ArrayRef<SmallVector<int64_t>> all);

  FunctionLowering &fn;
  const ArrayView &target;
  const ArrayExpression &value;
  Span place, span;
  SmallVector<Value> extents;
};
} // namespace

/// The new element at some indices; any value after an error.
Value ExpressionStore::at(ArrayRef<Value> indices) {
  std::optional<Number> element = value.at(fn, indices);
  if (!element)
    element = Number{nullptr, Constant{Integer(0)}};
  if (update) {
    Number old{load(fn, elementOf(fn, target, indices, place), place), {}};
    element = fn.apply(*update, {old, *element}, span);
  }
  return fn.materialize(*element, span);
}

void ExpressionStore::storeTo(
    const ArrayView &array,
    llvm::function_ref<Value(ArrayRef<Value>)> element) {
  forEachIndex(
      fn, extents,
      [&](ArrayRef<Value> indices) {
        store(fn, element(indices), elementOf(fn, array, indices, place),
              place);
      },
      span);
}

/// All elements are computed before the first one is written.
void ExpressionStore::storeFew(ArrayRef<SmallVector<int64_t>> all) {
  SmallVector<SmallVector<Value>> places;
  SmallVector<Value> values;
  for (ArrayRef<int64_t> indices : all) {
    SmallVector<Value> &here = places.emplace_back();
    for (int64_t index : indices)
      here.push_back(fn.indexValue(fn.constantInt(index, span), span));
    values.push_back(at(here));
  }
  for (auto [here, element] : llvm::zip(places, values))
    store(fn, element, elementOf(fn, target, here, place), place);
}

void ExpressionStore::run() {
  if (!checkWritable(fn, target, place))
    return;
  if (auto few = fewIndices(extents))
    return storeFew(*few);
  const bool overlaps = llvm::any_of(
      value.views(), [&](const auto *view) { return isMoved(*view, target); });
  auto element = [&](ArrayRef<Value> indices) { return at(indices); };
  if (!overlaps)
    return storeTo(target, element);
  SmallVector<Value> zeros(extents.size(),
                           fn.indexValue(fn.constantInt(0, span), span));
  std::optional<ArrayView> copy = localLike(fn, at(zeros), extents, span);
  if (!copy) {
    fn.error(Diag::overlapping_parts, place, {target.name}).help =
        "read from a second array, or write the elements one after the other "
        "in a `for`";
    return;
  }
  storeTo(*copy, element);
  storeTo(target, [&](ArrayRef<Value> indices) {
    return load(fn, elementOf(fn, *copy, indices, span), span);
  });
}

/// The array or part of one that a target is; nothing after an error, and for
/// an element.
static std::optional<ArrayView> targetOf(FunctionLowering &fn,
                                         const syntax::Expr &target) {
  std::optional<Binding> part = fn.lowerExpr(target);
  const auto *view = part ? part->as<ArrayView>() : nullptr;
  return view ? std::optional(*view) : std::nullopt;
}

std::optional<ArrayView> keepExpression(FunctionLowering &fn,
                                        const syntax::Expr &expr,
                                        const std::string &name) {
  const Span span = expr.span;
  std::optional<ArrayExpression> value = ArrayExpression::of(fn, expr);
  std::optional<SmallVector<Value>> extents;
  if (value)
    extents = value->extents(fn);
  if (!extents)
    return std::nullopt;
  SmallVector<Value> zeros(extents->size(),
                           fn.indexValue(fn.constantInt(0, span), span));
  std::optional<Number> first = value->at(fn, zeros);
  if (!first)
    return std::nullopt;
  std::optional<ArrayView> made =
      localLike(fn, fn.materialize(*first, span), *extents, span);
  if (!made) {
    fn.error(Diag::local_array_shape, span);
    return std::nullopt;
  }
  made->name = name;
  if (!name.empty())
    made->array.getDefiningOp<LocalOp>().setName(name);
  ExpressionStore(fn, *made, *value, span, span).run();
  return made;
}

bool lowerArrayAssign(FunctionLowering &fn, const syntax::Assign &statement) {
  const syntax::Expr &target = *statement.targets.front();
  const bool isPart = target.as<syntax::Subscript>() != nullptr;
  const size_t room = ArrayExpression::rankOf(fn, target);
  if (statement.targets.size() != 1 ||
      !ArrayExpression::isOne(fn, *statement.value) ||
      !(isPart ? room > 0 : target.as<syntax::Name>() && room == 0))
    return false;
  const Span span = statement.value->span;
  if (!isPart) {
    std::optional<ArrayView> made =
        keepExpression(fn, *statement.value, target.as<syntax::Name>()->name);
    if (made)
      made->declared = target.span;
    assign(fn, target,
           made ? Binding(*made) : Binding(Poisoned{Poisoned::Failed, span}),
           span);
    return true;
  }
  std::optional<ArrayExpression> value =
      ArrayExpression::of(fn, *statement.value);
  if (!value)
    return true;
  std::optional<ArrayView> view = targetOf(fn, target);
  SmallVector<Value> extents;
  if (view)
    for (const Axis *axis : view->open())
      extents.push_back(axis->extent);
  if (view && value->fit(fn, view->name, extents))
    ExpressionStore(fn, *view, *value, target.span, span).run();
  return true;
}

/// Ends the path, of a function whose result is stored.
static void endWithArray(FunctionLowering &fn, Span span) {
  if (fn.frame->call)
    return returnInlined(fn, Binding(NoValue()), /*isExplicit=*/false, span);
  ReturnOp::create(fn.builder, fn.loc(span), ValueRange());
  fn.builder.clearInsertionPoint();
}

bool lowerArrayReturn(FunctionLowering &fn, const syntax::Expr &value,
                      Span span) {
  const syntax::Function &function = fn.frame->function;
  const size_t rank = ArrayExpression::rankOf(fn, value);
  if (function.kind == syntax::ItemKind::Def) {
    if (!ArrayExpression::isOne(fn, value))
      return false;
    std::optional<ArrayView> kept = keepExpression(fn, value, "");
    returnInlined(fn, kept ? std::optional<Binding>(*kept) : std::nullopt,
                  /*isExplicit=*/true, span);
    return true;
  }
  if (!fn.frame->scalarResults.empty() || function.results.size() != 1 ||
      rank == 0)
    return false;
  const auto &name = function.results.front().name;
  auto found = fn.env().find(name ? name->name : "out");
  const auto *result =
      found == fn.env().end() ? nullptr : found->second.as<ArrayView>();
  if (!result || rank != result->open().size())
    return false;
  const ArrayView target = *result;
  if (storeCall(fn, target, value, span)) {
    endWithArray(fn, span);
    return true;
  }
  std::optional<ArrayExpression> returned = ArrayExpression::of(fn, value);
  SmallVector<Value> extents;
  for (const Axis *axis : target.open())
    extents.push_back(axis->extent);
  const bool isItself = returned && returned->views().size() == 1 &&
                        returned->views().front()->array == target.array &&
                        value.as<syntax::Name>();
  if (returned && !isItself && returned->fit(fn, target.name, extents))
    ExpressionStore(fn, target, *returned, value.span, value.span).run();
  endWithArray(fn, span);
  return true;
}

bool lowerArrayUpdate(FunctionLowering &fn,
                      const syntax::AugmentedAssign &statement) {
  const syntax::Expr &target = *statement.target;
  if (ArrayExpression::rankOf(fn, target) == 0)
    return false;
  const Span span = statement.value->span;
  std::optional<ArrayView> view = targetOf(fn, target);
  std::optional<ArrayExpression> value =
      ArrayExpression::of(fn, *statement.value);
  if (!view || !value)
    return true;
  SmallVector<Value> extents;
  for (const Axis *axis : view->open())
    extents.push_back(axis->extent);
  if (!value->fit(fn, view->name, extents))
    return true;
  ExpressionStore store(fn, *view, *value, target.span, span);
  store.update = functionOf(statement.op);
  store.run();
  return true;
}

} // namespace kern::compiler
