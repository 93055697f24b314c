//===- Loops.cpp - for and while ------------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/Loops.h"

#include "compiler/lowering/Assignments.h"
#include "compiler/lowering/Expressions.h"
#include "compiler/lowering/LoopHeader.h"
#include "compiler/modules/Names.h"
#include "compiler/modules/Visit.h"
#include "dialects/Kern/ScalarFunctions.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "runtime/error/Counted.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;

void lowerJump(FunctionLowering &fn, bool isBreak, Span span) {
  std::vector<LoopContext> &loops = fn.frame->loops;
  if (loops.empty()) {
    fn.error(Diag::break_outside_loop, span, {isBreak ? "break" : "continue"});
  } else if (isBreak && loops.back().parallel) {
    fn.error(Diag::prange_break, span).help =
        "use `range` for a loop that can end early, or a reduction such as "
        "`any(… for …)`";
  } else {
    (isBreak ? loops.back().breaks : loops.back().continues)
        .push_back(fn.edge());
  }
  fn.builder.clearInsertionPoint();
}

std::vector<Edge> lowerIteration(FunctionLowering &fn, LoopContext loop,
                                 llvm::function_ref<void()> body, Span span) {
  fn.frame->loops.push_back(std::move(loop));
  body();
  LoopContext context = std::move(fn.frame->loops.back());
  fn.frame->loops.pop_back();
  if (fn.isReachable())
    context.continues.push_back(fn.edge());
  fn.join(std::move(context.continues), span);
  return std::move(context.breaks);
}

/// Poisons names that only the body assigns: it may never have run.
static void poisonUnbound(FunctionLowering &fn,
                          const std::set<std::string> &assigned, Span span) {
  if (!fn.isReachable())
    return;
  for (const std::string &name : assigned) {
    auto [entry, isNew] =
        fn.env().try_emplace(name, Poisoned{Poisoned::NotRun, span});
    auto *partly = entry->second.as<Poisoned>();
    if (partly && partly->reason == Poisoned::PartlyBound &&
        partly->place == span)
      partly->reason = Poisoned::NotRun;
  }
}

void joinLoopEnds(FunctionLowering &fn, std::vector<Edge> last,
                  std::vector<Edge> breaks, const syntax::Block *otherwise,
                  Span span) {
  if (otherwise && !otherwise->empty() && !last.empty()) {
    fn.join(std::move(last), span);
    fn.lowerBlock(*otherwise);
    last.clear();
    if (fn.isReachable())
      last.push_back(fn.edge());
  }
  llvm::move(breaks, std::back_inserter(last));
  fn.join(std::move(last), span);
}

namespace {
/// Lowers the iterations of a loop, of which there are several if each ends
/// with the arrays of its names in other places.
class Iterations {
public:
  Iterations(FunctionLowering &fn, LoopHeader &header,
             const syntax::Block *body, Span span)
      : fn(fn), header(header), body(body), span(span),
        operations(fn.budget.operations) {}

  /// Lowers one.
  void lower(llvm::function_ref<void()> body) {
    std::vector<Edge> left = lowerIteration(
        fn, {{}, {}, nullptr, &header.arrays, header.renaming}, body, span);
    llvm::move(left, std::back_inserter(breaks));
    if (!remaining)
      remaining = isShort() ? header.arrays.iterationsLeft(fn).value_or(0) : 0;
    else
      --*remaining;
  }
  /// Whether another one is to follow before the jump back.
  bool goesOn() const { return fn.isReachable() && *remaining != 0; }
  /// Closes the loop; `next` is the next counter, or null. Continues after it.
  void close(Value next, std::vector<Edge> last,
             const syntax::Block *otherwise) {
    auto isRead = [&](const std::string &name) {
      return body && isReadAfter(fn.frame->function.body, *body, name, false);
    };
    header.arrays.settle(fn, last, isRead, span);
    header.arrays.settle(fn, breaks, isRead, span);
    closeLoop(fn, header, next, span);
    joinLoopEnds(fn, std::move(last), std::move(breaks), otherwise, span);
  }

private:
  bool isShort() const {
    constexpr size_t most = 2000;
    return fn.isReachable() && !fn.failed &&
           fn.budget.operations - operations < most;
  }

