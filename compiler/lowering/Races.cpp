//===- Races.cpp - what iterations of a prange share ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/FunctionLowering.h"
#include "compiler/lowering/Locations.h"
#include "compiler/lowering/SharedElements.h"
#include "compiler/modules/Names.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace kern {

//===----------------------------------------------------------------------===//
// Updates of elements
//===----------------------------------------------------------------------===//

bool FunctionLowering::isSharedElement(const ArrayView &element) {
  // Each iteration has an element of its own if the indices of every prange
  // around stand among the element's, as they are.
  SmallPtrSet<Value, 4> plain;
  for (const Axis &axis : element.axes)
    plain.insert(withoutIndex(axis.fixed));
  for (const LoopContext &loop : loops) {
    ParallelOp parallel = loop.parallel;
    if (!parallel)
      continue;
    // An array that the iteration made is its own.
    Operation *maker = element.array.getDefiningOp();
    if (maker && parallel->isProperAncestor(maker))
      continue;
    for (Value index : parallel.getBody().getArguments())
      if (!plain.contains(index))
        return true;
  }
  return false;
}

void FunctionLowering::accumulate(syntax::BinaryOp op, Value operand,
                                  const ArrayView &element, Span span) {
  StringRef function = functionOf(op);
  bool isReduction = function == "add" || function == "bitwise_and" ||
                     function == "bitwise_or" || function == "bitwise_xor";
  if (!isReduction) {
    error(Diag::prange_accumulate, span,
          {spelling(op).str() + "=", element.name})
        .help = "`+=`, `|=`, `&=` and `^=` may meet at one element; anything "
                "else needs a `for` over `range`, which runs in order";
    return;
  }
  if (!checkWritable(element, span))
    return;
  AccumulateOp::create(builder, loc(span), builder.getStringAttr(function),
                       operand, element.array, indicesOf(element, span));
}

void FunctionLowering::lowerElementUpdate(
    const syntax::AugmentedAssign &statement, const syntax::Subscript &target,
    Span span) {
  std::optional<Binding> base = lowerExpr(*target.value);
  if (!base)
    return;
  const auto *view = base->as<ArrayView>();
  if (!view) {
    error(base->as<Tuple>() ? Diag::invalid_target : Diag::not_an_array,
          target.value->span,
          {base->as<Tuple>() ? "a tuple's element" : "this",
           "cannot be indexed"});
    return;
  }
  Span place = statement.target->span;
  std::optional<ArrayView> element = indexView(*view, target, place);
  if (!element)
    return;
  if (!element->open().empty()) {
    error(Diag::array_as_value, place, {view->name}).help =
        "write one element at a time, in a `for`";
    return;
  }
  if (isSharedElement(*element)) {
    if (Value operand = lowerValue(*statement.value))
      accumulate(statement.op, operand, *element, span);
    return;
  }
  Number old{load(*element, place), std::nullopt};
  std::optional<Number> operand = lowerScalar(*statement.value);
  if (!operand)
    return;
  Number result = apply(functionOf(statement.op), {old, *operand}, span);
  store(materialize(result, span), *element, place);
}

//===----------------------------------------------------------------------===//
// Races
//===----------------------------------------------------------------------===//

/// What the program calls an array.
std::string FunctionLowering::arrayName(Value array) const {
  for (const auto &[name, binding] : env)
    if (const auto *view = binding.as<ArrayView>();
        view && view->array == array)
      return view->name;
  return "the array";
}

namespace {
/// One access to an array inside a prange.
struct Access {
  Operation *op;
  SmallVector<Value> indices;
  bool isWrite, isAccumulation;
};
} // namespace

static std::optional<Access> accessOf(Operation *op, Value &array) {
  if (auto load = dyn_cast<LoadOp>(op)) {
    array = load.getArray();
    return Access{op, load.getIndices(), false, false};
  }
  if (auto store = dyn_cast<StoreOp>(op)) {
    array = store.getArray();
    return Access{op, store.getIndices(), true, false};
  }
  if (auto accumulate = dyn_cast<AccumulateOp>(op)) {
    array = accumulate.getArray();
    return Access{op, accumulate.getIndices(), true, true};
  }
  return std::nullopt;
}

