//===- Positions.cpp - argmin and argmax of generators --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The position of an element is the number of iterations before it, over all
// `for`s in order. Iterations that an `if` rejects count too: a position can be
// split into indices again. The search takes the first `for` and finds the
// iteration that has the extremum, then the next `for` within that iteration,
// and so on. Each step is a reduction, which can run in parallel.
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/Reductions.h"
#include "compiler/lowering/Scopes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;

//===----------------------------------------------------------------------===//
// Counting iterations
//===----------------------------------------------------------------------===//

/// Whether a value is the same in all iterations of the loop with this body.
static bool isInvariant(Value value, Region &around) {
  llvm::SmallPtrSet<Operation *, 8> seen;
  SmallVector<Value> pending{value};
  while (!pending.empty()) {
    Value next = pending.pop_back_val();
    if (!around.isAncestor(next.getParentRegion()))
      continue;
    Operation *op = next.getDefiningOp();
    if (!op || op->getNumRegions() != 0)
      return false;
    if (seen.insert(op).second)
      llvm::append_range(pending, op->getOperands());
  }
  return true;
}

bool hasInvariantRanges(ReduceOp reduce, Region &around) {
  for (; reduce; reduce = reduce.inner())
    for (Value bound : {reduce.getLower(), reduce.getUpper(), reduce.getStep()})
      if (!isInvariant(bound, around))
        return false;
  return true;
}

/// The number of iterations of the clauses from `index` on, summed over the
/// clause before, which runs over `sequence`.
static std::optional<Value>
iterationsWithin(FunctionLowering &fn, const syntax::Generator &generator,
                 size_t index, const Sequence &sequence, Span span) {
  std::optional<Reduced> sum = reduceOver(
      fn, {ReduceKind::Sum}, sequence, span,
      [&](Value position) -> std::optional<ReducedElement> {
        std::optional<Binding> item = sequence.element(position);
        if (!item)
          return std::nullopt;
        bindTargets(fn, generator.clauses[index - 1], *item);
        std::optional<Value> inner = iterationsOf(fn, generator, index, span);
        return inner ? std::optional(ReducedElement{*inner}) : std::nullopt;
      });
  return sum ? std::optional(sum->value) : std::nullopt;
}

std::optional<Value> iterationsOf(FunctionLowering &fn,
                                  const syntax::Generator &generator,
                                  size_t index, Span span) {
  std::optional<Sequence> sequence =
      sequenceOf(fn, *generator.clauses[index].iterable);
  if (!sequence)
    return std::nullopt;
  if (index + 1 == generator.clauses.size())
    return lengthOf(fn, *sequence, span);
  return iterationsWithin(fn, generator, index + 1, *sequence, span);
}

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

/// Each `for` is lowered again for each of those before it.
static constexpr size_t maxClauses = 32;

namespace {

/// A position among the iterations of clauses, and the number of iterations.
struct Position {
  Value index;
  Value iterations = nullptr; ///< null if not asked for
};

/// The search for one `argmin` or `argmax`. All give nothing after an error.
struct PositionSearch {
  FunctionLowering &fn;
  ReduceKind kind;
  const syntax::Generator &generator;
  Span span;

  /// The position in a generator of several clauses, given the iteration
  /// `first` of the first one. -1 if `first` is -1: there are no elements.
  std::optional<Value> lower(const Sequence &sequence, const Reduced &first);
  /// The position among the iterations of the clauses from `index` on; any
  /// position if there are no elements.
  std::optional<Position> within(size_t index, bool wantsIterations);
  /// The same for a clause that is not the last, given the iteration `found`
  /// that has the extremum.
  std::optional<Position> at(size_t index, const Sequence &sequence,
                             const Reduced &found, bool wantsIterations);
  /// Reports conditions that prevent counting the iterations; false if any.
  bool checkConditions(size_t index);
};

} // namespace

bool PositionSearch::checkConditions(size_t index) {
  // Whether a `for` can be evaluated in an iteration that an `if` rejects, only
  // the author knows.
  auto outer = ArrayRef(generator.clauses).drop_front(index).drop_back();
  for (const syntax::GeneratorClause &clause : outer)
    if (!clause.conditions.empty()) {
      fn.error(Diag::reduction_condition, clause.conditions.front()->span,
               {stringifyReduceKind(kind).str()})
          .help = "write the `if` after the last `for`, if the iterations of "
                  "all `for`s can be counted without it";
      return false;
    }
  return true;
}