  FunctionLowering &fn;
  LoopHeader &header;
  const syntax::Block *body; ///< of the statement, or null
  Span span;
  size_t operations; ///< before the first iteration
  std::vector<Edge> breaks;
  std::optional<unsigned> remaining;
};
} // namespace

void lowerWhile(FunctionLowering &fn, const syntax::While &statement,
                Span span) {
  std::set<std::string> assigned;
  collectAssigned(statement.body, assigned);
  LoopHeader header =
      openLoop(fn, assigned, reboundIn(fn, statement.body), nullptr, span);
  Iterations iterations(fn, header, &statement.body, span);

  const auto *literal = statement.condition->as<syntax::BoolLiteral>();
  bool isEndless = literal && literal->value;
  std::vector<Edge> last;
  do {
    std::optional<bool> known;
    if (!isEndless) {
      Value condition = lowerKnownCondition(fn, *statement.condition, known);
      Block *body = fn.newBlock(), *exit = fn.newBlock();
      if (condition)
        cf::CondBranchOp::create(fn.builder, fn.loc(span), condition, body,
                                 exit);
      else
        cf::BranchOp::create(fn.builder, fn.loc(span), body);
      last.push_back({exit, fn.env()});
      fn.builder.setInsertionPointToStart(body);
    }
    llvm::SaveAndRestore dead(fn.isDead);
    fn.isDead |= known == false;
    iterations.lower([&] { fn.lowerBlock(statement.body); });
  } while (iterations.goesOn());
  iterations.close(nullptr, std::move(last), &statement.otherwise);
  poisonUnbound(fn, assigned, span);
}

/// Whether a sequence of unit steps has an element at `index`, as i1.
static Value inRange(FunctionLowering &fn, const Sequence &sequence,
                     Value index, Span span) {
  const ScalarFunction order = *sequence.constantStep > 0
                                   ? ScalarFunction::less
                                   : ScalarFunction::greater;
  return fn.truthOf({fn.applyValues(order, {index, sequence.upper}, span), {}},
                    span);
}

/// Whether a sequence of unit steps is known not to be empty.
static bool hasElements(const Sequence &sequence) {
  std::optional<int64_t> lower = knownInteger(sequence.lower);
  std::optional<int64_t> upper = knownInteger(sequence.upper);
  return lower && upper &&
         (*sequence.constantStep > 0 ? *lower < *upper : *lower > *upper);
}

bool loopOver(FunctionLowering &fn, const Sequence &sequence,
              const std::set<std::string> &assigned,
              llvm::function_ref<bool(Value)> body, Span span,
              const LoopFacts &facts) {
  LoopHeader header =
      openLoop(fn, assigned, facts.rebound, sequence.lower, span);
  Value past = sequence.upper;
  if (facts.runs) // here the counter never has the value past the last one
    past = fn.constantInt(*knownInteger(past) - *sequence.constantStep, span);
  fn.races.counters.insert(
      {header.counter, {sequence.lower, past, *sequence.constantStep}});
  std::vector<Edge> last;
  Block *before = header.block->getSinglePredecessor();
  auto goOnBelow = [&](Value counter) {
    Block *iteration = fn.newBlock(), *exit = fn.newBlock();
    if (counter == header.counter && hasElements(sequence))
      fn.twins.running.insert({header.block, {before, exit}});
    cf::CondBranchOp::create(fn.builder, fn.loc(span),
                             inRange(fn, sequence, counter, span), iteration,
                             exit);
    last.push_back({exit, fn.env()});
    fn.builder.setInsertionPointToStart(iteration);
  };
  if (!facts.runs)
    goOnBelow(header.counter);
  Iterations iterations(fn, header, facts.body, span);
  Value counter = header.counter, next;
  do {
    bool isComplete = false;
    iterations.lower([&] { isComplete = body(counter); });
    if (!isComplete)
      return false;
    next = nullptr;
    if (fn.isReachable())
      next =
          fn.applyValues(ScalarFunction::add, {counter, sequence.step}, span);
    if (next && (facts.runs || iterations.goesOn()))
      goOnBelow(next);
    counter = next;
  } while (next && iterations.goesOn());
  iterations.close(next, std::move(last), facts.otherwise);
  return true;
}