/// The constant c of `base + c` or `base - c`; nothing for anything else.
static std::optional<int64_t> offsetFrom(Value value, Value base) {
  value = withoutIndex(value);
  if (value == base)
    return 0;
  auto apply = value.getDefiningOp<ApplyOp>();
  bool isSum = apply && apply.getFunction() == "add";
  if (!isSum && !(apply && apply.getFunction() == "subtract"))
    return std::nullopt;
  auto constant = [](Value operand) -> std::optional<int64_t> {
    std::optional<int64_t> value = constantIndex(operand);
    return value && llvm::isInt<32>(*value) ? value : std::nullopt;
  };
  Value left = withoutIndex(apply.getOperands()[0]);
  Value right = withoutIndex(apply.getOperands()[1]);
  if (left == base)
    if (std::optional<int64_t> c = constant(right))
      return isSum ? *c : -*c;
  if (isSum && right == base)
    return constant(left);
  return std::nullopt;
}

/// Whether two accesses that every iteration makes surely meet in different
/// iterations: of one index they have neighbours, and agree otherwise.
static bool surelyMeet(ParallelOp parallel, const Access &a, const Access &b) {
  Block *entry = &parallel.getBody().front();
  if (a.op->getBlock() != entry || b.op->getBlock() != entry)
    return false;
  bool isShifted = false;
  for (auto [one, other] : llvm::zip(a.indices, b.indices)) {
    bool isKnown = withoutIndex(one) == withoutIndex(other);
    for (auto [index, step] :
         llvm::zip(entry->getArguments(), parallel.getSteps())) {
      auto constant = step.getDefiningOp<ConstantOp>();
      auto number =
          constant ? dyn_cast<IntegerAttr>(constant.getValue()) : nullptr;
      std::optional<int64_t> x = offsetFrom(one, index);
      std::optional<int64_t> y = offsetFrom(other, index);
      if (!x || !y || !number || !number.getValue().isOne())
        continue;
      isKnown = true;
      isShifted |= *x != *y;
    }
    if (!isKnown)
      return false;
  }
  return isShifted;
}

bool FunctionLowering::checkSharedStore(ParallelOp parallel, StoreOp store) {
  std::optional<Span> place =
      toSpan(diagnostics.sourceManager(), store.getLoc());
  if (!place)
    return false;
  if (updatedLoad(parallel, store)) {
    error(Diag::prange_race, *place).help =
        "write `h[e] += v` (or `|=`, `&=`, `^=`), where iterations may meet at "
        "one element, or a `for` over `range`, which runs in order";
    return true;
  }
  if (!allStoreToOne(parallel, store))
    return false;
  std::string name = arrayName(store.getArray());
  Diagnostic &diagnostic = error(Diag::prange_same_element, *place, {name});
  if (std::optional<Span> loop =
          toSpan(diagnostics.sourceManager(), parallel.getLoc());
      loop && diagnostic.notes.empty())
    diagnostic.notes.push_back({*loop, "these are the iterations"});
  diagnostic.help = "let every index of the `prange` have a part in where it "
                    "stores, or use a reduction such as `sum(… for …)`";
  return true;
}

void FunctionLowering::checkRaces(ParallelOp parallel) {
  llvm::MapVector<Value, SmallVector<Access>> arrays;
  parallel.getBody().walk([&](Operation *op) {
    Value array;
    if (std::optional<Access> access = accessOf(op, array)) {
      Operation *maker = array.getDefiningOp();
      if (!maker || !parallel->isProperAncestor(maker))
        arrays[array].push_back(std::move(*access));
    }
  });
  const SourceManager &sources = diagnostics.sourceManager();
  for (auto &[array, accesses] : arrays)
    for (const Access &write : accesses) {
      if (!write.isWrite)
        continue;
      if (auto store = dyn_cast<StoreOp>(write.op);
          store && !failed && checkSharedStore(parallel, store))
        return;
      for (const Access &other : accesses) {
        bool mixes = write.isAccumulation && !other.isAccumulation;
        if (&other == &write || !(mixes || surelyMeet(parallel, write, other)))
          continue;
        std::optional<Span> place = toSpan(sources, other.op->getLoc());
        std::optional<Span> cause = toSpan(sources, write.op->getLoc());
        if (!place || !cause)
          return;
        Diagnostic &diagnostic = error(Diag::prange_race, *place);
        if (diagnostic.notes.empty())
          diagnostic.notes.push_back(
              {*cause, mixes ? "iterations add to the array here, in any order"
                             : "another iteration writes it here"});
        diagnostic.help = "use two loops, or a `for` over `range`, which runs "
                          "in order";
        return;
      }
    }
}

} // namespace kern
