//===- Races.cpp - elements that iterations of a prange share -------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/Loops.h"

#include "compiler/dependence/Dependence.h"
#include "compiler/lowering/Arrays.h"
#include "compiler/lowering/ChosenArrays.h"
#include "compiler/lowering/Locations.h"
#include "compiler/lowering/Ranks.h"
#include "compiler/modules/Names.h"
#include "compiler/source/Utf8.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;

//===----------------------------------------------------------------------===//
// Updates of elements
//===----------------------------------------------------------------------===//

/// Whether several iterations of a prange around the access may share the
/// element.
static bool isSharedElement(FunctionLowering &fn, const ArrayView &element) {
  SmallVector<Value> indices = indicesOf(element);
  auto isSharedIn = [&](ParallelOp parallel) {
    // An array that is made in the iteration is private to it.
    if (llvm::all_of(element.arrays(), [&](Value array) {
          Operation *maker = array.getDefiningOp();
          return maker && parallel->isProperAncestor(maker);
        }))
      return false;
    ElementAccess access{nullptr, fn.builder.getInsertionBlock(), indices};
    return Dependence(parallel, fn.races.counters, /*isComplete=*/false)
               .between(access, access) != Aliasing::Never;
  };
  for (const Frame *frame = fn.frame; frame; frame = frame->caller())
    for (const LoopContext &loop : frame->loops)
      if (loop.parallel && isSharedIn(loop.parallel))
        return true;
  return false;
}

/// Functions that give the same result in any order.
static bool isReduction(ScalarFunction function) {
  using enum ScalarFunction;
  return llvm::is_contained(
      {add, bitwise_and, bitwise_or, bitwise_xor, minimum, maximum}, function);
}

/// The element that a target is; nothing after an error.
static std::optional<ArrayView>
elementIn(FunctionLowering &fn, const syntax::Subscript &target, Span place) {
  std::optional<Binding> base = fn.lowerExpr(*target.value);
  if (!base)
    return std::nullopt;
  const auto *view = base->as<ArrayView>();
  if (!view) {
    fn.error(base->as<Tuple>() ? Diag::invalid_target : Diag::not_an_array,
             target.value->span,
             {base->as<Tuple>() ? "a tuple's element" : "this",
              "cannot be indexed"});
    return std::nullopt;
  }
  std::optional<ArrayView> element = indexView(fn, *view, target, place);
  if (element && !element->open().empty()) {
    fn.error(Diag::array_as_value, place, {view->name}).help =
        "write one element at a time, in a `for`";
    return std::nullopt;
  }
  return element;
}

namespace {
/// `h[e] += v`: a function joins values to an element.
struct ElementUpdate {
  const syntax::Subscript &target;
  ScalarFunction function;
  SmallVector<const syntax::Expr *, 2> values;
  Span place, span; ///< of the target, and of the statement

  /// What is joined to the element; `old` comes first, if it is given.
  std::optional<Number> joined(FunctionLowering &fn,
                               std::optional<Number> old) const;
};
} // namespace

std::optional<Number> ElementUpdate::joined(FunctionLowering &fn,
                                            std::optional<Number> old) const {
  SmallVector<Number> operands;
  if (old)
    operands.push_back(*old);
  for (const syntax::Expr *value : values) {
    std::optional<Number> operand = fn.lowerScalar(*value);
    if (!operand)
      return std::nullopt;
    operands.push_back(*operand);
  }
  return operands.size() == 1 ? operands.front()
                              : fn.applyChained(function, operands, span);
}

/// Gives the store, if iterations do not share the element.
static StoreOp updateElement(FunctionLowering &fn,
                             const ElementUpdate &update) {
  std::optional<ArrayView> element = elementIn(fn, update.target, update.place);
  if (!element)
    return nullptr;
  if (isReduction(update.function) && isSharedElement(fn, *element)) {
    std::optional<Number> joined = update.joined(fn, std::nullopt);
    if (!joined || !checkWritable(fn, *element, update.span))
      return nullptr;
    Value operand = fn.materialize(*joined, update.span);
    onArray(
        fn, *element,
        [&](const ArrayView &one) {
          AccumulateOp::create(fn.builder, fn.loc(update.span), update.function,
                               operand, one.array, indicesOf(one));
          return Value();
        },
        update.span);
    return nullptr;
  }
  Number old{load(fn, *element, update.place), std::nullopt};
  std::optional<Number> result = update.joined(fn, old);
  return result ? store(fn, fn.materialize(*result, update.span), *element,
                        update.place)
                : nullptr;
}

void lowerElementUpdate(FunctionLowering &fn,
                        const syntax::AugmentedAssign &statement,
                        const syntax::Subscript &target, Span span) {
  if (StoreOp update = updateElement(fn, {target,
                                          functionOf(statement.op),
                                          {statement.value.get()},
                                          statement.target->span,
                                          span}))
    fn.races.updates.insert(
        {update, {spelling(statement.op).str() + "=", span}});
}

