//===- Swaps.cpp - local arrays that change places ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/Arrays.h"
#include "compiler/lowering/ChosenArrays.h"
#include "compiler/lowering/LoopArrays.h"
#include "compiler/lowering/Twins.h"
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

/// Whether two values surely have one type: they are computed in one way from
/// values that have.
static bool haveSameType(Value a, Value b, unsigned depth = 8) {
  if (a == b)
    return true;
  Operation *x = a ? a.getDefiningOp() : nullptr;
  Operation *y = b ? b.getDefiningOp() : nullptr;
  if (!x || !y || x->getName() != y->getName() || depth == 0)
    return false;
  if (auto load = dyn_cast<LoadOp>(x))
    return load.getArray() == cast<LoadOp>(y).getArray();
  if (auto constant = dyn_cast<ConstantOp>(x))
    return constant.integer() && cast<ConstantOp>(y).integer();
  if (auto apply = dyn_cast<ApplyOp>(x))
    return apply.getFunction() == cast<ApplyOp>(y).getFunction() &&
           llvm::equal(x->getOperands(), y->getOperands(),
                       [&](Value one, Value other) {
                         return haveSameType(one, other, depth - 1);
                       });
  return isa<IndexOp, DimOp>(x);
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
  if (!isWholeLocal(view))
    return "`" + name + "` is a part of an array";
  if (namesReaching(fn, view.array) != 1)
    return "`" + name + "` has another name, or is a caller's";
  if (view.open().size() != first.open().size() ||
      local.getElement() != other.getElement() ||
      !haveSameType(local.getLike(), other.getLike()))
    return "they have different shapes or types";
  return "";
}