std::optional<Position> PositionSearch::at(size_t index,
                                           const Sequence &sequence,
                                           const Reduced &found,
                                           bool wantsIterations) {
  if (!found.isRectangular && !checkConditions(index))
    return std::nullopt;
  auto apply = [&](ScalarFunction function, Value left, Value right) {
    return fn.applyValues(function, {left, right}, span);
  };
  Value number = fn.indexValue(found.value, span);
  std::optional<Value> before; // the iterations before the one found
  if (!found.isRectangular) {
    Sequence earlier = sequence;
    earlier.upper =
        apply(ScalarFunction::add, sequence.lower,
              apply(ScalarFunction::multiply, number, sequence.step));
    before = iterationsWithin(fn, generator, index + 1, earlier, span);
    if (!before)
      return std::nullopt;
  }
  std::optional<Binding> element = elementAt(fn, sequence, number, span);
  if (!element)
    return std::nullopt;
  std::optional<Position> rest;
  {
    EnvScope own(fn);
    bindTargets(fn, generator.clauses[index], *element);
    rest = within(index + 1, found.isRectangular);
  }
  if (!rest)
    return std::nullopt;
  if (found.isRectangular)
    before = apply(ScalarFunction::multiply, found.value, rest->iterations);
  Position position{apply(ScalarFunction::add, *before, rest->index)};
  if (wantsIterations) {
    std::optional<Value> iterations =
        found.isRectangular
            ? apply(ScalarFunction::multiply, lengthOf(fn, sequence, span),
                    rest->iterations)
            : iterationsOf(fn, generator, index, span);
    if (!iterations)
      return std::nullopt;
    position.iterations = *iterations;
  }
  return position;
}

std::optional<Position> PositionSearch::within(size_t index,
                                               bool wantsIterations) {
  std::optional<Sequence> sequence =
      sequenceOf(fn, *generator.clauses[index].iterable);
  if (!sequence)
    return std::nullopt;
  std::optional<Reduced> found =
      reduceGenerator(fn, {kind}, generator, index, span);
  if (!found)
    return std::nullopt;
  if (index + 1 < generator.clauses.size())
    return at(index, *sequence, *found, wantsIterations);
  return Position{found->value,
                  wantsIterations ? lengthOf(fn, *sequence, span) : Value()};
}

std::optional<Value> PositionSearch::lower(const Sequence &sequence,
                                           const Reduced &first) {
  Value isFound = fn.applyValues(ScalarFunction::greater_equal,
                                 {first.value, fn.constantInt(0, span)}, span);
  Block *found = fn.newBlock(), *none = fn.newBlock(), *end = fn.newBlock();
  cf::CondBranchOp::create(fn.builder, fn.loc(span),
                           fn.truthOf({isFound, {}}, span), found, none);
  fn.builder.setInsertionPointToStart(found);
  std::optional<Position> position =
      at(0, sequence, first, /*wantsIterations=*/false);
  if (!position)
    return std::nullopt;
  cf::BranchOp::create(fn.builder, fn.loc(span), end, position->index);
  fn.builder.setInsertionPointToStart(none);
  cf::BranchOp::create(fn.builder, fn.loc(span), end, fn.constantInt(-1, span));
  fn.builder.setInsertionPointToStart(end);
  return end->addArgument(OpenType::get(fn.builder.getContext()), fn.loc(span));
}

std::optional<Value> lowerPosition(FunctionLowering &fn, ReduceKind kind,
                                   const syntax::Generator &generator,
                                   Span span) {
  if (generator.clauses.size() > maxClauses) {
    fn.error(Diag::too_deep, span, {std::to_string(maxClauses)});
    return std::nullopt;
  }
  std::optional<Sequence> sequence =
      sequenceOf(fn, *generator.clauses.front().iterable);
  if (!sequence)
    return std::nullopt;
  std::optional<Reduced> first =
      reduceGenerator(fn, {kind}, generator, 0, span);
  // The rest would report the same errors again.
  if (!first || fn.failed)
    return std::nullopt;
  if (generator.clauses.size() == 1)
    return first->value;
  return PositionSearch{fn, kind, generator, span}.lower(*sequence, *first);
}

} // namespace kern::compiler