/// Whether two expressions are written alike, but for spaces.
static bool isWrittenAs(FunctionLowering &fn, const syntax::Expr &one,
                        const syntax::Expr &other) {
  auto text = [&](const syntax::Expr &expr) {
    std::string letters(fn.diagnostics.sourceManager().text(expr.span));
    llvm::erase_if(letters, [](unsigned char c) { return std::isspace(c); });
    return letters;
  };
  return text(one) == text(other);
}

static bool isInPrange(const FunctionLowering &fn) {
  for (const Frame *frame = fn.frame; frame; frame = frame->caller())
    for (const LoopContext &loop : frame->loops)
      if (loop.parallel)
        return true;
  return false;
}

bool lowerExtremumUpdate(FunctionLowering &fn,
                         const syntax::Assign &statement) {
  const syntax::Expr &place = *statement.targets.front();
  const auto *target = place.as<syntax::Subscript>();
  const auto *call = statement.value->as<syntax::Call>();
  if (!isInPrange(fn) || statement.targets.size() != 1 || !target || !call ||
      call->arguments.size() < 2 || !call->keywords.empty() ||
      hasNumPyOptions(*call, fn.scope()))
    return false;
  std::optional<Callee> callee = calleeNamed(fn, *call->function);
  if (!callee || callee->function || Ranks(fn).of(*target->value) == 0 ||
      Ranks(fn).of(place) > 0)
    return false;
  const bool isMin = callee->name == "min" || callee->name == "minimum";
  const bool takesTwo = callee->name == "minimum" || callee->name == "maximum";
  if ((!isMin && callee->name != "max" && callee->name != "maximum") ||
      (takesTwo && call->arguments.size() > 2))
    return false;
  const auto old = llvm::find_if(call->arguments, [&](const auto &argument) {
    return isWrittenAs(fn, place, *argument);
  });
  if (old == call->arguments.end())
    return false;
  ElementUpdate update{*target,
                       isMin ? ScalarFunction::minimum
                             : ScalarFunction::maximum,
                       {},
                       place.span,
                       statement.value->span};
  for (const syntax::ExprPtr &argument : call->arguments)
    if (argument != *old)
      update.values.push_back(argument.get());
  updateElement(fn, update);
  return true;
}

//===----------------------------------------------------------------------===//
// Races
//===----------------------------------------------------------------------===//

std::string textAt(const FunctionLowering &fn, Span span) {
  return beginningOf(fn.diagnostics.sourceManager().text(span));
}

/// The name of an array in the program.
static std::string arrayName(FunctionLowering &fn, Value array) {
  for (const auto &[name, binding] : fn.env())
    if (const auto *view = binding.as<ArrayView>();
        view && view->array == array)
      return view->name;
  return "the array";
}

/// The array that an operation accesses, or null; sets `access`.
static Value accessOf(Operation *op, ElementAccess &access) {
  access = {op, op->getBlock(), {}};
  if (auto load = dyn_cast<LoadOp>(op)) {
    access.indices = load.getIndices();
    return load.getArray();
  }
  if (auto store = dyn_cast<StoreOp>(op)) {
    access.indices = store.getIndices();
    return store.getArray();
  }
  if (auto accumulate = dyn_cast<AccumulateOp>(op)) {
    access.indices = accumulate.getIndices();
    return accumulate.getArray();
  }
  return nullptr;
}

/// Whether the order of two accesses to one element matters.
static bool areOrdered(Operation *a, Operation *b) {
  auto one = dyn_cast<AccumulateOp>(a), other = dyn_cast<AccumulateOp>(b);
  if (one && other)
    return one.getFunction() != other.getFunction();
  return !isa<LoadOp>(a) || !isa<LoadOp>(b);
}

