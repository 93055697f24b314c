//===- Positions.cpp - argmin and argmax of generators --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A position counts, from 0, the turns of all `for`s in order, those that an
// `if` turns away included: what it counts through is the iteration space, so
// that it can be taken apart into indices again. The first `for` is searched
// for the turn whose extremum is the first one, then the next `for` within that
// turn, and so on; each of these is a reduction that parallelises.
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/FunctionLowering.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;

namespace kern {

/// Each `for` is lowered again within the turn that was found of those before
/// it.
static constexpr size_t maxClauses = 32;

/// Whether a value is the same wherever in `around` it is computed.
static bool standsStill(Value value, Region &around) {
  if (!around.isAncestor(value.getParentRegion()))
    return true;
  Operation *op = value.getDefiningOp();
  return op && op->getNumRegions() == 0 &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return standsStill(operand, around);
         });
}

bool standStill(ReduceOp reduce, Region &around) {
  for (; reduce; reduce = reduce.inner())
    for (Value bound : {reduce.getLower(), reduce.getUpper(), reduce.getStep()})
      if (!standsStill(bound, around))
        return false;
  return true;
}

std::optional<Value>
FunctionLowering::turnsWithin(const syntax::Generator &generator, size_t index,
                              const Iterable &sequence, Span span) {
  std::optional<Reduced> turns =
      reduceOver({ReduceKind::Sum}, sequence, span,
                 [&](Value position) -> std::optional<Element> {
                   std::optional<Binding> turn = sequence.element(position);
                   if (!turn)
                     return std::nullopt;
                   bindTurn(generator.clauses[index - 1], *turn);
                   std::optional<Value> inner = turnsOf(generator, index, span);
                   return inner ? std::optional(Element{*inner}) : std::nullopt;
                 });
  return turns ? std::optional(turns->value) : std::nullopt;
}

std::optional<Value>
FunctionLowering::turnsOf(const syntax::Generator &generator, size_t index,
                          Span span) {
  std::optional<Iterable> sequence =
      iterable(*generator.clauses[index].iterable);
  if (!sequence)
    return std::nullopt;
  if (index + 1 == generator.clauses.size())
    return countOf(*sequence, span);
  return turnsWithin(generator, index + 1, *sequence, span);
}

std::optional<FunctionLowering::Place>
FunctionLowering::placeAt(ReduceKind kind, const syntax::Generator &generator,
                          size_t index, const Iterable &sequence,
                          const Reduced &turn, bool wantsTurns, Span span) {
  if (!turn.isSteady) {
    // Whether a `for` can be looked at in a turn that is turned away, only who
    // wrote it knows.
    auto outer = ArrayRef(generator.clauses).drop_front(index).drop_back();
    for (const syntax::GeneratorClause &clause : outer)
      if (!clause.conditions.empty()) {
        error(Diag::reduction_condition, clause.conditions.front()->span,
              {stringifyReduceKind(kind).str()})
            .help = "write the `if` after the last `for`, if the turns of all "
                    "`for`s can be counted without it";
        return std::nullopt;
      }
  }
  Value number = indexValue(turn.value, span);
  std::optional<Value> before;
  if (!turn.isSteady) {
    Iterable earlier = sequence;
    Value length =
        applyValues(ScalarFunction::multiply, {number, sequence.step}, span);
    earlier.upper =
        applyValues(ScalarFunction::add, {sequence.lower, length}, span);
    before = turnsWithin(generator, index + 1, earlier, span);
    if (!before)
      return std::nullopt;
  }
  std::optional<Binding> element = atTurn(sequence, number, span);
  if (!element)
    return std::nullopt;
  Environment outside = env;
  bindTurn(generator.clauses[index], *element);
  std::optional<Place> rest =
      placeIn(kind, generator, index + 1, turn.isSteady, span);
  env = std::move(outside);
  if (!rest)
    return std::nullopt;
  Place place;
  if (turn.isSteady)
    before =
        applyValues(ScalarFunction::multiply, {turn.value, rest->turns}, span);
  place.position =
      applyValues(ScalarFunction::add, {*before, rest->position}, span);
  if (wantsTurns) {
    std::optional<Value> turns =
        turn.isSteady
            ? applyValues(ScalarFunction::multiply,
                          {countOf(sequence, span), rest->turns}, span)
            : turnsOf(generator, index, span);
    if (!turns)
      return std::nullopt;
    place.turns = *turns;
  }
  return place;
}

std::optional<FunctionLowering::Place>
FunctionLowering::placeIn(ReduceKind kind, const syntax::Generator &generator,
                          size_t index, bool wantsTurns, Span span) {
  std::optional<Iterable> sequence =
      iterable(*generator.clauses[index].iterable);
  if (!sequence)
    return std::nullopt;
  std::optional<Reduced> turn = reduceGenerator({kind}, generator, index, span);
  if (!turn)
    return std::nullopt;
  if (index + 1 < generator.clauses.size())
    return placeAt(kind, generator, index, *sequence, *turn, wantsTurns, span);
  return Place{turn->value, wantsTurns ? countOf(*sequence, span) : Value()};
}

std::optional<Value>
FunctionLowering::lowerPosition(ReduceKind kind,
                                const syntax::Generator &generator, Span span) {
  if (generator.clauses.size() > maxClauses) {
    error(Diag::too_deep, span, {std::to_string(maxClauses)});
    return std::nullopt;
  }
  std::optional<Iterable> sequence =
      iterable(*generator.clauses.front().iterable);
  if (!sequence)
    return std::nullopt;
  std::optional<Reduced> first = reduceGenerator({kind}, generator, 0, span);
  // Its errors would be reported again in what follows.
  if (!first || failed)
    return std::nullopt;
  if (generator.clauses.size() == 1)
    return first->value;
  Value isFound = applyValues(ScalarFunction::greater_equal,
                              {first->value, constantInt(0, span)}, span);
  Block *found = newBlock(), *none = newBlock(), *end = newBlock();
  cf::CondBranchOp::create(builder, loc(span), truthOf({isFound, {}}, span),
                           found, none);
  builder.setInsertionPointToStart(found);
  std::optional<Place> place = placeAt(kind, generator, 0, *sequence, *first,
                                       /*wantsTurns=*/false, span);
  if (!place)
    return std::nullopt;
  cf::BranchOp::create(builder, loc(span), end, place->position);
  builder.setInsertionPointToStart(none);
  cf::BranchOp::create(builder, loc(span), end, constantInt(-1, span));
  builder.setInsertionPointToStart(end);
  return end->addArgument(OpenType::get(builder.getContext()), loc(span));
}

} // namespace kern
