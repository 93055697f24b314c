//===- Calls.cpp - calls --------------------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/Calls.h"

#include "compiler/diagnostics/ForeignNames.h"
#include "compiler/lowering/ArrayCalls.h"
#include "compiler/lowering/Arrays.h"
#include "compiler/lowering/Expressions.h"
#include "compiler/lowering/Inlining.h"
#include "compiler/lowering/Loops.h"
#include "compiler/lowering/Ranks.h"
#include "compiler/lowering/Reductions.h"
#include "compiler/lowering/Scans.h"
#include "compiler/modules/Names.h"
#include "dialects/Kern/ElementTypes.h"
#include "dialects/Kern/ScalarFunctions.h"
#include "runtime/error/Counted.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;

bool checkCount(FunctionLowering &fn, StringRef name, const syntax::Call &call,
                size_t min, size_t max, Span span) {
  size_t count = call.arguments.size();
  if (count >= min && count <= max)
    return true;
  if (call.isMethod && min > 0) {
    --count;
    --min;
    max -= max != SIZE_MAX;
  }
  std::string takes =
      min == max ? runtime::counted(min, "argument")
      : max == SIZE_MAX
          ? runtime::counted(min, "argument") + " or more"
          : std::to_string(min) + " to " + runtime::counted(max, "argument");
  fn.error(Diag::wrong_argument_count, span,
           {calledAs(name.str(), call), takes,
            std::to_string(count) + (count == 1 ? " is" : " are")});
  return false;
}

static bool isPythonBuiltin(StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"print", "list", "dict", "set", "tuple", "str"}, true)
      .Cases({"sorted", "map", "filter", "input", "open", "isinstance"}, true)
      .Cases({"type", "iter", "next", "getattr", "hasattr", "bytes"}, true)
      .Default(false);
}

bool isNamed(FunctionLowering &fn, const std::string &name) {
  std::string_view library = fn.scope().libraryName(name);
  return fn.env().count(name) || fn.scope().constant(name) ||
         fn.scope().isFailed(name) || fn.scope().function(name) ||
         fn.scope().isLibraryFunction(library) || libraryConstant(library) ||
         typeNamed(fn, library, true);
}

std::optional<Callee> calleeOf(FunctionLowering &fn,
                               const syntax::Expr &called) {
  Span span = called.span;
  if (const auto *plain = called.as<syntax::Name>()) {
    StringRef name = plain->name;
    if (auto found = fn.env().find(name); found != fn.env().end()) {
      fn.frame->names.read.insert(plain->name);
      if (const auto *bound = found->second.as<FunctionName>()) {
        if (!bound->chosen)
          return Callee{bound->name, bound->function};
        fn.error(Diag::join_mismatch, span,
                 {"`" + name.str() + "`", "a function", "another function"})
            .help = "here it must be the same function on every path";
        return std::nullopt;
      }
      if (found->second.as<Poisoned>()) {
        lowerName(fn, *plain, span); // says why it has no value
        return std::nullopt;
      }
      fn.error(Diag::not_callable, span, {"`" + name.str() + "`"});
      return std::nullopt;
    }
    if (fn.scope().isFailed(name)) {
      fn.failed = true;
      return std::nullopt;
    }
    if (std::optional<ScopedFunction> function = fn.scope().function(name))
      return Callee{name, function};
    return Callee{fn.scope().libraryName(name), std::nullopt};
  }
  const auto *attribute = called.as<syntax::Attribute>();
  if (!attribute) {
    fn.failed = true;
    if (!called.as<syntax::ErrorExpr>())
      fn.error(Diag::not_callable, span, {"this"});
    return std::nullopt;
  }
  StringRef name = attribute->name.name;
  const auto *prefix = attribute->value->as<syntax::Name>();
  if (prefix && !fn.env().count(prefix->name)) {
    if (ModuleScope *module = fn.scope().module(prefix->name)) {
      if (std::optional<ScopedFunction> function = module->function(name))
        return Callee{name, function};
      if (module->constant(name))
        fn.error(Diag::not_callable, span,
                 {"`" + prefix->name + "." + name.str() + "`"});
      else
        lowerModuleName(fn, *module, prefix->name, attribute->name, span);
      return std::nullopt;
    }
    if (fn.scope().isFailed(prefix->name)) {
      fn.failed = true;
      return std::nullopt;
    }
    if (fn.scope().isLibrary(prefix->name))
      return Callee{name, std::nullopt};
  }
  const std::string instead(insteadOf(std::string_view(name)));
  if (prefix && !isNamed(fn, prefix->name)) {
    Diagnostic &diagnostic =
        unknownName(fn, prefix->name, attribute->value->span);
    if (std::string_view alias = fn.scope().importedAs(prefix->name);
        !alias.empty())
      diagnostic.give({"the module is imported as `" + std::string(alias) + "`",
                       std::string(alias)});
    else if (fn.scope().isLibraryFunction(name))
      diagnostic.give("what the library has needs no prefix: `" + name.str() +
                      "(…)`");
    return std::nullopt;
  }
  // In `np.random.rand()` the unknown name is `np.random`.
  if (attribute->value->as<syntax::Attribute>() &&
      !fn.lowerExpr(*attribute->value))
    return std::nullopt;
  Diagnostic &diagnostic = fn.error(Diag::no_such_method, span, {name.str()});
  const auto *function = attribute->value->as<syntax::Attribute>();
  const std::string ofFunction =
      function ? insteadOfMethod(function->name.name, name.str()) : "";
  const std::string array = textAt(fn, attribute->value->span);
  if (!ofFunction.empty())
    diagnostic.help = ofFunction;
  else if (name == "sort")
    diagnostic.help =
        "sort it into itself: `" + array + "[:] = sort(" + array + ")`";
  else if (fn.scope().isLibraryFunction(name))
    diagnostic.help = "write `" + name.str() + "(…)`";
  else if (name == "astype")
    diagnostic.help = "a type is called to convert: `f32(x)`";
  else
    diagnostic.help = instead;
  return std::nullopt;
}

