//===- TupleElements.cpp - elements of tuples that an index chooses -------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/Arrays.h"
#include "compiler/lowering/Expressions.h"
#include "compiler/lowering/Joins.h"
#include "compiler/lowering/Loops.h"
#include "compiler/lowering/Sequences.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;

/// The most elements among which an index at run time chooses: each costs a
/// comparison and a choice.
static constexpr size_t maxChosen = 16;

/// The array at an index at run time: a path for each.
static std::optional<Binding> chosenArray(FunctionLowering &fn,
                                          ArrayRef<Binding> arrays, Value index,
                                          Span span) {
  ValueJoin paths(fn);
  for (auto [position, array] : llvm::enumerate(arrays.drop_back())) {
    Value isHere =
        fn.applyValues(ScalarFunction::equal,
                       {index, fn.constantInt(int64_t(position), span)}, span);
    Block *here = fn.newBlock(), *others = fn.newBlock();
    cf::CondBranchOp::create(fn.builder, fn.loc(span),
                             fn.truthOf({isHere, {}}, span), here, others);
    fn.builder.setInsertionPointToStart(here);
    paths.arrive(array);
    fn.builder.setInsertionPointToStart(others);
  }
  paths.arrive(arrays.back());
  Binding chosen = paths.join(span);
  if (const auto *poisoned = chosen.as<Poisoned>()) {
    if (poisoned->reason == Poisoned::Conflict)
      reportConflict(fn, "the element", *poisoned, span);
    return std::nullopt;
  }
  return chosen;
}

/// The elements at one place of all tuples.
static SmallVector<Binding> columnOf(ArrayRef<Binding> tuples, size_t place) {
  return llvm::map_to_vector(tuples, [&](const Binding &tuple) {
    return tuple.as<Tuple>()->elements()[place];
  });
}

/// The element at an index at run time; the last one for an index out of range.
/// The elements are alike.
static std::optional<Binding> chosenBy(FunctionLowering &fn,
                                       ArrayRef<Binding> elements, Value index,
                                       Span span) {
  if (elements.front().as<ArrayView>())
    return chosenArray(fn, elements, index, span);
  const auto *first = elements.front().as<Tuple>();
  if (!first) {
    Number chosen = *elements.back().as<Number>();
    for (size_t position = elements.size() - 1; position-- > 0;) {
      Value isHere = fn.applyValues(
          ScalarFunction::equal,
          {index, fn.constantInt(int64_t(position), span)}, span);
      chosen = fn.apply(
          ScalarFunction::where,
          {{isHere, {}}, *elements[position].as<Number>(), chosen}, span);
    }
    return Binding(chosen);
  }
  std::vector<Binding> columns;
  for (size_t place = 0; place < first->elements().size(); ++place) {
    std::optional<Binding> one =
        chosenBy(fn, columnOf(elements, place), index, span);
    if (!one)
      return std::nullopt;
    columns.push_back(*one);
  }
  return Binding(Tuple(std::move(columns)));
}

bool areAlike(ArrayRef<Binding> elements) {
  if (elements.empty())
    return false;
  const auto *first = elements.front().as<Tuple>();
  const auto *array = elements.front().as<ArrayView>();
  const bool areOfOneKind = llvm::all_of(elements, [&](const Binding &each) {
    const auto *tuple = each.as<Tuple>();
    const auto *view = each.as<ArrayView>();
    return array ? view && view->open().size() == array->open().size()
           : first
               ? tuple && tuple->elements().size() == first->elements().size()
               : each.as<Number>() != nullptr;
  });
  if (!areOfOneKind || !first)
    return areOfOneKind;
  for (size_t place = 0; place < first->elements().size(); ++place)
    if (!areAlike(columnOf(elements, place)))
      return false;
  return true;
}

std::optional<Sequence> tupleSequence(FunctionLowering &fn, const Tuple &tuple,
                                      Span span) {
  const std::vector<Binding> &elements = tuple.elements();
  if (!areAlike(elements) || elements.size() > maxChosen)
    return std::nullopt;
  Sequence sequence =
      counting(fn, fn.constantInt(int64_t(elements.size()), span), span);
  sequence.element = [&fn, elements, span](Value index) {
    return chosenBy(fn, elements, index, span);
  };
  return sequence;
}

std::optional<Binding> lowerTupleIndex(FunctionLowering &fn, const Tuple &tuple,
                                       const syntax::Subscript &subscript,
                                       Span span) {
  const std::string name = textAt(fn, subscript.value->span);
  const syntax::Index &part = subscript.indices.front();
  const std::vector<Binding> &elements = tuple.elements();
  const auto size = int64_t(elements.size());
  if (subscript.indices.size() > 1 || part.isSlice) {
    const bool isNested = size > 0 && elements.front().as<Tuple>();
    fn.error(Diag::tuple_index, span, {"one constant integer"}).help =
        part.isSlice || !isNested
            ? "numbers in brackets are an array: `t = [a, b]`"
            : "a tuple in a tuple is indexed one by one: `t[i][j]`";
    return std::nullopt;
  }
  std::optional<Number> index = fn.lowerScalar(*part.value);
  if (!index)
    return std::nullopt;
  index = asConstantIndex(*index);
  std::optional<int64_t> number;
  if (!index->constant) {
    number = knownInteger(index->value);
  } else if (const Integer *integer = index->constant->asInt()) {
    number = integer->asInt64();
    if (!number) {
      fn.error(Diag::integer_out_of_range, part.span, {integer->text(), "i64"});
      return std::nullopt;
    }
  } else {
    fn.error(Diag::index_type, part.span,
             {"an index must be an integer",
              index->constant->isBool() ? "bool" : "a float"});
    return std::nullopt;
  }
  if (number && (*number >= size || *number < -size)) {
    reportOutside(fn, *number, size, name, part.span);
    return std::nullopt;
  }
  if (number)
    return elements[size_t(*number < 0 ? *number + size : *number)];
  if (!index->constant) {
    if (std::optional<ArrayView> table = tableOf(fn, tuple, span)) {
      table->name = name;
      return partOf(fn, *table, subscript, span);
    }
    if (areAlike(elements) && elements.size() <= maxChosen) {
      Value at = fn.indexValue(index->value, part.span);
      if (fn.checks.bounds)
        CheckIndexOp::create(fn.builder, fn.loc(part.span), at,
                             fn.indexValue(fn.constantInt(size, span), span),
                             name, 0, /*bound=*/false, /*from_end=*/false,
                             /*least=*/IntegerAttr());
      return chosenBy(fn, elements, at, span);
    }
  }
  fn.error(Diag::tuple_index, span,
           {"a constant, and this one is known only at run time"})
      .help =
      areAlike(elements)
          ? "numbers in brackets are an array: `" + name +
                " = [a, b]`; or loop over it, `for a in " + name + "`"
          : "its elements are of several kinds: choose in words, `a if " +
                textAt(fn, part.span) + " == 0 else b`";
  return std::nullopt;
}

} // namespace kern::compiler
