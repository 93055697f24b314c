//===- Inlining.cpp - calls of functions of a file ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/Inlining.h"

#include "compiler/lowering/ArrayCalls.h"
#include "compiler/lowering/ArrayExpressions.h"
#include "compiler/lowering/Calls.h"
#include "compiler/lowering/MissingReturn.h"
#include "compiler/lowering/SortingNetworks.h"
#include "compiler/modules/Names.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace kern::compiler {

std::optional<Binding> inlineCall(FunctionLowering &fn, ScopedFunction callee,
                                  const syntax::Call &call, Span span,
                                  ArrayRef<std::optional<ArrayView>> targets) {
  const syntax::Function &target = *callee.function;
  std::optional<SmallVector<const syntax::Expr *>> given =
      matchArguments(fn, target, call, span);
  if (!given)
    return std::nullopt;
  SmallVector<Binding> arguments;
  SmallVector<Span> places;
  for (auto [parameter, argument] : llvm::zip(target.parameters, *given)) {
    std::optional<Binding> value =
        !argument ? lowerDefault(fn, parameter, callee)
        : target.kind == syntax::ItemKind::Ufunc ? fn.lowerExpr(*argument)
                                                 : lowerWhole(fn, *argument);
    if (!value)
      return std::nullopt;
    arguments.push_back(*value);
    places.push_back(argument ? argument->span : span);
  }
  return inlineWith(fn, callee, {arguments, places, targets}, span);
}

/// Appends an argument to the text of a kern.inlined, and its values to the
/// operands.
static void appendPattern(const Binding &argument, std::string &pattern,
                          SmallVectorImpl<Value> &operands) {
  if (const auto *tuple = argument.as<Tuple>()) {
    pattern += "(";
    for (const Binding &element : tuple->elements()) {
      if (&element != &tuple->elements().front())
        pattern += ", ";
      appendPattern(element, pattern, operands);
    }
    pattern += ")";
  } else if (const auto *view = argument.as<ArrayView>()) {
    operands.push_back(view->readAs ? view->readAs : view->array);
    pattern += "%[";
    pattern.append(std::max<size_t>(view->open().size(), 1) - 1, ',');
    pattern += "]";
  } else if (const auto *scalar = argument.as<Number>()) {
    if (scalar->value)
      operands.push_back(scalar->value);
    const auto &constant = scalar->constant;
    pattern += !constant             ? "%"
               : constant->isBool()  ? "bool"
               : constant->isInt()   ? "int"
               : constant->isFloat() ? "float"
                                     : "complex number";
  } else if (const auto *function = argument.as<FunctionName>()) {
    pattern += function->chosen ? StringRef("…") : function->name;
  } else {
    pattern += "…";
  }
}

/// Adds a kern.inlined, which messages about the body refer to.
static void noteCall(FunctionLowering &fn, const syntax::Function &callee,
                     ArrayRef<Binding> arguments, Span span) {
  std::string pattern = callee.name.name + "(";
  SmallVector<Value> operands;
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    pattern += index ? ", " : "";
    appendPattern(argument, pattern, operands);
  }
  ir::InlinedOp::create(fn.builder, fn.loc(span), pattern + ")", operands);
}

static bool isBeingLowered(const FunctionLowering &fn,
                           const syntax::Function &function) {
  for (const Frame *frame = fn.frame; frame; frame = frame->caller())
    if (&frame->function == &function)
      return true;
  return false;
}

/// Whether a function can be inlined here; reports why not.
static bool canInline(FunctionLowering &fn, const syntax::Function &target,
                      ArrayRef<Binding> arguments, Span span) {
  if (isBeingLowered(fn, target)) {
    fn.error(Diag::recursion, span, {target.name.name}).help =
        insteadOfRecursion(fn.scope(), target.name.name);
    return false;
  }
  size_t passed = 1;
  for (const Binding &argument : arguments)
    passed += partsIn(argument);
  // Each limit is reported when it is first exceeded.
  if (fn.budget.operations >= Budget::maxOperations ||
      !fn.countWork(passed, span))
    return false;
  if (target.ellipsis)
    fn.failed = true; // reported at the function
  return !target.ellipsis;
}

/// Binds the named scalar results of a ufunc or gufunc. They have no value yet.
static void bindResults(Frame &frame) {
  for (const syntax::Result &result : frame.function.results)
    if (result.name && !result.type.isArray) {
      frame.scalarResults.push_back(result.name->name);
      frame.env.insert_or_assign(
          result.name->name, Poisoned{Poisoned::Unbound, result.name->span});
    }
}

