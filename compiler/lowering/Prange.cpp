//===- Prange.cpp - loops whose iterations are independent ----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/Assignments.h"
#include "compiler/lowering/ChosenArrays.h"
#include "compiler/lowering/Loops.h"
#include "compiler/lowering/Scopes.h"
#include "compiler/modules/Names.h"
#include "compiler/modules/Visit.h"
#include "runtime/error/Counted.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;

/// The kind of the innermost ufunc or gufunc, to which a loop here belongs.
static syntax::ItemKind kindHere(const FunctionLowering &fn) {
  const Frame *frame = fn.frame;
  while (frame->function.kind == syntax::ItemKind::Def)
    frame = frame->caller();
  return frame->function.kind;
}

static SmallVector<const syntax::Expr *> targetsOf(const syntax::Expr &target) {
  const auto *tuple = target.as<syntax::Tuple>();
  if (!tuple)
    return {&target};
  SmallVector<const syntax::Expr *> targets;
  for (const syntax::ExprPtr &element : tuple->elements)
    targets.push_back(element.get());
  return targets;
}

/// The range of one index of several: an extent, or `(from, to)` or
/// `(from, to, step)` as in `range`.
static std::optional<Sequence>
regionOf(FunctionLowering &fn, const syntax::Expr &argument, Span span) {
  if (const auto *tuple = argument.as<syntax::Tuple>()) {
    SmallVector<const syntax::Expr *> bounds;
    for (const syntax::ExprPtr &bound : tuple->elements)
      bounds.push_back(bound.get());
    if (bounds.size() >= 2)
      return rangeOf(fn, "prange", bounds, argument.span);
    fn.error(Diag::range_arity, argument.span,
             {"prange", "an extent, `(from, to)` or `(from, to, step)`",
              runtime::countedAre(bounds.size(), "value")});
    return std::nullopt;
  }
  Value extent = fn.lowerValue(argument);
  if (!extent)
    return std::nullopt;
  Sequence range;
  range.lower = fn.constantInt(0, span);
  range.upper = fn.indexValue(extent, argument.span, "prange");
  range.step = fn.constantInt(1, span);
  return range;
}

/// `for i, j in prange(1, n)` may mean one range of both.
static void warnOfLiteralExtent(FunctionLowering &fn,
                                const syntax::Call &call) {
  const auto *literal = call.arguments[0]->as<syntax::IntegerLiteral>();
  if (!literal || literal->words.size() > 1 || literal->words[0] > 1)
    return;
  fn.diagnostics
      .report(Diag::prange_extent, call.arguments[0]->span,
              {literal->words[0] ? "one value, 0" : "no value"})
      .help = "each argument is the extent of one index; `(1, n)` is a range: "
              "`prange((1, m - 1), (1, n - 1))`";
}

/// Makes the operation, with `targets` indices and no body; null after an
/// error.
static ParallelOp makeParallel(FunctionLowering &fn, const syntax::Call &call,
                               size_t targets, Span place, Span span) {
  SmallVector<Value> lowers, uppers, steps;
  if (targets == 1) {
    const bool isRegion =
        !call.arguments.empty() && call.arguments.front()->as<syntax::Tuple>();
    if (isRegion && call.arguments.size() > 1) {
      fn.error(Diag::prange_targets, place,
               {runtime::counted(call.arguments.size(), "range"),
                runtime::counted(targets, "target")})
          .help = "`for i, j in prange((1, m), (1, n))` has one range for each "
                  "target";
      return nullptr;
    }
    std::optional<Sequence> range =
        isRegion ? regionOf(fn, *call.arguments.front(), span)
                 : rangeOf(fn, call, place);
    if (!range)
      return nullptr;
    lowers = {range->lower};
    uppers = {range->upper};
    steps = {range->step};
  } else {
    if (call.arguments.size() != targets) {
      fn.error(Diag::prange_targets, place,
               {runtime::counted(call.arguments.size(), "extent"),
                runtime::counted(targets, "target")})
          .help = "`for i, j in prange(m, n)` has one extent for each target";
      return nullptr;
    }
    warnOfLiteralExtent(fn, call);
    for (const syntax::ExprPtr &argument : call.arguments) {
      std::optional<Sequence> range = regionOf(fn, *argument, span);
      if (!range)
        return nullptr;
      lowers.push_back(range->lower);
      uppers.push_back(range->upper);
      steps.push_back(range->step);
    }
  }
  return ParallelOp::create(fn.builder, fn.loc(span), lowers, uppers, steps);
}