static void reportRace(FunctionLowering &fn, ParallelOp parallel, Value array,
                       Operation *first, Operation *second, Aliasing aliasing) {
  if (isa<LoadOp>(first)) // the write is the cause
    std::swap(first, second);
  const SourceManager &sources = fn.diagnostics.sourceManager();
  std::optional<Span> cause = toSpan(sources, first->getLoc());
  std::optional<Span> place = toSpan(sources, second->getLoc());
  std::optional<Span> loop = toSpan(sources, parallel.getLoc());
  if (!place || !cause || !loop) {
    fn.failed = true;
    return;
  }
  auto note = [](Diagnostic &diagnostic, Span at, std::string text) {
    if (diagnostic.notes.empty())
      diagnostic.notes.push_back({at, std::move(text)});
  };
  if (isa<AccumulateOp>(first) || isa<AccumulateOp>(second)) {
    if (isa<AccumulateOp>(second) && !isa<AccumulateOp>(first)) {
      std::swap(first, second);
      std::swap(cause, place);
    }
    Diagnostic &diagnostic = fn.error(Diag::prange_race, *place,
                                      {textAt(fn, *cause), textAt(fn, *place)});
    note(diagnostic, *cause, "iterations update the array here, in any order");
    diagnostic.help =
        "use two loops, or a `for` over `range`, which runs in order";
    return;
  }
  const bool isRead = isa<LoadOp>(second);
  if (aliasing != Aliasing::Surely) {
    Diagnostic &diagnostic = fn.error(Diag::prange_overlap, *place,
                                      {textAt(fn, *cause), textAt(fn, *place)});
    if (first == second)
      note(diagnostic, *loop, "these are the iterations");
    else
      note(diagnostic, *cause,
           isRead ? "another iteration may write it here"
                  : "another iteration may store to it here");
    diagnostic.help =
        isRead ? "read from a second array, which the loop does not write to, "
                 "or use a `for` over `range`, which runs in order"
               : "use a reduction, a second array, or a `for` over `range`, "
                 "which runs in order; indices read from an array must differ, "
                 "which `--check=races` checks";
    return;
  }
  if (isRead) {
    Diagnostic &diagnostic = fn.error(Diag::prange_race, *place,
                                      {textAt(fn, *cause), textAt(fn, *place)});
    note(diagnostic, *cause, "another iteration writes it here");
    diagnostic.help =
        "read from a second array, which the loop does not write to, use a "
        "reduction, or a `for` over `range`, which runs in order";
    return;
  }
  Diagnostic &diagnostic =
      fn.error(Diag::prange_same_element, *place, {arrayName(fn, array)});
  if (first == second)
    note(diagnostic, *loop, "these are the iterations");
  else
    note(diagnostic, *cause, "another iteration stores to it here");
  diagnostic.help =
      "use every index of the `prange` in the subscript of the store, a "
      "reduction such as `sum(… for …)`, or a `for` over `range`";
}

static bool reportUpdate(FunctionLowering &fn, ParallelOp parallel, Value array,
                         StoreOp store, llvm::function_ref<bool()> isShared) {
  if (auto update = fn.races.updates.find(store);
      update != fn.races.updates.end()) {
    if (!isShared())
      return false;
    const auto &[operation, place] = update->second;
    fn.error(Diag::prange_accumulate, place, {operation, arrayName(fn, array)})
        .help =
        "iterations may share an element only through `+=`, `|=`, `&=`, `^=` "
        "and `h[e] = min(h[e], v)` or `max`; anything else needs a `for` over "
        "`range`, which runs in order";
    return true;
  }
  std::optional<Span> place =
      toSpan(fn.diagnostics.sourceManager(), store.getLoc());
  if (!place || !updatedLoad(parallel, store))
    return false;
  fn.error(Diag::prange_race, *place, {textAt(fn, *place), textAt(fn, *place)})
      .help =
      "write `h[e] += v` (or `|=`, `&=`, `^=`), or `h[e] = min(h[e], v)` (or "
      "`max`), which iterations may apply to one element, or use a `for` over "
      "`range`, which runs in order";
  return true;
}

static void checkArray(FunctionLowering &fn, ParallelOp parallel,
                       Independence independence, Value array,
                       Dependence &dependence,
                       ArrayRef<ElementAccess> accesses) {
  SmallVector<const ElementAccess *> writes, reads;
  for (const ElementAccess &access : accesses)
    (isa<LoadOp>(access.op) ? reads : writes).push_back(&access);
  for (const ElementAccess *write : writes)
    if (auto store = dyn_cast<StoreOp>(write->op);
        store && reportUpdate(fn, parallel, array, store, [&] {
          return dependence.between(*write, *write) != Aliasing::Never;
        }))
      return;
  // Pairs of writes come before pairs of a write and a read.
  for (auto [number, write] : llvm::enumerate(writes))
    for (ArrayRef<const ElementAccess *> others :
         {ArrayRef(writes).drop_front(number), ArrayRef(reads)})
      for (const ElementAccess *other : others) {
        if (!areOrdered(write->op, other->op))
          continue;
        const bool isInferred = independence == Independence::Inferred;
        Aliasing aliasing = dependence.between(*write, *other);
        if (isInferred &&
            (dependence.mayWrap(*write) || dependence.mayWrap(*other)))
          aliasing = Aliasing::Perhaps;
        bool isSum =
            isa<AccumulateOp>(write->op) || isa<AccumulateOp>(other->op);
        if (aliasing == Aliasing::Never ||
            (aliasing == Aliasing::ByData && !isSum && !isInferred))
          continue;
        return reportRace(fn, parallel, array, write->op, other->op, aliasing);
      }
}

void checkRaces(FunctionLowering &fn, ParallelOp parallel,
                Independence independence) {
  llvm::MapVector<Value, SmallVector<ElementAccess>> arrays;
  parallel.getBody().walk([&](Operation *op) {
    ElementAccess access;
    if (Value array = accessOf(op, access)) {
      Operation *maker = array.getDefiningOp();
      if (!maker || !parallel->isProperAncestor(maker))
        arrays[array].push_back(std::move(access));
    }
  });
  Dependence dependence(parallel, fn.races.counters, /*isComplete=*/true);
  for (auto &[array, accesses] : arrays)
    checkArray(fn, parallel, independence, array, dependence, accesses);
}

} // namespace kern::compiler
