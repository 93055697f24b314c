//===- LoopHeader.cpp - what a loop carries round -------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/lowering/LoopHeader.h"

#include "compiler/lowering/Joins.h"
#include "compiler/lowering/Loops.h"
#include "dialects/Kern/ScalarFunctions.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;

bool flatten(const Binding &binding, SmallVectorImpl<Number> &scalars) {
  if (const auto *scalar = binding.as<Number>()) {
    scalars.push_back(*scalar);
    return true;
  }
  if (const auto *tuple = binding.as<Tuple>())
    return llvm::all_of(tuple->elements(), [&](const Binding &element) {
      return flatten(element, scalars);
    });
  return false;
}

Binding rebuild(const Binding &shape, ArrayRef<Value> &values) {
  if (const auto *tuple = shape.as<Tuple>()) {
    std::vector<Binding> result;
    for (const Binding &element : tuple->elements())
      result.push_back(rebuild(element, values));
    return Tuple(std::move(result));
  }
  Value value = values.front();
  values = values.drop_front();
  return Binding(value);
}

/// The numbers of a binding; false for one without a value.
static bool numbersIn(const Binding &binding,
                      SmallVectorImpl<Number> &numbers) {
  if (binding.as<ArrayView>() || binding.as<FunctionName>())
    return true;
  if (const auto *tuple = binding.as<Tuple>())
    return llvm::all_of(tuple->elements(), [&](const Binding &element) {
      return numbersIn(element, numbers);
    });
  return flatten(binding, numbers);
}

/// The binding with other numbers.
static Binding withNumbers(const Binding &binding, ArrayRef<Value> &numbers) {
  if (binding.as<ArrayView>() || binding.as<FunctionName>())
    return binding;
  if (const auto *tuple = binding.as<Tuple>()) {
    std::vector<Binding> elements;
    for (const Binding &element : tuple->elements())
      elements.push_back(withNumbers(element, numbers));
    return Tuple(std::move(elements));
  }
  return rebuild(binding, numbers);
}

/// Whether two bindings differ in numbers alone.
static bool haveSameForm(const Binding &a, const Binding &b) {
  const auto *left = a.as<Tuple>(), *right = b.as<Tuple>();
  if (left && right)
    return llvm::equal(left->elements(), right->elements(), haveSameForm);
  return (a.as<Number>() && b.as<Number>()) || isSame(a, b);
}

/// The arrays that a name may mean in the loop; none if it keeps its array.
static std::vector<Value> arraysFor(const std::string &name,
                                    const Binding &binding,
                                    const Rebinding &rebound) {
  const auto *view = binding.as<ArrayView>();
  if (!view || !rebound.names.count(name) ||
      (view->chosen && !view->chosen->parts.empty()))
    return {};
  std::vector<Value> arrays;
  for (Value array : rebound.arrays)
    if (cast<ArrayType>(array.getType()).getRank() == view->axes.size())
      arrays.push_back(array);
  return arrays;
}

LoopHeader openLoop(FunctionLowering &fn, const std::set<std::string> &assigned,
                    const Rebinding &rebound, Value counter, Span span) {
  LoopHeader header{
      {}, {}, {}, LoopArrays(fn, rebound.owned, span), rebound.renaming};
  header.block = fn.newBlock();
  Type open = OpenType::get(fn.builder.getContext());
  SmallVector<Value> operands;
  if (counter) {
    operands.push_back(counter);
    header.counter = header.block->addArgument(open, fn.loc(span));
  }
  SmallVector<std::pair<std::string, SmallVector<Value>>> arguments;
  for (const std::string &name : assigned) {
    auto found = fn.env().find(name);
    SmallVector<Number> scalars;
    if (found == fn.env().end())
      continue;
    const std::vector<Value> arrays = arraysFor(name, found->second, rebound);
    if (!arrays.empty())
      scalars = placeOf(fn, *found->second.as<ArrayView>(), arrays, span);
    else if (!numbersIn(found->second, scalars))
      continue;
    SmallVector<Value> values;
    for (const Number &scalar : scalars) {
      operands.push_back(fn.materialize(scalar, span));
      values.push_back(header.block->addArgument(open, fn.loc(span)));
    }
    arguments.push_back({name, std::move(values)});
  }
  cf::BranchOp::create(fn.builder, fn.loc(span), header.block, operands);
  fn.builder.setInsertionPointToStart(header.block);
  for (auto &[name, values] : arguments) {
    std::vector<AccumulatorOp> accumulators;
    SmallVector<Value> current;
    for (Value value : values) {
      accumulators.push_back(AccumulatorOp::create(fn.builder, fn.loc(span),
                                                   open, value, UnitAttr()));
      current.push_back(accumulators.back());
    }
    ArrayRef<Value> rest = current;
    Binding &binding = fn.env().find(name)->second;
    std::vector<Value> arrays = arraysFor(name, binding, rebound);
    header.carried.push_back({name, binding, std::move(accumulators), arrays});
    binding = arrays.empty() ? withNumbers(binding, rest)
                             : Binding(withPlace(fn, *binding.as<ArrayView>(),
                                                 arrays, current, span));
  }
  return header;
}