static std::optional<Binding>
lowerOverload(FunctionLowering &fn, const ScalarFunctionInfo *row,
              ArrayRef<ScopedFunction> inKern, StringRef name,
              const syntax::Call &call, Span span) {
  std::set<size_t> counts;
  if (row)
    counts.insert(row->inputs);
  const size_t given = call.arguments.size() + call.keywords.size();
  for (const ScopedFunction &each : inKern) {
    size_t parameters = each.function->parameters.size();
    if (parameters == given)
      return inlineCall(fn, each, call, span);
    counts.insert(parameters);
  }
  for (const auto &[keyword, value] : call.keywords)
    if (keyword.name == "axis") {
      fn.error(Diag::keyword_argument, keyword.span, {name.str(), "axis"})
          .help = oneRowHelp(name.str());
      return std::nullopt;
    }
  std::string takes;
  const size_t before = call.isMethod;
  for (size_t each : counts)
    takes +=
        (takes.empty() ? "" : " or ") +
        (each == *counts.rbegin() ? runtime::counted(each - before, "argument")
                                  : std::to_string(each - before));
  fn.error(Diag::wrong_argument_count, span,
           {calledAs(name.str(), call), takes,
            std::to_string(given - before) +
                (given - before == 1 ? " is" : " are")});
  return std::nullopt;
}

void unknownFunction(FunctionLowering &fn, StringRef name, Span span) {
  fn.error(Diag::unknown_function, span, {name.str()})
      .give(fn.scope().helpFor(name, {}));
}

static std::optional<Binding> lowerConversion(FunctionLowering &fn,
                                              TypeName target, StringRef name,
                                              const syntax::Call &call,
                                              Span span) {
  if (!checkCount(fn, name, call, 1, 1, span))
    return std::nullopt;
  std::optional<Number> operand = fn.lowerScalar(*call.arguments[0]);
  if (!operand)
    return std::nullopt;
  return Binding(fn.convert(*operand, target, CastMode::Explicit, span));
}

static std::optional<Binding>
lowerScalarCall(FunctionLowering &fn, const ScalarFunctionInfo &function,
                StringRef name, const syntax::Call &call, Span span) {
  size_t max = takesMore(function.function) ? SIZE_MAX : function.inputs;
  if (!checkCount(fn, name, call, function.inputs, max, span))
    return std::nullopt;
  SmallVector<Number> operands;
  bool failed = false;
  for (const syntax::ExprPtr &argument : call.arguments) {
    std::optional<Number> operand = fn.lowerScalar(*argument);
    failed |= !operand;
    if (operand)
      operands.push_back(*operand);
  }
  if (failed)
    return std::nullopt;
  if (function.outputs == 1)
    return Binding(fn.applyChained(function.function, operands, span));
  SmallVector<Value> values;
  for (const Number &operand : operands)
    values.push_back(fn.materialize(operand, span));
  Value first = fn.applyValues(function.function, values, span);
  std::vector<Binding> results;
  for (Value result : first.getDefiningOp()->getResults())
    results.push_back(Binding(result));
  return Binding(Tuple(std::move(results)));
}

static std::optional<Binding> lowerLanguageCall(FunctionLowering &fn,
                                                LanguageFunction function,
                                                const syntax::Call &call,
                                                Span span) {
  using enum LanguageFunction;
  const StringRef name = nameOf(function);
  if (makesArray(function))
    return lowerLocalArray(fn, name, call, span);
  if (isReduction(function))
    return lowerReduction(fn, name, call, span);
  switch (function) {
  case Len: {
    if (!checkCount(fn, name, call, 1, 1, span))
      return std::nullopt;
    std::optional<Binding> operand = fn.lowerExpr(*call.arguments[0]);
    if (!operand)
      return std::nullopt;
    if (const auto *view = operand->as<ArrayView>())
      return Binding(extentOf(*view, 0));
    if (const auto *tuple = operand->as<Tuple>())
      return Binding(Constant{Integer(tuple->elements().size())});
    fn.error(Diag::not_an_array, call.arguments[0]->span,
             {"a number", "has no length"});
    return std::nullopt;
  }
  case Fold:
    return call.arguments.empty()
               ? lowerFold(fn, call, span)
               : onFunction(fn, *call.arguments[0], span,
                            [&] { return lowerFold(fn, call, span); });
  case CumSum:
  case CumProd:
  case CumMax:
  case CumMin:
    return lowerScanCall(fn, name, call, span);
  case Accumulate:
    fn.error(Diag::scan_as_value, span, {name.str()}).help =
        "store it, to a result or to an array from `empty(n, f64)`: `y[:] = " +
        name.str() + "(f, x for x in v)`";
    return std::nullopt;
  case Array:
    return lowerArrayCall(fn, call, span);
  case Transpose:
    return lowerTranspose(fn, call, span);
  case Arange: // without arguments
    checkCount(fn, name, call, 1, 3, span);
    return std::nullopt;
  case Dot:
  case MatMul:
  case Outer:
  case Cross:
    checkCount(fn, name, call, 2, 2, span);
    return std::nullopt;
  default:
    fn.error(Diag::range_as_value, span, {name.str()});
    return std::nullopt;
  }
}

