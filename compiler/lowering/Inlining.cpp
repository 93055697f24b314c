//===- Inlining.cpp - calls of functions of a file ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/diagnostics/Wording.h"
#include "compiler/lowering/FunctionLowering.h"
#include "compiler/lowering/Names.h"

using namespace mlir;

namespace kern {

using syntax::FunctionKind;

FunctionKind FunctionLowering::kindHere() const {
  for (const InlineContext &context : llvm::reverse(inlined))
    if (context.function->kind != FunctionKind::Def)
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
    for (const Binding &element : tuple->elements) {
      if (&element != &tuple->elements.front())
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
  if (operations >= maxOperations) // reported where the limit was passed
    return std::nullopt;
  if (target.ellipsis) { // reported with the function itself
    failed = true;
    return std::nullopt;
  }

  scope->noteInlined(target);
  noteCall(target, arguments, span);
  Environment parameters;
  if (target.kind == FunctionKind::Def) {
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

//===----------------------------------------------------------------------===//
// Parameters of ufuncs and gufuncs
//===----------------------------------------------------------------------===//

static std::string arrayOf(size_t rank) {
  return "an array of " + counted(rank, "dimension");
}

bool FunctionLowering::bindCoreArray(const syntax::Function &callee,
                                     OperandAttr parameter, ArrayView view,
                                     Span place, Environment &parameters) {
  std::string name = parameter.getName().str();
  SmallVector<const Axis *> open;
  for (const Axis *axis : view.open())
    open.push_back(axis);
  auto core = parameter.getCore().getAsRange<ArrayAttr>();
  if (open.size() != parameter.getCore().size()) {
    error(Diag::call_rank, place,
          {name, callee.name.name, arrayOf(parameter.getCore().size()),
           arrayOf(open.size())});
    return false;
  }
  for (auto [axis, tokens] : llvm::zip(open, core)) {
    StringRef dim = cast<StringAttr>(tokens[0]).getValue();
    std::optional<int64_t> known = constantIndex(axis->extent);
    int64_t size = -1;
    std::optional<int64_t> wanted;
    if (!dim.getAsInteger(10, size)) {
      wanted = size;
    } else {
      auto [bound, isNew] =
          parameters.try_emplace(dim.str(), Binding(axis->extent));
      if (isNew)
        continue;
      const auto *scalar = bound->second.as<Number>();
      wanted =
          scalar && scalar->value ? constantIndex(scalar->value) : std::nullopt;
    }
    if (known && wanted && known != wanted) {
      error(Diag::dimension_mismatch, place,
            {wanted == size ? name : dim.str(), std::to_string(*known),
             std::to_string(*wanted)});
      return false;
    }
  }
  view.writable &= parameter.getIsInout();
  if (parameter.getIsInout() && !view.writable) {
    checkWritable(view, place);
    return false;
  }
  parameters.insert_or_assign(name, Binding(view));
  return true;
}

bool FunctionLowering::enterTyped(const syntax::Function &callee,
                                  const Header &header,
                                  ArrayRef<Binding> arguments,
                                  ArrayRef<Span> places,
                                  Environment &parameters,
                                  std::map<std::string, Value> &variables,
                                  SmallVectorImpl<Value> &entered, Span span) {
  for (auto [index, attribute] : llvm::enumerate(header.results))
    if (!cast<OperandAttr>(attribute).getCore().empty()) {
      error(Diag::call_array_result, span, {callee.name.name})
          .notes.push_back(
              {callee.results[index].type.span, "this result is an array"});
      return false;
    }
  Type open = OpenType::get(builder.getContext());
  SmallVector<Attribute> annotations;
  SmallVector<bool> inout;
  SmallVector<Value> operands;
  SmallVector<OperandAttr> annotated;
  for (auto [index, attribute] : llvm::enumerate(header.parameters)) {
    auto parameter = cast<OperandAttr>(attribute);
    Span place = places[index];
    std::string name = parameter.getName().str();
    const auto *view = arguments[index].as<ArrayView>();
    if (!parameter.getCore().empty()) {
      if (!view) {
        if (!arguments[index].as<Unusable>())
          error(Diag::call_rank, place,
                {name, callee.name.name, arrayOf(parameter.getCore().size()),
                 arguments[index].as<Tuple>() ? "a tuple" : "a number"});
        return false;
      }
      if (!bindCoreArray(callee, parameter, *view, place, parameters))
        return false;
    } else {
      std::optional<Number> scalar = scalarOf(arguments[index], place);
      if (!scalar)
        return false;
      Binding value(*scalar);
      if (parameter.getIsDim())
        value = indexValue(materialize(*scalar, place), place);
      parameters.insert_or_assign(name, value);
    }
    if (parameter.getIsDim() || isa<UnitAttr>(parameter.getType()))
      continue;
    annotations.push_back(parameter.getType());
    inout.push_back(parameter.getIsInout());
    annotated.push_back(parameter);
    if (view)
      operands.push_back(view->readAs ? view->readAs : view->array);
    else
      operands.push_back(materialize(*arguments[index].as<Number>(), place));
  }
  if (annotations.empty() && header.typeVariables.empty())
    return true;

  SmallVector<Type> types(annotated.size() + header.typeVariables.size(), open);
  auto enter = EnterOp::create(
      builder, loc(span), types, builder.getStringAttr(callee.name.name),
      builder.getArrayAttr(annotations), builder.getDenseBoolArrayAttr(inout),
      builder.getStrArrayAttr(header.typeVariables),
      builder.getArrayAttr(header.loops), operands);
  for (auto [parameter, result] : llvm::zip(annotated, enter.getResults())) {
    Binding &bound = parameters.find(parameter.getName().strref())->second;
    if (auto *view = bound.as<ArrayView>()) {
      if (!parameter.getIsInout()) // that has its type already
        view->readAs = result;
    } else {
      bound = Binding(Value(result));
    }
  }
  for (auto [variable, result] :
       llvm::zip(header.typeVariables,
                 enter.getResults().drop_front(annotated.size())))
    variables.emplace(variable.str(), result);
  bool allScalars = llvm::all_of(
      arguments, [](const Binding &b) { return b.as<Number>() != nullptr; });
  for (auto [argument, place] : llvm::zip(arguments, places))
    if (allScalars)
      entered.push_back(materialize(*argument.as<Number>(), place));
  return true;
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

Binding FunctionLowering::typedResults(ArrayRef<Binding> parts, Span span) {
  const InlineContext &context = inlined.back();
  const syntax::Function &callee = *context.function;
  Tuple results;
  for (auto [index, part] : llvm::enumerate(parts)) {
    const auto *scalar = part.as<Number>();
    if (!scalar) {
      if (const auto *unusable = part.as<Unusable>();
          unusable && unusable->reason == Unusable::Failed)
        return part;
      if (part.as<Tuple>())
        error(Diag::tuple_as_value, span);
      else if (const auto *view = part.as<ArrayView>())
        error(Diag::array_as_value, span, {view->name});
      else
        error(Diag::missing_return, callee.name.span, {callee.name.name});
      return Unusable{Unusable::Failed, span};
    }
    Number value = *scalar;
    if (callee.hasArrow && callee.results[index].type.element) {
      StringRef name = callee.results[index].type.element->name;
      if (std::optional<TypeName> type = typeNamed(name, true))
        value = convert(value, *type, CastMode::SameKind, span);
    }
    if (!context.entered.empty() && !value.constant)
      value.value = LeaveOp::create(builder, loc(span),
                                    OpenType::get(builder.getContext()),
                                    value.value, context.entered);
    results.elements.push_back(Binding(value));
  }
  if (results.elements.size() == 1)
    return results.elements.front();
  return results;
}

void FunctionLowering::returnInlined(std::optional<Binding> value,
                                     bool isExplicit, Span span) {
  InlineContext &context = inlined.back();
  const syntax::Function &callee = *context.function;
  Binding result = value ? *value : Binding(Unusable{Unusable::Failed, span});
  if (context.header && value) {
    SmallVector<Binding> parts;
    if (const auto *tuple = value->as<Tuple>())
      parts.append(tuple->elements.begin(), tuple->elements.end());
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
  builder.clearInsertionPoint();
}

std::optional<Binding>
FunctionLowering::inlineBody(ScopedFunction callee, Environment parameters,
                             std::map<std::string, Value> variables,
                             const Header *header, SmallVector<Value> entered,
                             Span span) {
  const syntax::Function &target = *callee.function;
  const std::string &name = target.name.name;
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
      {&target, loc(span), {}, loops.size(), header, std::move(entered)});
  lowerBlock(target.body);
  if (isReachable() && header && !scalarResults.empty())
    returnInlined(Binding(Nothing()), /*isExplicit=*/false, target.name.span);
  InlineContext context = std::move(inlined.back());
  inlined.pop_back();
  std::vector<Edge> ends;
  for (Edge &returned : context.returns) {
    auto value = returned.env.find("return");
    Environment only;
    only.emplace("return", value->second);
    ends.push_back({returned.block, std::move(only)});
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
      error(Diag::missing_return, target.name.span, {name})
          .notes.push_back({span, "it is called here"});
    else if (unusable->reason == Unusable::Conflict)
      error(Diag::return_mismatch, target.name.span,
            {name, unusable->one, unusable->other})
          .notes.push_back({span, "it is called here"});
    return std::nullopt;
  }
  return value;
}

} // namespace kern
