//===- ArrayCalls.cpp - calls of gufuncs with array results ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/ArrayCalls.h"

#include "compiler/dependence/Counting.h"
#include "compiler/lowering/Arrays.h"
#include "compiler/lowering/Assignments.h"
#include "compiler/lowering/Calls.h"
#include "compiler/lowering/ChosenArrays.h"
#include "compiler/lowering/Ranks.h"
#include "compiler/lowering/WholeArrays.h"
#include "compiler/modules/Visit.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;

//===----------------------------------------------------------------------===//
// Which calls have array results
//===----------------------------------------------------------------------===//

static bool hasArrayResult(const ScopedFunction &callee) {
  return callee.function->kind == syntax::ItemKind::Gufunc &&
         llvm::any_of(callee.function->results,
                      [](const auto &each) { return each.type.isArray; });
}

std::optional<ScopedFunction> arrayCallee(const NamesInBody &names,
                                          const syntax::Expr &expr) {
  const auto *call = expr.as<syntax::Call>();
  std::optional<Callee> callee =
      call ? calleeNamed(names, *call->function) : std::nullopt;
  if (!callee)
    return std::nullopt;
  if (callee->function)
    return hasArrayResult(*callee->function) ? callee->function : std::nullopt;
  const size_t count = call->arguments.size() + call->keywords.size();
  for (const ScopedFunction &each : names.scope.libraryFunctions(callee->name))
    if (each.function->parameters.size() == count && hasArrayResult(each))
      return each;
  return std::nullopt;
}

size_t arrayCallRank(const NamesInBody &names, const syntax::Expr &expr) {
  std::optional<ScopedFunction> callee = arrayCallee(names, expr);
  if (!callee || callee->function->results.size() != 1)
    return 0;
  return callee->function->results.front().type.dims.size();
}

//===----------------------------------------------------------------------===//
// Places for the results
//===----------------------------------------------------------------------===//

/// How often a name is mentioned in an expression.
static size_t mentions(const syntax::Expr &expr, const std::string &name) {
  if (const auto *plain = expr.as<syntax::Name>())
    return plain->name == name;
  size_t count = 0;
  visitParts(expr,
             [&](const syntax::Expr &part) { count += mentions(part, name); });
  return count;
}

/// Whether a target is an element or a part of the array of a name.
static size_t storesTo(const syntax::Expr &target, const std::string &name) {
  size_t count = 0;
  if (const auto *tuple = target.as<syntax::Tuple>())
    for (const syntax::ExprPtr &each : tuple->elements)
      count += storesTo(*each, name);
  if (const auto *part = target.as<syntax::Subscript>()) {
    const auto *base = part->value->as<syntax::Name>();
    count += base && base->name == name;
  }
  return count;
}

/// Whether a body does nothing with an array but store to it by its name.
static bool onlyStores(const syntax::Block &body, const std::string &name) {
  size_t all = 0, stores = 0;
  visitBlock(body,
             [&](const syntax::Expr &expr) { all += mentions(expr, name); });
  visitStatements(body, [&](const syntax::Stmt &stmt) {
    if (const auto *assign = stmt.as<syntax::Assign>())
      for (const syntax::ExprPtr &target : assign->targets)
        stores += storesTo(*target, name);
  });
  return all == stores;
}

namespace {
/// The array results of one call.
class ArrayResults {
public:
  ArrayResults(FunctionLowering &fn, Frame &frame, CallArguments given,
               Span span)
      : fn(fn), frame(frame), given(given), span(span) {}

  bool bind();

private:
  Diagnostic &refuse(const std::string &why, Span declared) {
    Diagnostic &diagnostic = fn.error(Diag::call_array_result, span,
                                      {frame.function.name.name, why});
    diagnostic.notes.push_back({declared, "this result is an array"});
    return diagnostic;
  }
  std::optional<SmallVector<Value>>
  extentsOf(OperandAttr result, const ArrayView *target, Span declared);
  bool canHold(const ArrayView &target, size_t number, OperandAttr result,
               ArrayRef<Value> extents) const;

  FunctionLowering &fn;
  Frame &frame;
  CallArguments given;
  Span span;
};
} // namespace