/// The names of arrays that a body binds to others.
static std::set<std::string> arraysBound(FunctionLowering &fn,
                                         const syntax::Block &body) {
  std::set<std::string> names;
  visitStatements(body, [&](const syntax::Stmt &stmt) {
    if (const auto *assign = stmt.as<syntax::Assign>())
      for (const syntax::ExprPtr &target : assign->targets)
        collectBound(*target, names);
    if (const auto *loop = stmt.as<syntax::For>())
      collectBound(*loop->target, names);
  });
  std::erase_if(names, [&](const std::string &name) {
    auto found = fn.env().find(name);
    return found == fn.env().end() || !found->second.as<ArrayView>() ||
           isWrittenOperand(fn, name);
  });
  return names;
}

/// Lowers an iteration. The names in `bound` have no value from outside.
static void lowerIterations(FunctionLowering &fn, ParallelOp parallel,
                            const syntax::Block &body,
                            ArrayRef<const syntax::Expr *> targets,
                            const std::set<std::string> &bound,
                            Independence independence, Span span) {
  RegionScope inside(fn, parallel.getBody());
  for (const std::string &name : bound)
    if (auto found = fn.env().find(name); found != fn.env().end())
      found->second = Poisoned{Poisoned::Carried, span};
  Type open = OpenType::get(fn.builder.getContext());
  for (const syntax::Expr *target : targets) {
    Value index = fn.region->front().addArgument(open, fn.loc(target->span));
    const auto *name = target->as<syntax::Name>();
    if (!name) {
      fn.error(Diag::invalid_target, target->span, {"this"});
      continue;
    }
    fn.frame->names.read.insert(name->name);
    fn.env().insert_or_assign(name->name, Binding(index));
  }
  lowerIteration(fn, {{}, {}, parallel}, [&] { fn.lowerBlock(body); }, span);
  if (!fn.isReachable()) // an endless loop: the region still needs a terminator
    fn.builder.setInsertionPointToStart(fn.newBlock());
  YieldOp::create(fn.builder, fn.loc(span), Value(), Value(), Value());
  if (!fn.failed)
    checkRaces(fn, parallel, independence);
}

/// Lowers the body. The names that it binds are private to an iteration: they
/// have no value from before the loop, and none after it.
static void lowerBody(FunctionLowering &fn, ParallelOp parallel,
                      const syntax::Block &body,
                      ArrayRef<const syntax::Expr *> targets,
                      Independence independence, Span span) {
  std::set<std::string> bound;
  collectAssigned(body, bound);
  // Among these are arrays of which it only stores elements.
  const std::set<std::string> arrays = arraysBound(fn, body);
  std::erase_if(bound, [&](const std::string &name) {
    auto found = fn.env().find(name);
    return found != fn.env().end() && found->second.as<ArrayView>() &&
           !arrays.count(name);
  });
  lowerIterations(fn, parallel, body, targets, bound, independence, span);
  // One that is carried is reported once.
  const auto reason = fn.failed ? Poisoned::Failed : Poisoned::Private;
  for (const syntax::Expr *target : targets)
    collectTargets(*target, bound);
  for (const std::string &name : bound)
    fn.env().insert_or_assign(name, Poisoned{reason, span});
}

