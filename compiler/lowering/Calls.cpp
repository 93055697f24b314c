//===- Calls.cpp - calls and inlining -------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/diagnostics/ForeignNames.h"
#include "compiler/lowering/FunctionLowering.h"
#include "compiler/lowering/Names.h"
#include "dialects/Kern/ElementTypes.h"
#include "dialects/Kern/ScalarFunctions.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace kern {

static std::string counted(size_t n, StringRef noun) {
  return std::to_string(n) + " " + noun.str() + (n == 1 ? "" : "s");
}

bool FunctionLowering::checkCount(StringRef name, const syntax::Call &call,
                                  size_t least, size_t most, Span span) {
  size_t count = call.arguments.size();
  if (count >= least && count <= most)
    return true;
  std::string takes = least == most ? counted(least, "argument")
                                    : std::to_string(least) + " to " +
                                          counted(most, "argument");
  error(Diag::wrong_argument_count, span,
        {name.str(), takes,
         std::to_string(count) + (count == 1 ? " is" : " are")});
  return false;
}

std::optional<Attribute> FunctionLowering::typeAttribute(StringRef name,
                                                         bool pythonNames) {
  if (llvm::is_contained(typeVariables, name))
    return builder.getStringAttr(name);
  if (std::optional<DType> type = typeName(name, pythonNames))
    return TypeAttr::get(toType(builder.getContext(), *type));
  return std::nullopt;
}

static bool isPythonBuiltin(StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"print", "list", "dict", "set", "tuple", "str"}, true)
      .Cases({"sorted", "map", "filter", "input", "open", "isinstance"}, true)
      .Cases({"type", "iter", "next", "getattr", "hasattr", "bytes"}, true)
      .Default(false);
}

std::optional<Binding> FunctionLowering::lowerCall(const syntax::Call &call,
                                                   Span span) {
  StringRef name;
  bool isQualified = false;
  if (const auto *plain = call.function->as<syntax::Name>()) {
    name = plain->name;
  } else if (const auto *attribute = call.function->as<syntax::Attribute>()) {
    const auto *prefix = attribute->value->as<syntax::Name>();
    if (!prefix || !isLibraryPrefix(prefix->name) || env.count(prefix->name)) {
      Diagnostic &diagnostic =
          error(Diag::no_such_method, span, {attribute->name.name});
      if (isLanguageFunction(attribute->name.name) ||
          !scalarFunctionName(attribute->name.name).empty())
        diagnostic.help = "write `" + attribute->name.name + "(…)`";
      else if (attribute->name.name == "astype")
        diagnostic.help = "a type is called to convert: `f32(x)`";
      return std::nullopt;
    }
    name = attribute->name.name;
    isQualified = true;
  } else {
    if (!call.function->as<syntax::ErrorExpr>())
      error(Diag::not_callable, call.function->span, {"this"});
    return std::nullopt;
  }

  if (!isQualified) {
    if (env.find(name) != env.end()) {
      error(Diag::not_callable, call.function->span, {"`" + name.str() + "`"});
      return std::nullopt;
    }
  }
  if (!call.keywords.empty()) {
    error(Diag::keyword_argument, call.keywords[0].first.span,
          {name.str(), call.keywords[0].first.name});
    return std::nullopt;
  }
  if (!isQualified)
    if (const syntax::Function *callee = scope.function(name))
      return inlineCall(*callee, call, span);
  if (name != "complex")
    if (std::optional<Attribute> target = typeAttribute(name, true))
      return lowerConversion(*target, name, call, span);
  if (isLanguageFunction(name))
    return lowerLanguageCall(name, call, span);
  if (name == "complex" && call.arguments.size() == 1)
    return lowerConversion(*typeAttribute(name, true), name, call, span);
  if (StringRef function = scalarFunctionName(name); !function.empty())
    return lowerScalarCall(function, name, call, span);
  if (isPythonBuiltin(name)) {
    error(Diag::python_builtin, call.function->span, {name.str()});
    return std::nullopt;
  }
  std::vector<std::string_view> known = scope.names();
  for (std::string_view library : libraryNames())
    known.push_back(library);
  Diagnostic &diagnostic =
      error(Diag::unknown_function, call.function->span, {name.str()});
  std::string_view near = kernNameOf(std::string_view(name));
  if (near.empty())
    near = nearest(name, known);
  if (!near.empty())
    diagnostic.help = "did you mean `" + std::string(near) + "`?";
  for (const syntax::ExprPtr &argument : call.arguments)
    if (!argument->as<syntax::Generator>())
      lowerExpr(*argument); // for its names
  return std::nullopt;
}

