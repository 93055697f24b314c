//===- TestFunctions.cpp - what the tests of a file call ------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/doctest/TestFunctions.h"

#include "compiler/syntax/UnicodeLetters.h"
#include "kern/options.h"
#include "tools/kern/calls/CallRequest.h"
#include "tools/kern/calls/MethodCall.h"
#include "tools/kern/doctest/PlainArithmetic.h"

#include <algorithm>

namespace kern::cli {

using compiler::LineColumn;
using runtime::Error;
using runtime::Expected;
using runtime::Status;

namespace {

Error lastError(kern_status status) { return {status, kern_last_error()}; }

/// `x0, x1, x2` for three.
std::string parameterList(size_t count) {
  std::string list;
  for (size_t i = 0; i < count; ++i)
    list += (i ? ", x" : "x") + std::to_string(i);
  return list;
}

unsigned rankOf(const TestValue &value) {
  return value.isArray() ? unsigned(value.value.as.array->ndim) : 0;
}

/// The shape of an array as core dimensions: `[n2, n3]`. Equal extents have one
/// name, as functions may ask for it.
std::string shapeOf(const TestValue &value) {
  std::string list;
  for (unsigned axis = 0; axis < rankOf(value); ++axis)
    list += (axis ? ", n" : "[n") +
            std::to_string(value.value.as.array->shape[axis]);
  return list.empty() ? "" : list + "]";
}

/// The same parameters with arrays as core arrays: `x0: [n2, n3], x1`.
std::string arrayParameterList(const std::vector<TestValue> &arguments) {
  std::string list;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string shape = shapeOf(arguments[i]);
    list += (i ? ", x" : "x") + std::to_string(i) +
            (shape.empty() ? "" : ": " + shape);
  }
  return list;
}

/// The text of an argument in an expression: its parameter, or the digits of an
/// integer that no parameter takes.
std::string written(const std::vector<TestValue> &arguments, size_t i) {
  return arguments[i].isWide() ? "(" + arguments[i].wide + ")"
                               : "x" + std::to_string(i);
}

/// The text of an argument that may be an option, as an axis is: a plain
/// integer or a bool is written as it is, for the compiler to know it.
std::string asOption(const std::vector<TestValue> &arguments, size_t i) {
  const TestValue &argument = arguments[i];
  if (argument.isTuple || argument.isArray() || argument.isWide())
    return written(arguments, i);
  std::string text = valueText(argument);
  const bool isKnown = argument.value.kind == KERN_VALUE_WEAK_INT ||
                       text == "True" || text == "False";
  return isKnown ? text : written(arguments, i);
}

/// The arguments of a call from the one at `first` on. Of methods, and of
/// functions with a prefix, those behind the array may be options, as in NumPy.
std::string listOf(const std::vector<TestValue> &arguments, size_t first,
                   bool hasOptions, const std::vector<std::string> &keywords) {
  const size_t positional = arguments.size() - keywords.size();
  std::string list;
  for (size_t i = first; i < arguments.size(); ++i) {
    const std::string keyword = i < positional ? "" : keywords[i - positional];
    const bool isOption = keyword.empty()
                              ? hasOptions && i > 0
                              : keyword == "axis" || keyword == "keepdims";
    list += (list.empty() ? "" : ", ") +
            (keyword.empty() ? "" : keyword + "=") +
            (isOption ? asOption(arguments, i) : written(arguments, i));
  }
  return list;
}

Error severalResults() {
  return {KERN_ERROR_ARGUMENT,
          "several results are not one argument; bind them to names"};
}

/// Makes a call; `initial` may be NULL. Several results make a tuple.
Expected<TestValue> callOf(const MethodCall &method, kern_function *function,
                           const std::vector<kern_value> &inputs,
                           const kern_value *initial, CallRequest &request) {
  std::vector<DLManagedTensor *> raw(kern_function_output_count(function));
  const kern_status status =
      method.make(function, inputs, initial, raw, request.get(), nullptr);
  if (status != KERN_OK)
    return lastError(status);
  std::vector<TestValue> results;
  for (DLManagedTensor *array : raw)
    results.push_back(toTestValue(array));
  if (results.size() == 1)
    return results[0];
  TestValue tuple;
  tuple.isTuple = true;
  tuple.tuple = std::move(results);
  return tuple;
}

Expected<kern_function *> wrapperIn(const Module &module) {
  kern_function *function = nullptr;
  const kern_status status = kern_module_find(
      module.get(), std::string(wrapperName).c_str(), &function);
  return status == KERN_OK ? Expected<kern_function *>(function)
                           : lastError(status);
}

} // namespace

