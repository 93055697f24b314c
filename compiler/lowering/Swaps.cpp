//===- Swaps.cpp - local arrays that change places ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/Arrays.h"
#include "compiler/lowering/ChosenArrays.h"
#include "compiler/lowering/WholeArrays.h"
#include "compiler/modules/Visit.h"
#include "dialects/Kern/Kern.h"
#include "llvm/ADT/SetVector.h"

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
    return llvm::is_contained(view->arrays(), array);
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
  if (view.chosen)
    return "a condition chooses `" + name + "`";
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

bool isWrittenOperand(FunctionLowering &fn, const std::string &name) {
  const syntax::Function &function = fn.frame->function;
  auto found = fn.env().find(name);
  const auto *view =
      found == fn.env().end() ? nullptr : found->second.as<ArrayView>();
  return view && view->name == name && view->writable &&
         function.kind != syntax::ItemKind::Def &&
         llvm::any_of(view->arrays(),
                      [](Value array) { return isa<BlockArgument>(array); });
}

namespace {
/// `a, b = b, a`.
struct Swap {
  SmallVector<std::string> targets;
  SmallVector<ArrayView> to, from;
};
} // namespace

/// The swap that a statement is, of names of arrays; nothing for any other.
static std::optional<Swap> swapIn(FunctionLowering &fn,
                                  const syntax::Assign &statement) {
  if (statement.targets.size() != 1)
    return std::nullopt;
  Swap swap{namesOf(*statement.targets.front()), {}, {}};
  const auto sources = namesOf(*statement.value);
  if (swap.targets.size() < 2 || swap.targets.size() != sources.size())
    return std::nullopt;
  auto viewOf = [&](const std::string &name) {
    auto found = fn.env().find(name);
    return found == fn.env().end() ? nullptr : found->second.as<ArrayView>();
  };
  for (auto [target, source] : llvm::zip(swap.targets, sources)) {
    const ArrayView *to = viewOf(target), *from = viewOf(source);
    if (!to || !from)
      return std::nullopt;
    swap.to.push_back(*to);
    swap.from.push_back(*from);
  }
  return swap;
}

/// Why the elements of the arrays cannot change places, and the name to blame;
/// the reason is empty if they can.
static std::pair<std::string, std::string>
obstacle(const FunctionLowering &fn, const syntax::Assign &statement,
         const Swap &swap) {
  const auto sources = namesOf(*statement.value);
  for (auto [target, view] : llvm::zip(swap.targets, swap.to)) {
    std::string why = llvm::is_contained(sources, target)
                          ? obstacle(fn, target, view, swap.to.front())
                          : "both sides must name the same arrays";
    if (!why.empty())
      return {why, target};
  }
  return {};
}

bool movesElements(FunctionLowering &fn, const syntax::Assign &statement) {
  std::optional<Swap> swap = swapIn(fn, statement);
  return swap && obstacle(fn, statement, *swap).first.empty();
}

/// Adds the arrays that an expression may be, without any work.
static void collectArrays(const FunctionLowering &fn, const syntax::Expr &expr,
                          std::vector<Value> &arrays) {
  if (const auto *name = expr.as<syntax::Name>()) {
    auto found = fn.frame->env.find(name->name);
    if (found != fn.frame->env.end())
      if (const auto *view = found->second.as<ArrayView>())
        llvm::append_range(arrays, view->arrays());
  } else if (const auto *part = expr.as<syntax::Subscript>()) {
    collectArrays(fn, *part->value, arrays);
  } else if (const auto *attribute = expr.as<syntax::Attribute>()) {
    collectArrays(fn, *attribute->value, arrays);
  } else if (const auto *choice = expr.as<syntax::Conditional>()) {
    collectArrays(fn, *choice->value, arrays);
    collectArrays(fn, *choice->otherwise, arrays);
  } else if (const auto *tuple = expr.as<syntax::Tuple>()) {
    for (const syntax::ExprPtr &element : tuple->elements)
      collectArrays(fn, *element, arrays);
  }
}

/// Adds the names that a target binds: not those of arrays that it writes to.
static void collectBound(const syntax::Expr &target,
                         std::set<std::string> &names) {
  if (const auto *name = target.as<syntax::Name>())
    names.insert(name->name);
  if (const auto *tuple = target.as<syntax::Tuple>())
    for (const syntax::ExprPtr &element : tuple->elements)
      collectBound(*element, names);
}

Rebinding reboundIn(FunctionLowering &fn, const syntax::Block &body) {
  Rebinding result;
  visitStatements(body, [&](const syntax::Stmt &stmt) {
    if (const auto *assign = stmt.as<syntax::Assign>();
        assign && !movesElements(fn, *assign)) {
      std::set<std::string> names;
      for (const syntax::ExprPtr &target : assign->targets)
        collectBound(*target, names);
      bool isArray = false;
      for (const std::string &name : names)
        if (auto found = fn.env().find(name); found != fn.env().end())
          if (const auto *view = found->second.as<ArrayView>()) {
            isArray = true;
            result.names.insert(name);
            llvm::append_range(result.arrays, view->arrays());
          }
      if (isArray)
        collectArrays(fn, *assign->value, result.arrays);
    }
    if (const auto *loop = stmt.as<syntax::For>())
      collectBound(*loop->target, result.names);
  });
  llvm::SmallSetVector<Value, 4> once(result.arrays.begin(),
                                      result.arrays.end());
  result.arrays.assign(once.begin(), once.end());
  return result;
}

/// The elements move, unless another name reaches them: no program can tell,
/// and each name goes on to mean one array.
bool lowerSwap(FunctionLowering &fn, const syntax::Assign &statement,
               Span span) {
  std::optional<Swap> swap = swapIn(fn, statement);
  if (!swap)
    return false;
  const auto &[targets, to, from] = *swap;
  auto [why, blamed] = obstacle(fn, statement, *swap);
  if (!why.empty()) {
    if (llvm::none_of(targets, [&](const std::string &name) {
          return isWrittenOperand(fn, name);
        }))
      return false; // the names change places
    const std::string &first = targets.front();
    fn.error(Diag::array_swap, span,
             {first, blamed == first ? targets.back() : blamed, why})
        .help =
        "copy the elements through a third array: `c[:] = " + first + "`";
    return true;
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