std::optional<Binding>
FunctionLowering::lowerConversion(Attribute target, StringRef name,
                                  const syntax::Call &call, Span span) {
  if (!checkCount(name, call, 1, 1, span))
    return std::nullopt;
  std::optional<Scalar> operand = lowerScalar(*call.arguments[0]);
  if (!operand)
    return std::nullopt;
  return Binding(convert(*operand, target, CastMode::Explicit, span));
}

std::optional<Binding>
FunctionLowering::lowerScalarCall(StringRef function, StringRef name,
                                  const syntax::Call &call, Span span) {
  const ScalarFunction *entry = findScalarFunction(function);
  if (!checkCount(name, call, entry->inputs, entry->inputs, span))
    return std::nullopt;
  SmallVector<Scalar> operands;
  bool failed = false;
  for (const syntax::ExprPtr &argument : call.arguments) {
    std::optional<Scalar> operand = lowerScalar(*argument);
    failed |= !operand;
    if (operand)
      operands.push_back(*operand);
  }
  if (failed)
    return std::nullopt;
  if (entry->outputs == 1)
    return Binding(apply(function, operands, span));
  SmallVector<Value> values;
  for (const Scalar &operand : operands)
    values.push_back(materialize(operand, span));
  Value first = applyValues(function, values, span);
  Tuple results;
  for (Value result : first.getDefiningOp()->getResults())
    results.elements.push_back(Binding(result));
  return Binding(results);
}

std::optional<Binding>
FunctionLowering::lowerLanguageCall(StringRef name, const syntax::Call &call,
                                    Span span) {
  if (name == "len") {
    if (!checkCount(name, call, 1, 1, span))
      return std::nullopt;
    std::optional<Binding> operand = lowerExpr(*call.arguments[0]);
    if (!operand)
      return std::nullopt;
    if (const auto *view = operand->as<ArrayView>())
      return Binding(extentOf(*view, 0));
    if (const auto *tuple = operand->as<Tuple>())
      return Binding(Constant{__int128(tuple->elements.size())});
    error(Diag::not_an_array, call.arguments[0]->span, {"a number"});
    return std::nullopt;
  }
  if (name == "fold") {
    error(Diag::fold_unsupported, span);
    return std::nullopt;
  }
  if (name == "zeros" || name == "empty") {
    error(Diag::local_array_unsupported, span, {name.str()});
    return std::nullopt;
  }
  if (name == "range" || name == "prange" || name == "zip" ||
      name == "enumerate" || name == "reversed") {
    error(Diag::range_as_value, span, {name.str()});
    return std::nullopt;
  }
  return lowerReduction(name, call, span);
}

std::optional<Binding>
FunctionLowering::inlineCall(const syntax::Function &callee,
                             const syntax::Call &call, Span span) {
  const std::string &name = callee.name.name;
  if (callee.kind != syntax::FunctionKind::Def) {
    bool isTyped = callee.kind == syntax::FunctionKind::Gufunc ||
                   !callee.where.empty() || callee.hasArrow;
    for (const syntax::Parameter &parameter : callee.parameters)
      isTyped |= parameter.type.has_value();
    if (isTyped) {
      error(Diag::typed_call_unsupported, span, {name}).help =
          "put its body into a `def`, and call that from both";
      return std::nullopt;
    }
  }
  if (!checkCount(name, call, callee.parameters.size(),
                  callee.parameters.size(), span))
    return std::nullopt;
  bool isRecursive = &callee == &function;
  for (const InlineContext &context : inlined)
    isRecursive |= context.function == &callee;
  if (isRecursive) {
    error(Diag::recursion, span, {name}).help = "write a loop";
    return std::nullopt;
  }
  if (operations >= maxOperations) // reported where the limit was passed
    return std::nullopt;

  Environment parameters;
  for (auto [parameter, argument] :
       llvm::zip(callee.parameters, call.arguments)) {
    std::optional<Binding> value = lowerExpr(*argument);
    if (!value)
      return std::nullopt;
    parameters.insert_or_assign(parameter.name.name, *value);
  }

  // The callee sees its parameters and the file's names, nothing of the caller.
  Environment outerEnv = std::exchange(env, std::move(parameters));
  auto outerVariables = std::exchange(typeVariables, {});
  auto outerResults = std::exchange(scalarResults, {});
  auto outerDeclared = std::exchange(declaredTypes, {});
  inlined.push_back({&callee, loc(span), {}, loops.size()});
  lowerBlock(callee.body);
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

  if (const auto *unusable = value->as<Unusable>()) {
    if (unusable->reason == Unusable::PartlyBound)
      error(Diag::missing_return, callee.name.span, {name})
          .notes.push_back({span, "it is called here"});
    else if (unusable->reason == Unusable::Conflict)
      error(Diag::return_mismatch, callee.name.span,
            {name, "one thing", "another"})
          .notes.push_back({span, "it is called here"});
    return std::nullopt;
  }
  return value;
}

} // namespace kern
