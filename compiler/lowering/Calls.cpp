//===- Calls.cpp - calls ----------------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/diagnostics/ForeignNames.h"
#include "compiler/lowering/FunctionLowering.h"
#include "compiler/modules/Names.h"
#include "dialects/Kern/ElementTypes.h"
#include "dialects/Kern/ScalarFunctions.h"
#include "runtime/error/Counted.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace kern {

bool FunctionLowering::checkCount(StringRef name, const syntax::Call &call,
                                  size_t least, size_t most, Span span) {
  size_t count = call.arguments.size();
  if (count >= least && count <= most)
    return true;
  std::string takes =
      least == most ? counted(least, "argument")
      : most == SIZE_MAX
          ? counted(least, "argument") + " or more"
          : std::to_string(least) + " to " + counted(most, "argument");
  error(Diag::wrong_argument_count, span,
        {name.str(), takes,
         std::to_string(count) + (count == 1 ? " is" : " are")});
  return false;
}

std::optional<FunctionLowering::TypeName>
FunctionLowering::typeNamed(StringRef name, bool pythonNames) {
  if (auto variable = typeVariables.find(name.str());
      variable != typeVariables.end())
    return variable->second ? TypeName{nullptr, variable->second}
                            : TypeName{builder.getStringAttr(name), Value()};
  if (std::optional<DType> type = typeName(name, pythonNames))
    return TypeName{TypeAttr::get(toType(builder.getContext(), *type)),
                    Value()};
  return std::nullopt;
}

static bool isPythonBuiltin(StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"print", "list", "dict", "set", "tuple", "str"}, true)
      .Cases({"sorted", "map", "filter", "input", "open", "isinstance"}, true)
      .Cases({"type", "iter", "next", "getattr", "hasattr", "bytes"}, true)
      .Default(false);
}

bool FunctionLowering::isNamed(const std::string &name) {
  std::string_view library = scope->libraryName(name);
  return env.count(name) || scope->constant(name) || scope->isFailed(name) ||
         scope->function(name) || scope->isLibraryFunction(library) ||
         libraryConstant(library) || typeNamed(library, true);
}

std::optional<FunctionLowering::Callee>
FunctionLowering::calleeOf(const syntax::Expr &called) {
  Span span = called.span;
  if (const auto *plain = called.as<syntax::Name>()) {
    StringRef name = plain->name;
    if (env.find(name) != env.end()) {
      readNames.insert(plain->name);
      error(Diag::not_callable, span, {"`" + name.str() + "`"});
      return std::nullopt;
    }
    if (scope->isFailed(name)) {
      failed = true;
      return std::nullopt;
    }
    if (std::optional<ScopedFunction> function = scope->function(name))
      return Callee{name, function};
    return Callee{scope->libraryName(name), std::nullopt};
  }
  const auto *attribute = called.as<syntax::Attribute>();
  if (!attribute) {
    failed = true;
    if (!called.as<syntax::ErrorExpr>())
      error(Diag::not_callable, span, {"this"});
    return std::nullopt;
  }
  StringRef name = attribute->name.name;
  const auto *prefix = attribute->value->as<syntax::Name>();
  if (prefix && !env.count(prefix->name)) {
    if (ModuleScope *module = scope->module(prefix->name)) {
      if (std::optional<ScopedFunction> function = module->function(name))
        return Callee{name, function};
      if (module->constant(name))
        error(Diag::not_callable, span,
              {"`" + prefix->name + "." + name.str() + "`"});
      else
        lowerModuleName(*module, prefix->name, attribute->name, span);
      return std::nullopt;
    }
    if (scope->isFailed(prefix->name)) {
      failed = true;
      return std::nullopt;
    }
    if (scope->isLibrary(prefix->name))
      return Callee{name, std::nullopt};
  }
  const std::string instead(insteadOf(std::string_view(name)));
  if (prefix && !isNamed(prefix->name)) {
    Diagnostic &diagnostic = unknownName(prefix->name, attribute->value->span);
    if (std::string_view alias = scope->importedAs(prefix->name);
        !alias.empty())
      diagnostic.give({"the module is imported as `" + std::string(alias) + "`",
                       std::string(alias)});
    else if (scope->isLibraryFunction(name))
      diagnostic.give("what the library has needs no prefix: `" + name.str() +
                      "(…)`");
    return std::nullopt;
  }
  // `np.random.rand()`: it is `np.random` that there is not.
  if (attribute->value->as<syntax::Attribute>() &&
      !lowerExpr(*attribute->value))
    return std::nullopt;
  Diagnostic &diagnostic = error(Diag::no_such_method, span, {name.str()});
  if (scope->isLibraryFunction(name))
    diagnostic.help = "write `" + name.str() + "(…)`";
  else if (name == "astype")
    diagnostic.help = "a type is called to convert: `f32(x)`";
  else
    diagnostic.help = instead;
  return std::nullopt;
}