/// A dimension that only this result names has the extent of the target.
std::optional<SmallVector<Value>>
ArrayResults::extentsOf(OperandAttr result, const ArrayView *target,
                        Span declared) {
  SmallVector<Value> extents;
  std::string unknown;
  for (auto [axis, dim] : llvm::enumerate(result.getCore())) {
    if (dim.isName() && target &&
        target->open().size() == result.getCore().size())
      frame.env.try_emplace(dim.getName().str(),
                            Binding(extentOf(*target, unsigned(axis))));
    extents.push_back(dim.evaluate<Value>(
        [&](DimExprAttr leaf) -> Value {
          if (leaf.isConstant())
            return fn.constantInt(leaf.getValue(), span);
          auto found = frame.env.find(leaf.getName().strref());
          const Number *number =
              found == frame.env.end() ? nullptr : found->second.as<Number>();
          if (!number) {
            unknown = leaf.getName().str();
            return fn.constantInt(0, span);
          }
          return fn.materialize(*number, span);
        },
        [&](DimKind kind, Value left, Value right) {
          return fn.applyValues(scalarFunctionOf(kind), {left, right}, span);
        }));
    if (!dim.isConstant())
      extents.back() = fn.indexValue(extents.back(), span);
  }
  if (unknown.empty())
    return extents;
  refuse("no argument gives `" + unknown + "`", declared).help =
      "store the call to a part of an array, which has that size: `y[:] = " +
      frame.function.name.name + "(…)`";
  return std::nullopt;
}

/// Whether the results can be stored to the target as they come. Nothing may
/// read what is stored there: no argument, and not the body, which would find
/// it in the target's type.
bool ArrayResults::canHold(const ArrayView &target, size_t number,
                           OperandAttr result, ArrayRef<Value> extents) const {
  auto axes = target.open();
  if (axes.size() != extents.size() || !target.writable)
    return false;
  for (auto [axis, extent] : llvm::zip(axes, extents))
    if (knownInteger(extent) == 1 && knownInteger(axis->extent) != 1)
      return false; // it is repeated
  for (const Binding &argument : given.values)
    if (const auto *view = argument.as<ArrayView>();
        view && mayShareArray(*view, target))
      return false;
  for (auto [index, other] : llvm::enumerate(given.targets))
    if (other && index != number && mayShareArray(*other, target))
      return false;
  return onlyStores(frame.function.body, result.getName().str());
}

bool ArrayResults::bind() {
  const Header &header = *frame.call->header;
  size_t number = 0; // among the array results
  for (auto [index, attribute] : llvm::enumerate(header.results)) {
    auto result = cast<OperandAttr>(attribute);
    if (result.getCore().empty())
      continue;
    const ArrayView *target = nullptr;
    if (number < given.targets.size() && given.targets[number])
      target = &*given.targets[number];
    const Span declared = frame.function.results[index].type.span;
    if (isa<UnitAttr>(result.getType())) {
      refuse("its header declares no type for it", declared).help =
          "declare the type: `" + result.getName().str() + ": T[n]`";
      return false;
    }
    TypeName type{result.getType(), nullptr};
    if (auto variable = dyn_cast<StringAttr>(result.getType()))
      type = {nullptr, frame.typeVariables.find(variable.str())->second};
    std::optional<SmallVector<Value>> extents =
        extentsOf(result, target, declared);
    if (!extents)
      return false;
    std::optional<ArrayView> view;
    if (target && canHold(*target, number, result, *extents)) {
      for (auto [axis, extent] : llvm::zip(target->open(), *extents))
        if (!checkSameExtent(fn, target->name, axis->extent, extent, span))
          return false;
      view = *target;
      view->storedAs = type;
    } else {
      view = localOf(fn, type, *extents, span);
      if (!view) {
        refuse("its size is known only at run time", declared).help =
            "store it to a part of an array that is no argument: `y[:] = " +
            frame.function.name.name +
            "(…)`; sizes of local arrays are made of constants and core "
            "dimensions";
        return false;
      }
      view->name = "";
      view->array.getDefiningOp<LocalOp>().setName(frame.function.name.name);
    }
    frame.env.insert_or_assign(result.getName().str(), Binding(*view));
    ++number;
  }
  return true;
}