/// Reports two `return`s with values of different kinds.
static Diagnostic &reportReturnConflict(FunctionLowering &fn,
                                        const Frame &frame,
                                        const Poisoned &conflict) {
  const InlinedCall &call = *frame.call;
  SmallVector<std::string> kinds; // of each `return`
  for (const Binding &value : call.returns.arrived())
    kinds.push_back(describe(value));
  const auto *other = llvm::find_if(kinds, [&](const std::string &kind) {
    return kind == conflict.other && kind != kinds.front();
  });
  const Span second = other == kinds.end()
                          ? call.returnPlaces.back()
                          : call.returnPlaces[other - kinds.begin()];
  Diagnostic &diagnostic =
      fn.error(Diag::return_mismatch, call.returnPlaces.front(),
               {frame.function.name.name, conflict.one, conflict.other});
  diagnostic.notes.push_back({second, conflict.other + " is returned here"});
  return diagnostic;
}

/// Lowers the body of a frame whose parameters are bound. Gives the call's
/// result; nothing after an error.
static std::optional<Binding> lowerCallee(FunctionLowering &fn, Frame &frame,
                                          Span span) {
  const syntax::Function &target = frame.function;
  InlinedCall &call = *frame.call;
  {
    llvm::SaveAndRestore inside(fn.frame, &frame);
    if (!lowerNetwork(fn, span))
      fn.lowerBlock(target.body);
    const bool hasArrays = llvm::any_of(
        target.results, [](const auto &each) { return each.type.isArray; });
    if (fn.isReachable() &&
        (hasArrays || !frame.scalarResults.empty() || mayHaveNoResults(target)))
      returnInlined(fn, Binding(NoValue()), /*isExplicit=*/false,
                    target.name.span);
  }
  if (fn.isReachable()) {
    // The end of a body is a `return` of nothing, as others are.
    const bool givesNothing =
        llvm::any_of(call.returns.arrived(), [](const Binding &value) {
          return value.as<NoValue>() != nullptr;
        });
    if (givesNothing)
      call.returns.arrive(Binding(NoValue()));
    else
      call.returns.arriveEmpty();
  }
  Binding value = call.returns.join(span);
  if (!fn.isReachable()) // the callee never returns
    fn.builder.setInsertionPointToStart(fn.newBlock());

  const auto *poisoned = value.as<Poisoned>();
  if (!poisoned)
    return value;
  const Note here{span, "it is called here"};
  if (poisoned->reason == Poisoned::PartlyBound)
    reportMissingReturn(fn, target).notes.push_back(here);
  else if (poisoned->reason == Poisoned::Conflict)
    reportReturnConflict(fn, frame, *poisoned).notes.push_back(here);
  return std::nullopt;
}

std::optional<Binding> inlineWith(FunctionLowering &fn, ScopedFunction callee,
                                  CallArguments arguments, Span span) {
  const syntax::Function &target = *callee.function;
  if (!canInline(fn, target, arguments.values, span))
    return std::nullopt;
  fn.scope().noteInlined(target);
  noteCall(fn, target, arguments.values, span);
  std::optional<Header> header;
  if (target.kind != syntax::ItemKind::Def) {
    header = lowerHeader(target, fn.builder.getContext(), *callee.scope);
    if (!header) {
      fn.failed = true; // reported for the callee
      return std::nullopt;
    }
  }
  Frame frame{*callee.scope, target};
  frame.call.emplace(InlinedCall{
      *fn.frame, fn.loc(span), header ? &*header : nullptr, {}, ValueJoin(fn)});
  if (!header) {
    for (auto [parameter, argument] :
         llvm::zip(target.parameters, arguments.values))
      frame.env.insert_or_assign(parameter.name.name, argument);
  } else {
    if (!enterTyped(fn, frame, arguments, span) ||
        !bindArrayResults(fn, frame, arguments, span))
      return std::nullopt;
    bindResults(frame);
  }
  return lowerCallee(fn, frame, span);
}

void returnInlined(FunctionLowering &fn, std::optional<Binding> value,
                   bool isExplicit, Span span) {
  Frame &frame = *fn.frame;
  InlinedCall &call = *frame.call;
  Binding result = value ? *value : Poisoned{Poisoned::Failed, span};
  if (call.header && value) {
    SmallVector<Binding> parts;
    if (const auto *tuple = value->as<Tuple>())
      parts.append(tuple->elements().begin(), tuple->elements().end());
    else if (isExplicit)
      parts.push_back(*value);
    else // the current values of the named results
      for (const std::string &name : frame.scalarResults)
        if (auto found = frame.env.find(name); found != frame.env.end())
          parts.push_back(found->second);
    const syntax::Function &callee = frame.function;
    const size_t scalars = llvm::count_if(
        callee.results, [](const auto &each) { return !each.type.isArray; });
    if (callee.hasArrow && parts.size() != scalars) {
      fn.failed = true; // K0404, reported at the callee
      result = Poisoned{Poisoned::Failed, span};
    } else {
      result = typedResults(fn, parts, span);
    }
  }
  call.returns.arrive(std::move(result));
  call.returnPlaces.push_back(span);
  fn.builder.clearInsertionPoint();
}

} // namespace kern::compiler
