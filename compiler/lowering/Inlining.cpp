//===- Inlining.cpp - calls of functions of a file ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/FunctionLowering.h"
#include "compiler/modules/Names.h"

using namespace mlir;

namespace kern {

using syntax::ItemKind;

ItemKind FunctionLowering::kindHere() const {
  for (const InlineContext &context : llvm::reverse(inlined))
    if (context.function->kind != ItemKind::Def)
      return context.function->kind;
  return function.kind;
}

std::optional<Binding> FunctionLowering::inlineCall(ScopedFunction callee,
                                                    const syntax::Call &call,
                                                    Span span) {
  const syntax::Function &target = *callee.function;
  size_t count = target.parameters.size();
  if (!checkCount(target.name.name, call, count, count, span))
    return std::nullopt;
  SmallVector<Binding> arguments;
  SmallVector<Span> places;
  for (const syntax::ExprPtr &argument : call.arguments) {
    std::optional<Binding> value = lowerExpr(*argument);
    if (!value)
      return std::nullopt;
    arguments.push_back(*value);
    places.push_back(argument->span);
  }
  return inlineWith(callee, arguments, places, span);
}

/// Appends an argument to the pattern of a kern.inlined.
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
  } else {
    pattern += "…";
  }
}

void FunctionLowering::noteCall(const syntax::Function &callee,
                                ArrayRef<Binding> arguments, Span span) {
  std::string pattern = callee.name.name + "(";
  SmallVector<Value> operands;
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    pattern += index ? ", " : "";
    appendPattern(argument, pattern, operands);
  }
  InlinedOp::create(builder, loc(span), pattern + ")", operands);
}

std::optional<Binding> FunctionLowering::inlineWith(ScopedFunction callee,
                                                    ArrayRef<Binding> arguments,
                                                    ArrayRef<Span> places,
                                                    Span span) {
  const syntax::Function &target = *callee.function;
  bool isRecursive = &target == &function;
  for (const InlineContext &context : inlined)
    isRecursive |= context.function == &target;
  if (isRecursive) {
    error(Diag::recursion, span, {target.name.name}).help = "write a loop";
    return std::nullopt;
  }
  size_t passed = 1;
  for (const Binding &argument : arguments)
    passed += partsIn(argument);
  if (operations >= maxOperations || // reported where the limit was passed
      !countWork(passed, span))
    return std::nullopt;
  if (target.ellipsis) { // reported with the function itself
    failed = true;
    return std::nullopt;
  }

  scope->noteInlined(target);
  noteCall(target, arguments, span);
  Environment parameters;
  if (target.kind == ItemKind::Def) {
    for (auto [parameter, argument] : llvm::zip(target.parameters, arguments))
      parameters.insert_or_assign(parameter.name.name, argument);
    return inlineBody(callee, std::move(parameters), {}, nullptr, {}, span);
  }
  std::optional<Header> header =
      lowerHeader(target, builder.getContext(), *callee.scope);
  if (!header) {
    failed = true; // reported with the callee, or now
    return std::nullopt;
  }
  std::map<std::string, Value> variables;
  SmallVector<Value> entered;
  if (!enterTyped(target, *header, arguments, places, parameters, variables,
                  entered, span))
    return std::nullopt;
  return inlineBody(callee, std::move(parameters), std::move(variables),
                    &*header, std::move(entered), span);
}

void FunctionLowering::returnInlined(std::optional<Binding> value,
                                     bool isExplicit, Span span) {
  InlineContext &context = inlined.back();
  const syntax::Function &callee = *context.function;
  Binding result = value ? *value : Binding(Unusable{Unusable::Failed, span});
  if (context.header && value) {
    SmallVector<Binding> parts;
    if (const auto *tuple = value->as<Tuple>())
      parts.append(tuple->elements().begin(), tuple->elements().end());
    else if (isExplicit)
      parts.push_back(*value);
    else // named results as they stand
      for (const std::string &name : scalarResults)
        if (auto found = env.find(name); found != env.end())
          parts.push_back(found->second);
    if (callee.hasArrow && parts.size() != callee.results.size()) {
      failed = true; // K0404, reported with the callee itself
      result = Unusable{Unusable::Failed, span};
    } else {
      result = typedResults(parts, span);
    }
  }
  env.insert_or_assign("return", std::move(result));
  inlined.back().returns.push_back(edge());
  inlined.back().returnPlaces.push_back(span);
  builder.clearInsertionPoint();
}