/// Whether arguments of a function of the library have names.
static bool takesKeywords(FunctionLowering &fn, StringRef name) {
  const std::optional<LanguageFunction> function = languageFunction(name);
  return function
             ? makesArray(*function) || *function == LanguageFunction::Array
             : !fn.scope().libraryFunctions(name).empty();
}

/// A call of one function.
static std::optional<Binding>
lowerOneCall(FunctionLowering &fn, const syntax::Call &call, Span span) {
  if (const syntax::Expr *viewed = methodOperand(fn, call)) {
    std::optional<Number> value = fn.lowerScalar(*viewed);
    if (value)
      value = lowerMethod(fn, call, *value, span);
    return value ? std::optional<Binding>(*value) : std::nullopt;
  }
  std::optional<Callee> callee = calleeOf(fn, *call.function);
  if (!callee)
    return std::nullopt;
  StringRef name = callee->name;
  if (callee->function) {
    const syntax::Function &target = *callee->function->function;
    for (const syntax::ExprPtr &argument : call.arguments)
      if (argument->as<syntax::Generator>() &&
          fn.scope().isLibraryFunction(target.name.name)) {
        fn.error(Diag::misplaced_generator, argument->span).help =
            "`np." + target.name.name +
            "` is the library's function; this file has its own `" +
            target.name.name + "`";
        return std::nullopt;
      }
    const syntax::Expr *out = outOf(target, call);
    return out ? callInto(fn, *callee->function, call, *out, span)
               : inlineCall(fn, *callee->function, call, span);
  }
  if (hasNumPyOptions(call, fn.scope())) {
    fn.failed = true;
    reportNumPyOptions(call, span, fn.diagnostics);
    return std::nullopt;
  }
  if (!call.keywords.empty() && !takesKeywords(fn, name)) {
    Diagnostic &diagnostic =
        fn.error(Diag::keyword_argument, call.keywords[0].first.span,
                 {name.str(), call.keywords[0].first.name});
    const auto &[keyword, value] = call.keywords[0];
    if (isScan(name) && keyword.name == "axis")
      diagnostic.help = oneRowHelp(name.str());
    else if (keyword.name == "out")
      diagnostic.help = "store the result: `" + textAt(fn, value->span) +
                        "[:] = " + name.str() + "(…)`";
    else
      diagnostic.help = insteadOfKeyword(std::string_view(name), keyword.name);
    return std::nullopt;
  }
  if (name != "complex")
    if (std::optional<TypeName> target = typeNamed(fn, name, true))
      return lowerConversion(fn, *target, name, call, span);
  if (std::optional<LanguageFunction> function = languageFunction(name))
    return lowerLanguageCall(fn, *function, call, span);
  if (name == "complex" && call.arguments.size() == 1)
    return lowerConversion(fn, *typeNamed(fn, name, true), name, call, span);
  size_t count = call.arguments.size() + call.keywords.size();
  const ScalarFunctionInfo *row = scalarFunctionNamed(name);
  if (row && (row->inputs == count || takesMore(row->function)) &&
      call.keywords.empty())
    return lowerScalarCall(fn, *row, name, call, span);
  if (std::vector<ScopedFunction> inKern = fn.scope().libraryFunctions(name);
      row || !inKern.empty())
    return lowerOverload(fn, row, inKern, name, call, span);
  if (isPythonBuiltin(name)) {
    fn.error(Diag::python_builtin, call.function->span, {name.str()}).help =
        insteadOf(std::string_view(name));
    return std::nullopt;
  }
  unknownFunction(fn, name, call.function->span);
  if (!insteadOf(std::string_view(name)).empty())
    return std::nullopt; // its arguments mean something there
  for (const syntax::ExprPtr &argument : call.arguments)
    if (!argument->as<syntax::Generator>())
      fn.lowerExpr(*argument); // for unknown names in it
  return std::nullopt;
}

std::optional<Binding> lowerCall(FunctionLowering &fn, const syntax::Call &call,
                                 Span span) {
  return onFunction(fn, *call.function, span,
                    [&] { return lowerOneCall(fn, call, span); });
}

} // namespace kern::compiler
