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
#include "compiler/lowering/ChosenArrays.h"
#include "compiler/lowering/Expressions.h"
#include "compiler/lowering/LoopArrays.h"
#include "compiler/lowering/Loops.h"
#include "compiler/lowering/Ranks.h"
#include "compiler/lowering/Scans.h"
#include "compiler/lowering/WholeArrays.h"
#include "compiler/modules/Names.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "runtime/error/Counted.h"

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
  /// Which elements are stored; null: all. It reads nothing that is stored.
  const ArrayExpression *mask = nullptr;

  void run();

private:
  Value at(ArrayRef<Value> indices);
  void storeTo(const ArrayView &array,
               llvm::function_ref<Value(ArrayRef<Value>)> element);
  void storeIf(ArrayRef<Value> indices, llvm::function_ref<void()> put);
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
        auto put = [&] {
          store(fn, element(indices), elementOf(fn, array, indices, place),
                place);
        };
        mask ? storeIf(indices, put) : put();
      },
      span);
}

void ExpressionStore::storeIf(ArrayRef<Value> indices,
                              llvm::function_ref<void()> put) {
  std::optional<Number> chosen = mask->at(fn, indices);
  if (!chosen)
    return;
  Block *then = fn.newBlock(), *end = fn.newBlock();
  cf::CondBranchOp::create(fn.builder, fn.loc(place),
                           fn.truthOf(*chosen, place), then, end);
  fn.builder.setInsertionPointToStart(then);
  put();
  cf::BranchOp::create(fn.builder, fn.loc(place), end);
  fn.builder.setInsertionPointToStart(end);
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
  if (auto few = fewIndices(extents); few && !mask)
    return storeFew(*few);
  const bool overlaps = llvm::any_of(value.views(), [&](const auto *view) {
    return value.isScattered() ? mayShareArray(*view, target)
                               : isMoved(*view, target);
  });
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

void storeElements(FunctionLowering &fn, const ArrayView &target,
                   const ArrayExpression &value, Span place, Span span) {
  ExpressionStore(fn, target, value, place, span).run();
}

void storeExpression(FunctionLowering &fn, const ArrayView &target,
                     const syntax::Expr &value, Span place,
                     std::optional<ScalarFunction> update) {
  const Span span = value.span;
  const auto *choice = value.as<syntax::Conditional>();
  if (choice && Ranks(fn).of(value) > 0) {
    if (Value condition = fn.lowerCondition(*choice->condition))
      onBranches(
          fn, condition, *choice,
          [&](const syntax::Expr &expr) {
            storeExpression(fn, target, expr, place, update);
            return NoValue();
          },
          span);
    return;
  }
  if (!update && (storeCall(fn, target, value, place) ||
                  storeScan(fn, target, value, place)))
    return;
  std::optional<ArrayExpression> stored = ArrayExpression::of(fn, value);
  SmallVector<Value> extents;
  for (const Axis *axis : target.open())
    extents.push_back(axis->extent);
  if (!stored || !stored->fit(fn, target.name, extents))
    return;
  ExpressionStore store(fn, target, *stored, place, span);
  store.update = update;
  store.run();
}

/// The array or part of one that a target is; nothing after an error, and for
/// an element.
static std::optional<ArrayView> targetOf(FunctionLowering &fn,
                                         const syntax::Expr &target) {
  std::optional<Binding> part = fn.lowerExpr(target);
  const auto *view = part ? part->as<ArrayView>() : nullptr;
  return view ? std::optional(*view) : std::nullopt;
}

/// The array that chooses elements in `a[m]`; null for other targets.
static const syntax::Expr *maskIn(FunctionLowering &fn,
                                  const syntax::Expr &target) {
  const auto *part = target.as<syntax::Subscript>();
  if (!part || part->indices.size() != 1 || !part->indices.front().value)
    return nullptr;
  const syntax::Expr &index = *part->indices.front().value;
  return Ranks(fn).of(index) > 0 ? &index : nullptr;
}

/// `a[m] = v` and `a[m] += v`.
static void storeMasked(FunctionLowering &fn, const syntax::Expr &target,
                        const syntax::Expr &masking, const syntax::Expr &value,
                        std::optional<ScalarFunction> update) {
  const Span span = value.span;
  std::optional<ArrayView> view =
      targetOf(fn, *target.as<syntax::Subscript>()->value);
  if (!view)
    return;
  const size_t rank = Ranks(fn).of(masking);
  // `a[m] = b[m]` takes the elements of b at the same places.
  const syntax::Expr *masked = maskIn(fn, value);
  const bool isSame =
      masked && textAt(fn, masked->span) == textAt(fn, masking.span);
  const syntax::Expr &source =
      isSame ? *value.as<syntax::Subscript>()->value : value;
  const std::string array =
      textAt(fn, target.as<syntax::Subscript>()->value->span);
  if (rank != view->open().size() ||
      Ranks(fn).of(source) != (isSame ? rank : 0)) {
    fn.error(Diag::array_function, target.span,
             {textAt(fn, target.span) + " = …",
              rank != view->open().size()
                  ? "the mask has " + runtime::counted(rank, "dimension") +
                        ", and the array " + std::to_string(view->open().size())
                  : "its value is an array, not a number"})
        .help = "choose between elements: `" + array + "[:] = where(m, b, " +
                array + ")`; to store at indices, loop over them: `" + array +
                "[k[i]] = v[i]`";
    return;
  }
  std::optional<ArrayExpression> mask = ArrayExpression::of(fn, masking);
  std::optional<ArrayExpression> stored = ArrayExpression::of(fn, source);
  SmallVector<Value> extents;
  for (const Axis *axis : view->open())
    extents.push_back(axis->extent);
  if (!mask || !stored || !mask->fit(fn, view->name, extents) ||
      !stored->fit(fn, view->name, extents))
    return;
  const bool isRead = llvm::any_of(mask->views(), [&](const auto *each) {
    return mask->isScattered() ? mayShareArray(*each, *view)
                               : isMoved(*each, *view);
  });
  if (isRead) {
    std::optional<ArrayView> kept = keepExpression(fn, masking, "");
    if (!kept)
      return;
    mask = ArrayExpression::ofView(masking, *kept);
    mask->fit(fn, view->name, extents);
  }
  ExpressionStore store(fn, *view, *stored, target.span, span);
  store.update = update;
  store.mask = &*mask;
  store.run();
}

bool lowerArrayAssign(FunctionLowering &fn, const syntax::Assign &statement) {
  const syntax::Expr &target = *statement.targets.front();
  if (const syntax::Expr *mask = maskIn(fn, target);
      mask && statement.targets.size() == 1) {
    storeMasked(fn, target, *mask, *statement.value, std::nullopt);
    return true;
  }
  const bool isPart = target.as<syntax::Subscript>() != nullptr;
  const size_t room = Ranks(fn).of(target);
  const bool isChoice = isPart && statement.value->as<syntax::Conditional>() &&
                        Ranks(fn).of(*statement.value) > 0;
  if (statement.targets.size() > 1 &&
      ArrayExpression::isOne(fn, *statement.value)) {
    std::optional<ArrayView> made = keepExpression(fn, *statement.value, "");
    Binding value = made ? Binding(*made)
                         : Binding(Poisoned{Poisoned::Failed, target.span});
    for (const syntax::ExprPtr &each : statement.targets)
      assign(fn, *each, value, statement.value->span);
    return true;
  }
  if (statement.targets.size() != 1 ||
      !(isChoice || ArrayExpression::isOne(fn, *statement.value)) ||
      !(isPart ? room > 0 : target.as<syntax::Name>() != nullptr))
    return false;
  const Span span = statement.value->span;
  if (const auto *choice = statement.value->as<syntax::Conditional>();
      choice && !isPart && namesArray(fn, *statement.value)) {
    assign(fn, target, lowerNamedOrNew(fn, *choice, span), span);
    return true;
  }
  if (!isPart && storeToPlace(fn, target, *statement.value))
    return true;
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
  if (std::optional<ArrayView> view = targetOf(fn, target))
    storeExpression(fn, *view, *statement.value, target.span);
  return true;
}

bool lowerArrayUpdate(FunctionLowering &fn,
                      const syntax::AugmentedAssign &statement) {
  const syntax::Expr &target = *statement.target;
  if (const syntax::Expr *mask = maskIn(fn, target)) {
    storeMasked(fn, target, *mask, *statement.value, functionOf(statement.op));
    return true;
  }
  if (Ranks(fn).of(target) == 0)
    return false;
  if (std::optional<ArrayView> view = targetOf(fn, target))
    storeExpression(fn, *view, *statement.value, target.span,
                    functionOf(statement.op));
  return true;
}

} // namespace kern::compiler