/// `kinds` says what each `return` gives; the first and another differ.
Diagnostic &
FunctionLowering::reportReturnConflict(const InlineContext &context,
                                       const Unusable &conflict,
                                       ArrayRef<std::string> kinds) {
  const auto *other = llvm::find_if(kinds, [&](const std::string &kind) {
    return kind == conflict.other && kind != kinds.front();
  });
  const Span second = other == kinds.end()
                          ? context.returnPlaces.back()
                          : context.returnPlaces[other - kinds.begin()];
  Diagnostic &diagnostic =
      error(Diag::return_mismatch, context.returnPlaces.front(),
            {context.function->name.name, conflict.one, conflict.other});
  diagnostic.notes.push_back({second, conflict.other + " is returned here"});
  return diagnostic;
}

std::optional<Binding>
FunctionLowering::inlineBody(ScopedFunction callee, Environment parameters,
                             std::map<std::string, Value> variables,
                             const Header *header, SmallVector<Value> entered,
                             Span span) {
  const syntax::Function &target = *callee.function;
  std::vector<std::string> results;
  if (header)
    for (const syntax::Result &result : target.results)
      if (result.name) {
        results.push_back(result.name->name);
        parameters.insert_or_assign(
            result.name->name,
            Binding(Unusable{Unusable::Unbound, result.name->span}));
      }

  // The callee sees its parameters and its file's names, nothing of the caller.
  Environment outerEnv = std::exchange(env, std::move(parameters));
  auto outerVariables = std::exchange(typeVariables, std::move(variables));
  auto outerResults = std::exchange(scalarResults, std::move(results));
  auto outerDeclared = std::exchange(declaredTypes, {});
  auto outerRead = std::exchange(readNames, {});
  ModuleScope *outerScope = std::exchange(scope, callee.scope);
  inlined.push_back(
      {&target, loc(span), {}, {}, loops.size(), header, std::move(entered)});
  lowerBlock(target.body);
  if (isReachable() && header && !scalarResults.empty())
    returnInlined(Binding(Nothing()), /*isExplicit=*/false, target.name.span);
  InlineContext context = std::move(inlined.back());
  inlined.pop_back();
  std::vector<Edge> ends;
  std::vector<std::string> returned; // what each `return` gives
  for (Edge &edge : context.returns) {
    auto value = edge.env.find("return");
    returned.push_back(describe(value->second));
    Environment only;
    only.emplace("return", value->second);
    ends.push_back({edge.block, std::move(only)});
  }
  if (isReachable())
    ends.push_back({builder.getInsertionBlock(), {}});
  env = {};
  join(std::move(ends), span);
  if (!isReachable()) // the callee never returns
    builder.setInsertionPointToStart(newBlock());
  auto result = env.find("return");
  std::optional<Binding> value =
      result == env.end() ? Binding(Nothing()) : result->second;
  env = std::move(outerEnv);
  typeVariables = std::move(outerVariables);
  scalarResults = std::move(outerResults);
  declaredTypes = std::move(outerDeclared);
  readNames = std::move(outerRead);
  scope = outerScope;

  if (const auto *unusable = value->as<Unusable>()) {
    if (unusable->reason == Unusable::PartlyBound)
      reportMissingReturn(target).notes.push_back({span, "it is called here"});
    else if (unusable->reason == Unusable::Conflict)
      reportReturnConflict(context, *unusable, returned)
          .notes.push_back({span, "it is called here"});
    return std::nullopt;
  }
  return value;
}

} // namespace kern