void lowerPrange(FunctionLowering &fn, const syntax::For &statement,
                 const syntax::Call &call, Span span) {
  if (kindHere(fn) == syntax::ItemKind::Ufunc) {
    fn.error(Diag::prange_misplaced, statement.iterable->span).help =
        "use `range`: a ufunc's elements run in parallel already";
    return;
  }
  const auto targets = targetsOf(*statement.target);
  ParallelOp parallel =
      makeParallel(fn, call, targets.size(), statement.iterable->span, span);
  if (!parallel)
    return;
  lowerBody(fn, parallel, statement.body, targets, Independence::Declared,
            span);
}

//===----------------------------------------------------------------------===//
// Loops in order that may as well be pranges
//===----------------------------------------------------------------------===//

/// Whether an operand has elements of integers, whatever types a call has.
static bool hasIntegers(FuncOp function, OperandAttr operand) {
  auto isInteger = [](Type type) {
    return type.isInteger() && !type.isInteger(1);
  };
  if (Type element = operand.elementType())
    return isInteger(element);
  auto name = dyn_cast<StringAttr>(operand.getType());
  if (!name)
    return false;
  ArrayRef<Attribute> variables = function.getTypeVars().getValue();
  const auto at = size_t(llvm::find(variables, name) - variables.begin());
  return llvm::all_of(function.getLoops(), [&](Attribute row) {
    return isInteger(cast<TypeAttr>(cast<ArrayAttr>(row)[at]).getValue());
  });
}

/// Whether an update of an element that iterations share has one result in any
/// order: an integer is added to elements that are integers.
static bool isExact(AccumulateOp update) {
  auto function = update->getParentOfType<FuncOp>();
  auto array = dyn_cast<BlockArgument>(update.getArray());
  return update.getFunction() == ScalarFunction::add && array &&
         array.getOwner() == &function.getBody().front() &&
         hasIntegers(function, function.entryOperands()[array.getArgNumber()]);
}

/// What keeps iterations in order that a prange might have.
static std::string_view orderIn(ParallelOp parallel) {
  std::string_view reason;
  // Memory of an iteration's own is one array for all of them in order, and
  // updates of one element have an order that a prange does not keep.
  parallel.getBody().walk([&](Operation *op) {
    if (isa<LocalOp>(op))
      reason = "each iteration makes an array";
    else if (auto update = dyn_cast<AccumulateOp>(op);
             update && !isExact(update))
      reason = "iterations update elements that may be floats";
  });
  return reason;
}

void lowerIndependent(FunctionLowering &fn, IndependentLoops::Nest &nest) {
  const Span span = nest.span;
  SmallVector<const syntax::Expr *> targets;
  SmallVector<Value> lowers, uppers, steps;
  const syntax::For *innermost = nest.loop;
  bool areFew = true;
  int64_t iterations = 1;
  for (unsigned level = 0;; ++level) {
    std::optional<Sequence> range =
        rangeOf(fn, *innermost->iterable->as<syntax::Call>(), span);
    if (!range)
      return;
    targets.push_back(innermost->target.get());
    lowers.push_back(range->lower);
    uppers.push_back(range->upper);
    steps.push_back(range->step);
    const std::optional<int64_t> extent =
        knownInteger(lengthOf(fn, *range, span));
    areFew &= extent && !llvm::MulOverflow(iterations, *extent, iterations) &&
              iterations <= IndependentLoops::fewIterations;
    if (level + 1 == nest.depth)
      break;
    innermost = soleLoopIn(innermost->body);
  }
  nest.isLong = !areFew;
  const bool hasFailed = fn.failed;
  auto parallel =
      ParallelOp::create(fn.builder, fn.loc(span), lowers, uppers, steps);
  lowerBody(fn, parallel, innermost->body, targets, Independence::Inferred,
            span);
  const std::string_view reason = orderIn(parallel);
  fn.failed |= !reason.empty();
  if (fn.failed && !hasFailed) {
    fn.races.independent->refused = nest.loop;
    fn.races.independent->reason = reason;
  }
}

} // namespace kern::compiler