std::optional<Binding> FunctionLowering::lowerCall(const syntax::Call &call,
                                                   Span span) {
  std::optional<Callee> callee = calleeOf(*call.function);
  if (!callee)
    return std::nullopt;
  StringRef name = callee->name;
  bool isLocalArray = !callee->function && (name == "zeros" || name == "empty");
  if (!call.keywords.empty() && !isLocalArray) {
    error(Diag::keyword_argument, call.keywords[0].first.span,
          {name.str(), call.keywords[0].first.name});
    return std::nullopt;
  }
  if (callee->function)
    return inlineCall(*callee->function, call, span);
  if (name != "complex")
    if (std::optional<TypeName> target = typeNamed(name, true))
      return lowerConversion(*target, name, call, span);
  if (isLanguageFunction(name))
    return lowerLanguageCall(name, call, span);
  if (name == "complex" && call.arguments.size() == 1)
    return lowerConversion(*typeNamed(name, true), name, call, span);
  size_t count = call.arguments.size();
  const ScalarFunctionInfo *row = scalarFunctionNamed(name);
  if (row && (row->inputs == count || takesMore(row->function)))
    return lowerScalarCall(*row, name, call, span);
  if (std::vector<ScopedFunction> inKern = scope->libraryFunctions(name);
      row || !inKern.empty())
    return lowerOverload(row, inKern, name, call, span);
  if (isPythonBuiltin(name)) {
    error(Diag::python_builtin, call.function->span, {name.str()}).help =
        insteadOf(std::string_view(name));
    return std::nullopt;
  }
  unknownFunction(name, call.function->span);
  for (const syntax::ExprPtr &argument : call.arguments)
    if (!argument->as<syntax::Generator>())
      lowerExpr(*argument); // for its names
  return std::nullopt;
}

std::optional<Binding>
FunctionLowering::lowerOverload(const ScalarFunctionInfo *row,
                                ArrayRef<ScopedFunction> inKern, StringRef name,
                                const syntax::Call &call, Span span) {
  std::set<size_t> counts;
  if (row)
    counts.insert(row->inputs);
  for (const ScopedFunction &each : inKern) {
    size_t parameters = each.function->parameters.size();
    if (parameters == call.arguments.size())
      return inlineCall(each, call, span);
    counts.insert(parameters);
  }
  std::string takes;
  for (size_t each : counts)
    takes += (takes.empty() ? "" : " or ") + (each == *counts.rbegin()
                                                  ? counted(each, "argument")
                                                  : std::to_string(each));
  size_t given = call.arguments.size();
  error(Diag::wrong_argument_count, span,
        {name.str(), takes,
         std::to_string(given) + (given == 1 ? " is" : " are")});
  return std::nullopt;
}

void FunctionLowering::unknownFunction(StringRef name, Span span) {
  error(Diag::unknown_function, span, {name.str()})
      .give(scope->helpFor(name, {}));
}

std::optional<Binding>
FunctionLowering::lowerConversion(TypeName target, StringRef name,
                                  const syntax::Call &call, Span span) {
  if (!checkCount(name, call, 1, 1, span))
    return std::nullopt;
  std::optional<Number> operand = lowerScalar(*call.arguments[0]);
  if (!operand)
    return std::nullopt;
  return Binding(convert(*operand, target, CastMode::Explicit, span));
}

std::optional<Binding>
FunctionLowering::lowerScalarCall(const ScalarFunctionInfo &function,
                                  StringRef name, const syntax::Call &call,
                                  Span span) {
  size_t most = takesMore(function.function) ? SIZE_MAX : function.inputs;
  if (!checkCount(name, call, function.inputs, most, span))
    return std::nullopt;
  SmallVector<Number> operands;
  bool failed = false;
  for (const syntax::ExprPtr &argument : call.arguments) {
    std::optional<Number> operand = lowerScalar(*argument);
    failed |= !operand;
    if (operand)
      operands.push_back(*operand);
  }
  if (failed)
    return std::nullopt;
  if (function.outputs == 1)
    return Binding(applyChained(function.function, operands, span));
  SmallVector<Value> values;
  for (const Number &operand : operands)
    values.push_back(materialize(operand, span));
  Value first = applyValues(function.function, values, span);
  std::vector<Binding> results;
  for (Value result : first.getDefiningOp()->getResults())
    results.push_back(Binding(result));
  return Binding(Tuple(std::move(results)));
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
      return Binding(Constant{Integer(tuple->elements().size())});
    error(Diag::not_an_array, call.arguments[0]->span,
          {"a number", "has no length"});
    return std::nullopt;
  }
  if (name == "fold")
    return lowerFold(call, span);
  if (name == "zeros" || name == "empty")
    return lowerLocalArray(name, call, span);
  if (name == "range" || name == "prange" || name == "zip" ||
      name == "enumerate" || name == "reversed") {
    error(Diag::range_as_value, span, {name.str()});
    return std::nullopt;
  }
  return lowerReduction(name, call, span);
}

} // namespace kern