/// Whether a name without a value here is read after this loop.
static bool isLaterRead(FunctionLowering &fn, const std::string &name,
                        const syntax::For &loop) {
  auto found = fn.env().find(name);
  if (found != fn.env().end() && !found->second.as<Poisoned>())
    return false;
  return isReadAfter(fn.frame->function.body, loop.body, name,
                     llvm::is_contained(fn.frame->scalarResults, name));
}

static constexpr const char *runOver = "the array of the loop";

RunOver::RunOver(FunctionLowering &fn, std::vector<Binding> arrays) : fn(fn) {
  if (auto found = fn.env().find(runOver); found != fn.env().end()) {
    outer = found->second;
    arrays.push_back(*outer);
  }
  fn.env().insert_or_assign(runOver, Tuple(std::move(arrays)));
}

RunOver::~RunOver() {
  fn.env().erase(runOver);
  if (outer)
    fn.env().insert_or_assign(runOver, *outer);
}

/// Adds the arrays whose elements a loop over an expression may have.
static void collectRunOver(FunctionLowering &fn, const syntax::Expr &expr,
                           std::vector<Binding> &arrays) {
  const auto *call = expr.as<syntax::Call>();
  const auto *called = call ? call->function->as<syntax::Name>() : nullptr;
  if (called && called->name == "range")
    return;
  if (const auto *name = expr.as<syntax::Name>()) {
    auto found = fn.env().find(name->name);
    if (found != fn.env().end() &&
        (found->second.as<ArrayView>() || found->second.as<Tuple>()))
      arrays.push_back(found->second);
  }
  visitParts(expr, [&](const syntax::Expr &part) {
    collectRunOver(fn, part, arrays);
  });
}

void lowerFor(FunctionLowering &fn, const syntax::For &statement, Span span) {
  if (auto *nest = fn.races.independent
                       ? fn.races.independent->nestOf(statement)
                       : nullptr)
    return lowerIndependent(fn, *nest);
  if (const auto *call = statement.iterable->as<syntax::Call>())
    if (const auto *name = call->function->as<syntax::Name>();
        name && name->name == "prange" && !fn.env().count(name->name)) {
      lowerPrange(fn, statement, *call, span);
      return fn.lowerBlock(statement.otherwise); // no `break` can leave it
    }
  if (lowerTupleLoop(fn, statement, span))
    return;
  std::optional<Sequence> sequence =
      unitStepSequenceOf(fn, *statement.iterable);
  std::set<std::string> assigned;
  collectTargets(*statement.target, assigned);
  for (const std::string &name : assigned)
    fn.frame->names.read.insert(name); // a counter may go unused
  collectAssigned(statement.body, assigned);
  if (!sequence) {
    // The error is reported; errors in the body would only follow from it.
    for (const std::string &name : assigned)
      fn.env().insert_or_assign(name, Poisoned{Poisoned::Failed, span});
    return;
  }
  if (lowerTableLoop(fn, statement, *sequence, span))
    return;
  auto body = [&](Value index) {
    std::optional<Binding> element = sequence->element(index);
    assign(fn, *statement.target,
           element ? *element : Poisoned{Poisoned::Failed, span},
           statement.target->span);
    fn.lowerBlock(statement.body);
    return true;
  };
  std::vector<Binding> arrays;
  collectRunOver(fn, *statement.iterable, arrays);
  RunOver names(fn, std::move(arrays));
  const bool runs = hasElements(*sequence) &&
                    llvm::any_of(assigned, [&](const std::string &name) {
                      return isLaterRead(fn, name, statement);
                    });
  loopOver(fn, *sequence, assigned, body, span,
           {runs, &statement.otherwise, reboundIn(fn, statement.body),
            &statement.body});
  poisonUnbound(fn, assigned, span);
}

} // namespace kern::compiler