bool isWrittenOperand(FunctionLowering &fn, const std::string &name) {
  const syntax::Function &function = fn.frame->function;
  auto found = fn.env().find(name);
  return found != fn.env().end() && found->second.as<ArrayView>() &&
         (llvm::any_of(function.results,
                       [&](const syntax::Result &result) {
                         return result.name && result.name->name == name;
                       }) ||
          llvm::any_of(
              function.parameters, [&](const syntax::Parameter &parameter) {
                return parameter.isInout && parameter.name.name == name;
              }));
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

void collectBound(const syntax::Expr &target, std::set<std::string> &names) {
  if (const auto *name = target.as<syntax::Name>())
    names.insert(name->name);
  if (const auto *tuple = target.as<syntax::Tuple>())
    for (const syntax::ExprPtr &element : tuple->elements)
      collectBound(*element, names);
}

/// Adds what each name of a target is bound to; all names of a tuple to the
/// value, if that is not one of equally many.
static void
pairUp(const syntax::Expr &target, const syntax::Expr &value,
       std::vector<std::pair<std::string, const syntax::Expr *>> &bound) {
  if (const auto *name = target.as<syntax::Name>())
    bound.push_back({name->name, &value});
  const auto *targets = target.as<syntax::Tuple>();
  if (!targets)
    return;
  const auto *values = value.as<syntax::Tuple>();
  const bool isEach =
      values && values->elements.size() == targets->elements.size();
  for (size_t i = 0; i < targets->elements.size(); ++i)
    pairUp(*targets->elements[i], isEach ? *values->elements[i] : value, bound);
}

/// The names whose arrays, or parts of them, an expression may be; nothing if
/// it makes a new one.
static std::optional<std::set<std::string>>
namesMeant(const syntax::Expr &expr) {
  if (const auto *name = expr.as<syntax::Name>())
    return std::set{name->name};
  if (const auto *part = expr.as<syntax::Subscript>())
    return namesMeant(*part->value);
  if (const auto *attribute = expr.as<syntax::Attribute>())
    return namesMeant(*attribute->value);
  const auto *choice = expr.as<syntax::Conditional>();
  if (!choice)
    return std::nullopt;
  auto one = namesMeant(*choice->value), other = namesMeant(*choice->otherwise);
  if (!one || !other)
    return std::nullopt;
  one->merge(*other);
  return one;
}

/// Whether a path through a block ends an iteration early.
static bool continues(const syntax::Block &body) {
  bool found = false;
  visitStatements(body, [&](const syntax::Stmt &stmt) {
    found |= stmt.as<syntax::Continue>() != nullptr;
  });
  return found;
}

/// Whether a statement gives the names of local arrays of one shape, none of
/// which has another name, to one another. Their types may turn out to differ,
/// which is an error.
static bool permutesNames(FunctionLowering &fn,
                          const syntax::Assign &statement) {
  std::optional<Swap> swap = swapIn(fn, statement);
  const auto sources = namesOf(*statement.value);
  auto isAlike = [&](const ArrayView &view) {
    const ArrayView &first = swap->to.front();
    if (!isWholeLocal(view) || namesReaching(fn, view.array) != 1 ||
        view.axes.size() != first.axes.size())
      return false;
    Attribute type = view.array.getDefiningOp<LocalOp>().getElementAttr();
    Attribute other = first.array.getDefiningOp<LocalOp>().getElementAttr();
    return (!type || !other || type == other) &&
           llvm::none_of(llvm::zip(view.axes, first.axes), [](auto pair) {
             return areDifferent(std::get<0>(pair).extent,
                                 std::get<1>(pair).extent);
           });
  };
  return swap &&
         llvm::all_of(swap->targets,
                      [&](const std::string &name) {
                        return llvm::is_contained(sources, name);
                      }) &&
         isWholeLocal(swap->to.front()) && llvm::all_of(swap->to, isAlike);
}

/// Swaps of local arrays that each iteration runs: their names change places.
static void findRenaming(FunctionLowering &fn, const syntax::Block &body,
                         Rebinding &result) {
  if (continues(body))
    return;
  for (const syntax::StmtPtr &stmt : body)
    if (const auto *assign = stmt->as<syntax::Assign>();
        assign && permutesNames(fn, *assign)) {
      result.renaming.push_back(assign);
      collectBound(*assign->targets.front(), result.owned);
    }
}

Rebinding reboundIn(FunctionLowering &fn, const syntax::Block &body) {
  Rebinding result;
  findRenaming(fn, body, result);
  std::vector<std::pair<std::string, const syntax::Expr *>> bound;
  visitStatements(body, [&](const syntax::Stmt &stmt) {
    if (const auto *assign = stmt.as<syntax::Assign>();
        assign && !movesElements(fn, *assign) &&
        !llvm::is_contained(result.renaming, assign))
      for (const syntax::ExprPtr &target : assign->targets)
        pairUp(*target, *assign->value, bound);
    if (const auto *loop = stmt.as<syntax::For>())
      collectBound(*loop->target, result.names);
  });
  auto isArray = [&](const std::string &name) {
    auto found = fn.env().find(name);
    return found != fn.env().end() && found->second.as<ArrayView>();
  };
  llvm::erase_if(bound, [&](const auto &each) { return !isArray(each.first); });
  // Names of parts that are taken in different ways have places of their own.
  for (const auto &[name, value] : bound)
    if (isTakenOtherwise(fn, *fn.env().find(name)->second.as<ArrayView>(),
                         *value))
      result.owned.insert(name);
  // So has a name that means another one's array if that has one, or is made in
  // the loop.
  for (size_t before = size_t(-1); before != result.owned.size();) {
    before = result.owned.size();
    for (const auto &[name, value] : bound) {
      auto meant = namesMeant(*value);
      if (!meant || llvm::any_of(*meant, [&](const std::string &other) {
            return result.owned.count(other) ||
                   (!isArray(other) && !fn.scope().constant(other));
          }))
        result.owned.insert(name);
    }
  }
  for (const auto &[name, value] : bound)
    if (!result.owned.count(name)) {
      result.names.insert(name);
      llvm::append_range(result.arrays,
                         fn.env().find(name)->second.as<ArrayView>()->arrays());
      collectArrays(fn, *value, result.arrays);
    }
  llvm::SmallSetVector<Value, 4> once(result.arrays.begin(),
                                      result.arrays.end());
  result.arrays.assign(once.begin(), once.end());
  return result;
}

/// Whether a statement runs once, or in each iteration of a loop that keeps
/// account of what names mean.
static bool renames(const FunctionLowering &fn,
                    const syntax::Assign &statement) {
  if (!fn.frame->loops.empty())
    return llvm::is_contained(fn.frame->loops.back().renaming, &statement);
  return llvm::any_of(fn.frame->function.body, [&](const auto &stmt) {
    return stmt->template as<syntax::Assign>() == &statement;
  });
}

/// On a path that not all take, the elements move, unless another name reaches
/// them: no program can tell, and each name goes on to mean one array.
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
        .help = "copy the elements through a third array: `third = " + first +
                ".copy()`";
    return true;
  }
  if (renames(fn, statement))
    return false;
  SmallVector<Value> extents;
  for (const Axis *axis : to.front().open())
    extents.push_back(axis->extent);
  for (const ArrayView &view : ArrayRef(to).drop_front())
    for (auto [axis, extent] : llvm::zip(view.open(), extents))
      if (!checkSameExtent(fn, view.name, axis->extent, extent, span))
        return true;
  fn.frame->names.read.insert(targets.begin(), targets.end());
  MovingElements own(fn);
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
  std::vector<ArrayMove> moves;
  for (auto [name, target, source] : llvm::zip(targets, to, from))
    moves.push_back({name, target.array, {source.array}, source.name});
  noteMoves(fn, std::move(moves), ArrayMoves::Swap, span);
  return true;
}

} // namespace kern::compiler