TestFunctions::TestFunctions(std::string path, std::string text,
                             kern_device device, kern_compile_options options)
    : path(std::move(path)), source(std::move(text)),
      lines(compiler::SourceFile("", source).lineCount()), device(device),
      options(options) {}

std::string TestFunctions::text(LineColumn place) const {
  return path + ":" + std::to_string(place.line) + ":" +
         std::to_string(place.column);
}

Status TestFunctions::compile(const std::string &text, Module &into) const {
  kern_module *made = nullptr;
  const kern_status status = kern_compile_source_with(
      text.data(), text.size(), path.c_str(), &options, &made);
  if (status != KERN_OK)
    return lastError(status);
  into.reset(made);
  return {};
}

Status TestFunctions::open() { return compile(source, module); }

kern_function *TestFunctions::find(const std::string &written) const {
  const std::string name = compiler::syntax::normalName(written);
  for (size_t i = 0; i < kern_module_function_count(module.get()); ++i) {
    kern_function *function = kern_module_function_at(module.get(), i);
    if (name == kern_function_name(function))
      return function;
  }
  return nullptr;
}

Status TestFunctions::compileWrapper(const std::string &header,
                                     const std::string &statement,
                                     Module &into) const {
  const size_t word = header.find(' ') + 1; // after `ufunc` or `gufunc`
  return compile(source + "\n\n" + header.substr(0, word) +
                     std::string(wrapperName) + header.substr(word) +
                     ":\n    " + statement + "\n",
                 into);
}

Expected<std::string>
TestFunctions::resultShape(const std::string &expression,
                           const std::vector<TestValue> &arguments) {
  const std::string shape = "(" + expression + ").shape";
  const std::string header = "gufunc (" + arrayParameterList(arguments) + ")";
  auto numberOf = [&](const std::string &asked) -> Expected<std::string> {
    Module query;
    Status status = compileWrapper(header, "return " + asked, query);
    if (!status)
      return status.error();
    Expected<kern_function *> function = wrapperIn(query);
    Expected<TestValue> number = function
                                     ? invoke(*function, arguments)
                                     : Expected<TestValue>(function.error());
    return number ? Expected<std::string>(valueText(*number))
                  : Expected<std::string>(number.error());
  };
  const Expected<std::string> rank = numberOf("len(" + shape + ")");
  if (!rank)
    return rank.error();
  std::string list;
  for (unsigned axis = 0; std::to_string(axis) != *rank; ++axis) {
    const Expected<std::string> extent =
        numberOf(shape + "[" + std::to_string(axis) + "]");
    if (!extent)
      return extent.error();
    list += (axis ? ", " : "[") + *extent;
  }
  return list + "]";
}

Expected<kern_function *>
TestFunctions::wrapped(const std::string &expression,
                       const std::vector<TestValue> &arguments) {
  const std::string scalars = parameterList(arguments.size());
  const std::string arrays = arrayParameterList(arguments);
  Module *wrapper = &wrappers[arrays + expression];
  if (!*wrapper) {
    const std::string statement = "return " + expression;
    Status status =
        compileWrapper("ufunc (" + scalars + ")", statement, *wrapper);
    // A function that takes no elements may take arrays.
    if (!status && arrays != scalars &&
        compileWrapper("gufunc (" + arrays + ")", statement, *wrapper))
      status = {};
    // Or give one, whose shape numbers among the arguments may decide.
    if (!status && arrays != scalars)
      if (Expected<std::string> shape = resultShape(expression, arguments)) {
        wrapper = &wrappers[arrays + *shape + expression];
        if (*wrapper || compileWrapper("gufunc (" + arrays +
                                           ") -> (result: " + *shape + ")",
                                       "result[:] = " + expression, *wrapper))
          status = {};
      }
    if (!status)
      return status.error();
  }
  return wrapperIn(*wrapper);
}

Expected<TestValue>
TestFunctions::invoke(kern_function *function,
                      const std::vector<TestValue> &arguments,
                      const std::vector<std::string> &keywords) {
  std::vector<kern_value> inputs;
  for (const TestValue &argument : arguments) {
    if (argument.isTuple)
      return severalResults();
    inputs.push_back(argument.value);
  }
  if (!keywords.empty()) {
    const size_t positional = inputs.size() - keywords.size();
    std::vector<const char *> names;
    for (const std::string &keyword : keywords)
      names.push_back(keyword.c_str());
    std::vector<kern_value> bound(kern_function_input_count(function));
    if (kern_status status =
            kern_bind_arguments(function, inputs.data(), positional,
                                names.data(), inputs.data() + positional,
                                names.size(), bound.data(), bound.size());
        status != KERN_OK)
      return lastError(status);
    inputs = std::move(bound);
  }
  CallRequest request;
  request.setDevice(device);
  return callOf(*MethodCall::parse(""), function, inputs, nullptr, request);
}