bool bindArrayResults(FunctionLowering &fn, Frame &frame, CallArguments given,
                      Span span) {
  return ArrayResults(fn, frame, given, span).bind();
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

/// The array or part of one that a target is; nothing for another target, and
/// after an error.
static std::optional<ArrayView> partOf(FunctionLowering &fn,
                                       const syntax::Expr &target) {
  if (!target.as<syntax::Subscript>() || Ranks(fn).of(target) == 0)
    return std::nullopt;
  std::optional<Binding> part = fn.lowerExpr(target);
  const auto *view = part ? part->as<ArrayView>() : nullptr;
  return view ? std::optional(*view) : std::nullopt;
}

/// Stores a result, unless the call did.
static void finish(FunctionLowering &fn, const syntax::Expr &target,
                   const std::optional<ArrayView> &part, const Binding &value,
                   Span span) {
  const auto *view = value.as<ArrayView>();
  if (part && view && isSame(*part, value))
    return;
  if (part)
    assignPart(fn, *part, value, target.span, span);
  else
    assign(fn, target, value, span);
}

bool lowerCallStore(FunctionLowering &fn, const syntax::Assign &statement) {
  std::optional<ScopedFunction> callee = arrayCallee(fn, *statement.value);
  const syntax::Expr &target = *statement.targets.front();
  const auto *list = target.as<syntax::Tuple>();
  if (!callee || statement.targets.size() != 1 ||
      (list ? list->elements.size() : 1) != callee->function->results.size() ||
      target.as<syntax::Name>())
    return false;
  SmallVector<const syntax::Expr *> targets = {&target};
  if (list) {
    targets.clear();
    for (const syntax::ExprPtr &each : list->elements)
      targets.push_back(each.get());
  }
  SmallVector<std::optional<ArrayView>> parts, ofArrays;
  for (auto [each, result] : llvm::zip(targets, callee->function->results)) {
    parts.push_back(partOf(fn, *each));
    if (result.type.isArray)
      ofArrays.push_back(parts.back());
  }
  const Span span = statement.value->span;
  std::optional<Binding> value = inlineCall(
      fn, *callee, *statement.value->as<syntax::Call>(), span, ofArrays);
  if (!value)
    value = Poisoned{Poisoned::Failed, span};
  const auto *tuple = value->as<Tuple>();
  for (auto [index, each] : llvm::enumerate(targets))
    finish(fn, *each, parts[index],
           tuple && list ? tuple->elements()[index] : *value, span);
  return true;
}

bool storeCall(FunctionLowering &fn, const ArrayView &target,
               const syntax::Expr &expr, Span place) {
  if (arrayCallRank(fn, expr) == 0)
    return false;
  const std::optional<ArrayView> part = target;
  std::optional<Binding> value = inlineCall(
      fn, *arrayCallee(fn, expr), *expr.as<syntax::Call>(), expr.span, part);
  if (!value)
    return true;
  checkWritable(fn, target, place);
  if (!isSame(target, *value))
    assignPart(fn, target, *value, place, expr.span);
  return true;
}

std::optional<Binding> callInto(FunctionLowering &fn, ScopedFunction callee,
                                const syntax::Call &call,
                                const syntax::Expr &out, Span span) {
  SmallVector<const syntax::Expr *> places = {&out};
  if (const auto *tuple = out.as<syntax::Tuple>()) {
    places.clear();
    for (const syntax::ExprPtr &each : tuple->elements)
      places.push_back(each.get());
  }
  SmallVector<std::optional<ArrayView>> targets;
  for (const syntax::Expr *place : places) {
    std::optional<Binding> value = fn.lowerExpr(*place);
    if (!value)
      return std::nullopt;
    const auto *view = value->as<ArrayView>();
    if (!view) {
      fn.error(Diag::not_an_array, place->span,
               {"this", "cannot hold results"});
      return std::nullopt;
    }
    if (!checkWritable(fn, *view, place->span))
      return std::nullopt;
    targets.push_back(*view);
  }
  const syntax::Function &function = *callee.function;
  if (targets.size() != function.results.size()) {
    fn.error(Diag::tuple_arity, out.span,
             {std::to_string(function.results.size()) + " results",
              std::to_string(targets.size()) + " arrays"})
        .help = "`out=` has an array for each result, all of them arrays";
    return std::nullopt;
  }
  std::optional<Binding> value = inlineCall(fn, callee, call, span, targets);
  if (!value)
    return std::nullopt;
  const auto *tuple = value->as<Tuple>();
  std::vector<Binding> results;
  for (auto [index, target] : llvm::enumerate(targets)) {
    finish(fn, *places[index], target,
           tuple ? tuple->elements()[index] : *value, span);
    results.push_back(*target);
  }
  return tuple ? Binding(Tuple(std::move(results))) : results.front();
}

} // namespace kern::compiler
