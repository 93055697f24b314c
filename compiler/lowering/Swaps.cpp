//===- Swaps.cpp - local arrays that change places ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/Arrays.h"
#include "compiler/lowering/WholeArrays.h"
#include "dialects/Kern/Kern.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;

/// The names of a tuple of two or more different names; else nothing.
static SmallVector<std::string> namesOf(const syntax::Expr &expr) {
  SmallVector<std::string> names;
  if (const auto *tuple = expr.as<syntax::Tuple>())
    for (const syntax::ExprPtr &element : tuple->elements) {
      const auto *name = element->as<syntax::Name>();
      if (!name || llvm::is_contained(names, name->name))
        return {};
      names.push_back(name->name);
    }
  return names;
}

/// How many names reach elements of an array through this binding.
static size_t uses(const Binding &binding, Value array) {
  if (const auto *view = binding.as<ArrayView>())
    return view->array == array;
  size_t count = 0;
  if (const auto *tuple = binding.as<Tuple>())
    for (const Binding &element : tuple->elements())
      count += uses(element, array);
  return count;
}

/// How many names reach elements of an array, here and in the callers.
static size_t namesReaching(const FunctionLowering &fn, Value array) {
  size_t count = 0;
  for (const Frame *frame = fn.frame; frame; frame = frame->caller())
    for (const auto &[name, binding] : frame->env)
      count += uses(binding, array);
  return count;
}

/// Why an array cannot change places with another; empty if it can.
static std::string obstacle(const FunctionLowering &fn, const std::string &name,
                            const ArrayView &view, const ArrayView &first) {
  auto local = view.array.getDefiningOp<LocalOp>();
  auto other = first.array.getDefiningOp<LocalOp>();
  if (!local || !other)
    return "only local arrays can, from `zeros` or `empty`";
  if (!view.order.empty() || llvm::any_of(view.axes, [](const Axis &axis) {
        return axis.fixed || axis.lower || axis.step != 1;
      }))
    return "`" + name + "` is a part of an array";
  if (namesReaching(fn, view.array) != 1)
    return "`" + name + "` has another name, or is a caller's";
  if (view.open().size() != first.open().size() ||
      local.getElement() != other.getElement() ||
      local.getLike() != other.getLike())
    return "they have different shapes or types";
  return "";
}

/// What a name means is fixed, so the elements move. No other name reaches
/// them, so no program can tell.
bool lowerSwap(FunctionLowering &fn, const syntax::Assign &statement,
               Span span) {
  if (statement.targets.size() != 1)
    return false;
  const auto targets = namesOf(*statement.targets.front());
  const auto sources = namesOf(*statement.value);
  if (targets.size() < 2 || targets.size() != sources.size())
    return false;
  SmallVector<ArrayView> to, from;
  for (auto [target, source] : llvm::zip(targets, sources))
    for (auto [name, list] : {std::pair(&target, &to), {&source, &from}}) {
      auto found = fn.env().find(*name);
      const auto *view =
          found == fn.env().end() ? nullptr : found->second.as<ArrayView>();
      if (!view)
        return false;
      list->push_back(*view);
    }
  for (auto [target, view] : llvm::zip(targets, to)) {
    std::string why = llvm::is_contained(sources, target)
                          ? obstacle(fn, target, view, to.front())
                          : "both sides must name the same arrays";
    if (!why.empty()) {
      const std::string &first = targets.front();
      fn.error(Diag::array_swap, span,
               {first, target == first ? targets.back() : target, why})
          .help =
          "copy the elements through a third array: `c[:] = " + first + "`";
      return true;
    }
  }
  SmallVector<Value> extents;
  for (const Axis *axis : to.front().open())
    extents.push_back(axis->extent);
  for (const ArrayView &view : ArrayRef(to).drop_front())
    for (auto [axis, extent] : llvm::zip(view.open(), extents))
      if (!checkSameExtent(fn, view.name, axis->extent, extent, span))
        return true;
  fn.frame->names.read.insert(targets.begin(), targets.end());
  forEachIndex(
      fn, extents,
      [&](ArrayRef<Value> at) {
        SmallVector<Value> values;
        for (const ArrayView &view : from)
          values.push_back(load(fn, elementOf(fn, view, at, span), span));
        for (auto [view, value] : llvm::zip(to, values))
          store(fn, value, elementOf(fn, view, at, span), span);
      },
      span);
  return true;
}

} // namespace kern::compiler
