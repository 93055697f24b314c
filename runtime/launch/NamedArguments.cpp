//===- NamedArguments.cpp - arguments by name, and defaults ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/launch/NamedArguments.h"
#include "runtime/error/NearestName.h"
#include "runtime/launch/Arguments.h"

#include <algorithm>
#include <cstring>

using namespace kern::runtime;

kern_value kern::runtime::valueOf(const DefaultArgument &number) {
  kern_value out = {};
  switch (number.type.weakness) {
  case Weakness::None:
    out.kind = KERN_VALUE_SCALAR;
    out.dtype = kern_dtype(number.type.dtype);
    break;
  case Weakness::Int:
    out.kind = KERN_VALUE_WEAK_INT;
    break;
  case Weakness::Float:
    out.kind = KERN_VALUE_WEAK_FLOAT;
    break;
  case Weakness::Complex:
    out.kind = KERN_VALUE_WEAK_COMPLEX;
    break;
  }
  std::memcpy(out.as.bits, number.value.data(), sizeof out.as.bits);
  return out;
}

bool kern::runtime::isCallOption(std::string_view name) {
  static constexpr std::string_view options[] = {
      "out",     "where", "axis",      "axes",   "keepdims", "dtype",
      "casting", "order", "signature", "device", "stream"};
  return std::ranges::find(options, name) != std::end(options);
}

static Error unknownParameter(const FunctionInfo &function,
                              std::string_view name) {
  std::vector<std::string_view> names;
  std::string all;
  for (const OperandInfo &parameter : function.parameters) {
    names.push_back(parameter.name);
    all += (all.empty() ? "" : ", ") + parameter.name;
  }
  Error error(ErrorCode::unknown_parameter, {function.name, name});
  const std::string_view near = nearestName(name, names);
  if (!near.empty())
    error.add(Addition::did_you_mean, {near});
  else if (!all.empty())
    error.add(Addition::parameters_are, {all});
  return error;
}

Status kern::runtime::bindArguments(const FunctionInfo &function,
                                    std::span<const kern_value> positional,
                                    std::span<const NamedArgument> named,
                                    std::span<kern_value> all) {
  const std::vector<OperandInfo> &parameters = function.parameters;
  if (positional.size() > parameters.size())
    return wrongArgumentCount(function, positional.size());
  std::vector<const kern_value *> given(parameters.size(), nullptr);
  for (size_t i = 0; i < positional.size(); ++i)
    given[i] = &positional[i];
  for (const NamedArgument &argument : named) {
    const auto at =
        std::ranges::find(parameters, argument.name, &OperandInfo::name);
    if (at == parameters.end())
      return unknownParameter(function, argument.name);
    if (isCallOption(argument.name))
      return Error(ErrorCode::argument_by_position,
                   {function.name, argument.name});
    const kern_value *&place = given[size_t(at - parameters.begin())];
    if (place)
      return Error(ErrorCode::argument_twice, {function.name, argument.name});
    place = &argument.value;
  }
  std::vector<kern_value> complete;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const OperandInfo &parameter = parameters[i];
    if (!given[i] && !parameter.defaultArgument)
      return named.empty() ? wrongArgumentCount(function, positional.size())
                           : Error(ErrorCode::argument_missing,
                                   {function.name, i + 1, parameter.name});
    complete.push_back(given[i] ? *given[i]
                                : valueOf(*parameter.defaultArgument));
  }
  std::ranges::copy(complete, all.begin());
  return {};
}

CompleteArguments::CompleteArguments(const FunctionInfo &function,
                                     std::span<const kern_value> given)
    : values(given) {
  const std::vector<OperandInfo> &parameters = function.parameters;
  if (given.size() >= parameters.size() ||
      !parameters[given.size()].defaultArgument)
    return;
  memory.assign(given.begin(), given.end());
  for (size_t i = given.size(); i < parameters.size(); ++i)
    memory.push_back(valueOf(*parameters[i].defaultArgument));
  values = memory;
}
