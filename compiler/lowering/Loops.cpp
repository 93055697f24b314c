//===- Loops.cpp - while, for, prange -------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/FunctionLowering.h"
#include "dialects/Kern/ScalarFunctions.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "runtime/error/Counted.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace kern {

//===----------------------------------------------------------------------===//
// Loop headers
//===----------------------------------------------------------------------===//

/// The scalars of a binding that is one, or a tuple of them; false otherwise.
static bool flatten(const Binding &binding, SmallVectorImpl<Number> &scalars) {
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

/// A binding of the same shape with other scalars, taken in order.
static Binding rebuild(const Binding &shape, ArrayRef<Value> &values) {
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

FunctionLowering::LoopHeader
FunctionLowering::openLoop(const std::set<std::string> &assigned, Value counter,
                           Span span) {
  LoopHeader header;
  header.block = newBlock();
  Type open = OpenType::get(builder.getContext());
  SmallVector<Value> operands;
  if (counter) {
    operands.push_back(counter);
    header.counter = header.block->addArgument(open, loc(span));
  }
  SmallVector<std::pair<std::string, SmallVector<Value>>> arguments;
  for (const std::string &name : assigned) {
    auto found = env.find(name);
    SmallVector<Number> scalars;
    if (found == env.end() || !flatten(found->second, scalars))
      continue;
    SmallVector<Value> values;
    for (const Number &scalar : scalars) {
      operands.push_back(materialize(scalar, span));
      values.push_back(header.block->addArgument(open, loc(span)));
    }
    arguments.push_back({name, std::move(values)});
  }
  cf::BranchOp::create(builder, loc(span), header.block, operands);
  builder.setInsertionPointToStart(header.block);
  for (auto &[name, values] : arguments) {
    std::vector<AccumulatorOp> accumulators;
    SmallVector<Value> current;
    for (Value value : values) {
      accumulators.push_back(
          AccumulatorOp::create(builder, loc(span), open, value, UnitAttr()));
      current.push_back(accumulators.back());
    }
    ArrayRef<Value> rest = current;
    Binding carried = rebuild(env.find(name)->second, rest);
    env.insert_or_assign(name, std::move(carried));
    header.carried.emplace_back(name, std::move(accumulators));
  }
  return header;
}

static LoopRule ruleOf(ApplyOp apply) {
  return infoOf(apply.getFunction()).rule;
}

/// Whether a function looks at its operands and gives something else.
static bool isTest(ApplyOp apply) {
  LoopRule rule = ruleOf(apply);
  return rule == LoopRule::Compare || rule == LoopRule::Truth ||
         rule == LoopRule::Predicate || rule == LoopRule::RealPredicate;
}

/// Whether `value` is computed from `origin` by a scalar function, not only
/// from what a test found of it.
static bool isComputedFrom(Value value, Value origin) {
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
        // What `where` chooses by is a test, and what it chooses a copy.
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

void FunctionLowering::closeLoop(LoopHeader &header, Value counter, Span span) {
  if (!isReachable())
    return;
  SmallVector<Value> operands;
  if (counter)
    operands.push_back(counter);
  for (auto &[name, accumulators] : header.carried) {
    auto found = env.find(name);
    SmallVector<Number> scalars;
    bool isFlat = found != env.end() && flatten(found->second, scalars);
    if (!isFlat || scalars.size() != accumulators.size()) {
      const auto *unusable =
          found == env.end() ? nullptr : found->second.as<Unusable>();
      if (!unusable || unusable->reason != Unusable::Failed)
        error(Diag::join_mismatch, span,
              {"`" + name + "`", "one thing",
               "another when the loop comes round"});
      for (AccumulatorOp accumulator : accumulators)
        operands.push_back(accumulator);
      continue;
    }
    for (auto [scalar, accumulator] : llvm::zip(scalars, accumulators))
      operands.push_back(materialize(scalar, span));
  }
  auto back = cf::BranchOp::create(builder, loc(span), header.block, operands);
  ArrayRef<Value> next = operands;
  if (counter)
    next = next.drop_front();
  for (auto &[name, accumulators] : header.carried)
    for (AccumulatorOp accumulator : accumulators) {
      if (isComputedFrom(next.front(), accumulator))
        accumulator.setAccumulates(true);
      if (std::optional<Counting> counting =
              countingOf(accumulator, next.front(), back.getOperation()))
        counters.insert({accumulator, *counting});
      next = next.drop_front();
    }
  builder.clearInsertionPoint();
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

void FunctionLowering::lowerJump(bool isBreak, Span span) {
  size_t base = inlined.empty() ? 0 : inlined.back().loopDepth;
  if (loops.size() <= base) {
    error(Diag::break_outside_loop, span, {isBreak ? "break" : "continue"});
  } else if (isBreak && loops.back().parallel) {
    error(Diag::prange_break, span).help =
        "use `range` for a loop that can end early, or a reduction such as "
        "`any(… for …)`";
  } else {
    (isBreak ? loops.back().breaks : loops.back().continues).push_back(edge());
  }
  builder.clearInsertionPoint();
}

void FunctionLowering::lowerWhile(const syntax::While &statement, Span span) {
  std::set<std::string> assigned;
  collectAssigned(statement.body, assigned);
  LoopHeader header = openLoop(assigned, nullptr, span);

  const auto *literal = statement.condition->as<syntax::BoolLiteral>();
  bool isEndless = literal && literal->value;
  std::vector<Edge> after;
  if (!isEndless) {
    Value condition = lowerCondition(*statement.condition);
    Block *body = newBlock(), *exit = newBlock();
    if (condition)
      cf::CondBranchOp::create(builder, loc(span), condition, body, exit);
    else
      cf::BranchOp::create(builder, loc(span), body);
    after.push_back({exit, env});
    builder.setInsertionPointToStart(body);
  }
  loops.emplace_back();
  lowerBlock(statement.body);
  LoopContext context = std::move(loops.back());
  loops.pop_back();

  if (isReachable())
    context.continues.push_back(edge());
  join(std::move(context.continues), span);
  closeLoop(header, nullptr, span);
  for (Edge &jump : context.breaks)
    after.push_back(std::move(jump));
  join(std::move(after), span);
  // The body may never have run.
  for (const std::string &name : assigned)
    env.try_emplace(name, Binding(Unusable{Unusable::PartlyBound, span}));
}

Value FunctionLowering::inRange(const Iterable &sequence, Value index,
                                Span span) {
  const ScalarFunction order = *sequence.constantStep > 0
                                   ? ScalarFunction::less
                                   : ScalarFunction::greater;
  return truthOf({applyValues(order, {index, sequence.upper}, span), {}}, span);
}

void FunctionLowering::lowerFor(const syntax::For &statement, Span span) {
  if (const auto *call = statement.iterable->as<syntax::Call>())
    if (const auto *name = call->function->as<syntax::Name>();
        name && name->name == "prange" && !env.count(name->name))
      return lowerPrange(statement, *call, span);

  std::optional<Iterable> sequence = inOrder(*statement.iterable);
  std::set<std::string> assigned;
  collectTargets(*statement.target, assigned);
  for (const std::string &name : assigned)
    readNames.insert(name); // a counter that is not used is no mistake
  collectAssigned(statement.body, assigned);
  if (!sequence) {
    // Its error is reported; those of the body would only follow from it.
    for (const std::string &name : assigned)
      env.insert_or_assign(name, Binding(Unusable{Unusable::Failed, span}));
    return;
  }
  LoopHeader header = openLoop(assigned, sequence->lower, span);
  counters.insert(
      {header.counter,
       {sequence->lower, sequence->upper, *sequence->constantStep}});
  Block *body = newBlock(), *exit = newBlock();
  cf::CondBranchOp::create(
      builder, loc(span), inRange(*sequence, header.counter, span), body, exit);
  std::vector<Edge> after{{exit, env}};
  builder.setInsertionPointToStart(body);
  std::optional<Binding> element = sequence->element(header.counter);
  assign(*statement.target,
         element ? *element : Binding(Unusable{Unusable::Failed, span}),
         statement.target->span);
  loops.emplace_back();
  lowerBlock(statement.body);
  LoopContext context = std::move(loops.back());
  loops.pop_back();

  if (isReachable())
    context.continues.push_back(edge());
  join(std::move(context.continues), span);
  Value next;
  if (isReachable())
    next = applyValues(ScalarFunction::add, {header.counter, sequence->step},
                       span);
  closeLoop(header, next, span);
  for (Edge &jump : context.breaks)
    after.push_back(std::move(jump));
  join(std::move(after), span);
  // The body may never have run.
  for (const std::string &name : assigned)
    env.try_emplace(name, Binding(Unusable{Unusable::PartlyBound, span}));
}

void FunctionLowering::lowerPrange(const syntax::For &statement,
                                   const syntax::Call &call, Span span) {
  if (kindHere() == syntax::ItemKind::Ufunc) {
    error(Diag::prange_misplaced, statement.iterable->span).help =
        "use `range`: a ufunc's elements run in parallel already";
    return;
  }
  std::vector<const syntax::Expr *> targets;
  if (const auto *tuple = statement.target->as<syntax::Tuple>())
    for (const syntax::ExprPtr &element : tuple->elements)
      targets.push_back(element.get());
  else
    targets.push_back(statement.target.get());

  SmallVector<Value> lowers, uppers, steps;
  if (targets.size() == 1) {
    std::optional<Iterable> range = rangeOf(call, statement.iterable->span);
    if (!range)
      return;
    lowers = {range->lower};
    uppers = {range->upper};
    steps = {range->step};
  } else {
    if (call.arguments.size() != targets.size()) {
      error(Diag::prange_targets, statement.iterable->span,
            {counted(call.arguments.size(), "extent"),
             counted(targets.size(), "target")})
          .help = "`for i, j in prange(m, n)` has one extent for each target";
      return;
    }
    for (const syntax::ExprPtr &argument : call.arguments) {
      Value extent = lowerValue(*argument);
      if (!extent)
        return;
      lowers.push_back(constantInt(0, span));
      uppers.push_back(indexValue(extent, argument->span));
      steps.push_back(constantInt(1, span));
    }
  }

  Environment before = env;
  std::set<std::string> assigned, indices;
  collectTargets(*statement.target, indices);
  collectAssigned(statement.body, assigned);
  auto parallel = ParallelOp::create(builder, loc(span), lowers, uppers, steps);
  OpBuilder::InsertPoint place = builder.saveInsertionPoint();
  Region *outer = std::exchange(region, &parallel.getBody());
  builder.setInsertionPointToStart(newBlock());
  for (const std::string &name : assigned)
    if (auto found = env.find(name);
        found != env.end() && !found->second.as<ArrayView>())
      found->second = Unusable{Unusable::Carried, span};
  Type open = OpenType::get(builder.getContext());
  for (const syntax::Expr *target : targets) {
    Value index = region->front().addArgument(open, loc(target->span));
    const auto *name = target->as<syntax::Name>();
    if (!name) {
      error(Diag::invalid_target, target->span, {"this"});
      continue;
    }
    readNames.insert(name->name);
    env.insert_or_assign(name->name, Binding(index));
  }
  loops.emplace_back();
  loops.back().parallel = parallel;
  lowerBlock(statement.body);
  LoopContext context = std::move(loops.back());
  loops.pop_back();
  if (isReachable())
    context.continues.push_back(edge());
  join(std::move(context.continues), span);
  if (!isReachable()) // an endless loop: the region still needs an end
    builder.setInsertionPointToStart(newBlock());
  YieldOp::create(builder, loc(span), Value(), Value(), Value());
  if (!failed)
    checkRaces(parallel);

  region = outer;
  builder.restoreInsertionPoint(place);
  env = std::move(before);
  assigned.insert(indices.begin(), indices.end());
  for (const std::string &name : assigned)
    if (auto [found, isNew] =
            env.try_emplace(name, Binding(Unusable{Unusable::Private, span}));
        !isNew)
      if (auto *result = found->second.as<Unusable>();
          result && result->reason == Unusable::Unbound)
        *result = Unusable{Unusable::Private, span};
}

} // namespace kern