Expected<TestValue>
TestFunctions::invokeMethod(kern_function *function, const std::string &name,
                            const std::vector<TestValue> &arguments,
                            const std::vector<std::string> &keywords) {
  const std::string said =
      "`" + std::string(kern_function_name(function)) + "." + name + "`";
  Expected<MethodCall> method = MethodCall::parse(name);
  if (!method)
    return method.error();
  const size_t positional = arguments.size() - keywords.size();
  CallRequest request;
  request.setDevice(device);
  const kern_value *initial = nullptr;
  // NumPy's next argument is the axis.
  const size_t arrays = name == "reduceat"                         ? 2
                        : name == "reduce" || name == "accumulate" ? 1
                                                                   : positional;
  if (positional == arrays + 1)
    if (Status status = request.setAxis(valueText(arguments[arrays])); !status)
      return status.error();
  for (size_t i = 0; i < keywords.size(); ++i) {
    const TestValue &value = arguments[positional + i];
    if (keywords[i] == "axis") {
      if (Status status = request.setAxis(valueText(value)); !status)
        return status.error();
    } else if (keywords[i] == "keepdims" && method->isReduce()) {
      if (valueText(value) != "False" && valueText(value) != "0")
        request.keepDimensions();
    } else if (keywords[i] == "initial" && method->isReduce() &&
               !value.isTuple) {
      initial = &value.value;
    } else {
      return Error{KERN_ERROR_ARGUMENT,
                   said + " takes no `" + keywords[i] + "` in a test"};
    }
  }
  std::vector<kern_value> inputs;
  for (size_t i = 0; i < positional; ++i) {
    if (i == arrays && positional == arrays + 1)
      break;
    if (arguments[i].isTuple)
      return severalResults();
    inputs.push_back(arguments[i].value);
  }
  if (Status status = method->check(function, inputs, said); !status)
    return status.error();
  return callOf(*method, function, inputs, initial, request);
}

Expected<TestValue>
TestFunctions::invokeWrapped(const std::string &expression,
                             const std::vector<TestValue> &arguments,
                             LineColumn at) {
  Expected<kern_function *> function = wrapped(expression, arguments);
  Expected<TestValue> result = function ? invoke(*function, arguments)
                                        : Expected<TestValue>(function.error());
  if (result)
    return result;
  return Error{result.error().status,
               placedInTest(result.error().message, path, lines, text(at))};
}

Expected<TestValue>
TestFunctions::call(const std::string &name,
                    const std::vector<TestValue> &arguments, LineColumn at,
                    const std::vector<std::string> &keywords) {
  const bool isPassed = std::ranges::none_of(arguments, &TestValue::isWide);
  if (kern_function *function = isPassed ? find(name) : nullptr)
    return invoke(function, arguments, keywords);
  const size_t dot = name.rfind('.');
  if (kern_function *function =
          isPassed && dot != name.npos ? find(name.substr(0, dot)) : nullptr)
    return invokeMethod(function, name.substr(dot + 1), arguments, keywords);
  return invokeWrapped(
      name + "(" + listOf(arguments, 0, dot != name.npos, keywords) + ")",
      arguments, at);
}

Expected<TestValue>
TestFunctions::callMethod(const TestValue &value, const std::string &method,
                          const std::vector<TestValue> &arguments,
                          LineColumn at,
                          const std::vector<std::string> &keywords) {
  std::vector<TestValue> all = {value};
  all.insert(all.end(), arguments.begin(), arguments.end());
  return invokeWrapped(written(all, 0) + "." + method + "(" +
                           listOf(all, 1, true, keywords) + ")",
                       all, at);
}

Expected<TestValue> TestFunctions::operate(const std::string &op,
                                           const TestValue &a,
                                           const TestValue &b, LineColumn at) {
  if (a.isWeak() && b.isWeak())
    return plainArithmetic(op, a, b);
  const std::vector<TestValue> operands = {a, b};
  return invokeWrapped(written(operands, 0) + " " + op + " " +
                           written(operands, 1),
                       operands, at);
}

} // namespace kern::cli