static LoopRule ruleOf(ApplyOp apply) {
  return infoOf(apply.getFunction()).rule;
}

/// Whether a function tests its operands: its result is a truth value.
static bool isTest(ApplyOp apply) {
  LoopRule rule = ruleOf(apply);
  return rule == LoopRule::Compare || rule == LoopRule::Truth ||
         rule == LoopRule::Predicate || rule == LoopRule::RealPredicate;
}

bool isComputedFrom(Value value, Value origin) {
  SmallPtrSet<Value, 16> seenCopies, seenComputed;
  SmallVector<std::pair<Value, bool>> worklist{{value, false}};
  while (!worklist.empty()) {
    auto [current, computed] = worklist.pop_back_val();
    if (current == origin) {
      if (computed)
        return true;
      continue;
    }
    if (!(computed ? seenComputed : seenCopies).insert(current).second)
      continue;
    if (Operation *op = current.getDefiningOp()) {
      if (auto apply = dyn_cast<ApplyOp>(op); apply && !isTest(apply)) {
        // The first operand of `where` is a test; the others are copied.
        bool isChoice = ruleOf(apply) == LoopRule::Select;
        for (Value operand : llvm::drop_begin(op->getOperands(), isChoice))
          worklist.push_back({operand, computed || !isChoice});
      } else if (isa<AccumulatorOp>(op)) {
        worklist.push_back({op->getOperand(0), computed});
      }
      continue;
    }
    auto argument = cast<BlockArgument>(current);
    for (Block *source : argument.getOwner()->getPredecessors()) {
      auto branch = dyn_cast<cf::BranchOp>(source->getTerminator());
      if (branch)
        worklist.push_back(
            {branch.getDestOperands()[argument.getArgNumber()], computed});
    }
  }
  return false;
}

/// What the next iteration has of a name; nothing if it means another kind of
/// thing, or an array that it cannot.
static std::optional<SmallVector<Number>> next(FunctionLowering &fn,
                                               const CarriedName &carried,
                                               const Binding &now, Span span) {
  SmallVector<Number> numbers;
  if (carried.arrays.empty()) {
    if (!haveSameForm(carried.before, now) || !numbersIn(now, numbers))
      return std::nullopt;
    return numbers;
  }
  const auto *view = now.as<ArrayView>(),
             *before = carried.before.as<ArrayView>();
  if (!view || !mayHaveSameShape(*before, *view) ||
      !havePlacesAlike(*before, *view) ||
      !llvm::all_of(view->arrays(), [&](Value array) {
        return llvm::is_contained(carried.arrays, array);
      }))
    return std::nullopt;
  requireSameShape(fn, *before, *view, span);
  return placeOf(fn, *view, carried.arrays, span);
}

void closeLoop(FunctionLowering &fn, LoopHeader &header, Value counter,
               Span span) {
  if (!fn.isReachable())
    return;
  header.arrays.settle(fn, span);
  SmallVector<Value> operands;
  if (counter)
    operands.push_back(counter);
  for (const CarriedName &carried : header.carried) {
    const std::string &name = carried.name;
    auto found = fn.env().find(name);
    std::optional<SmallVector<Number>> scalars;
    if (found != fn.env().end())
      scalars = next(fn, carried, found->second, span);
    if (!scalars) {
      const auto *poisoned =
          found == fn.env().end() ? nullptr : found->second.as<Poisoned>();
      if (!poisoned || poisoned->reason != Poisoned::Failed) {
        Diagnostic &diagnostic =
            fn.error(Diag::join_mismatch, span,
                     {"`" + name + "`", "one thing", "something else"});
        const auto *before = carried.before.as<ArrayView>();
        const auto *now =
            found == fn.env().end() ? nullptr : found->second.as<ArrayView>();
        if (before && now)
          diagnostic.help =
              mayBeChosenParts(*before, *now)
                  ? "in a loop a name means parts of arrays that are taken in "
                    "one way; copy the other one where it is bound: `" +
                        name + " = ….copy()`"
                  : "in a loop a name means arrays of one shape; give an array "
                    "of another one another name";
        if (carried.before.as<Tuple>() && !poisoned)
          diagnostic.help = "numbers of a tuple may change in a loop, but not "
                            "which arrays and functions it holds";
      }
      for (AccumulatorOp accumulator : carried.numbers)
        operands.push_back(accumulator);
      continue;
    }
    for (const Number &scalar : *scalars)
      operands.push_back(fn.materialize(scalar, span));
  }
  auto back =
      cf::BranchOp::create(fn.builder, fn.loc(span), header.block, operands);
  ArrayRef<Value> rest = operands;
  if (counter)
    rest = rest.drop_front();
  for (const CarriedName &carried : header.carried)
    for (AccumulatorOp accumulator : carried.numbers) {
      if (isComputedFrom(rest.front(), accumulator))
        accumulator.setAccumulates(true);
      if (std::optional<Counting> counting =
              countingOf(accumulator, rest.front(), back.getOperation()))
        fn.races.counters.insert({accumulator, *counting});
      rest = rest.drop_front();
    }
  fn.builder.clearInsertionPoint();
}

} // namespace kern::compiler
