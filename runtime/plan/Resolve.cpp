//===- Resolve.cpp - which loop a call takes ------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/Resolve.h"

#include <algorithm>
#include <vector>

using namespace kern;

bool kern::holds(DType to, int64_t value) {
  auto within = [&](int64_t low, int64_t high) {
    return low <= value && value <= high;
  };
  switch (to) {
  case DType::Bool:
    return false;
  case DType::I8:
    return within(INT8_MIN, INT8_MAX);
  case DType::U8:
    return within(0, UINT8_MAX);
  case DType::I16:
    return within(INT16_MIN, INT16_MAX);
  case DType::U16:
    return within(0, UINT16_MAX);
  case DType::I32:
    return within(INT32_MIN, INT32_MAX);
  case DType::U32:
    return within(0, UINT32_MAX);
  case DType::I64:
    return true;
  case DType::U64:
    return value >= 0;
  case DType::F16:
    return within(-65504, 65504);
  case DType::BF16:
  case DType::F32:
  case DType::F64:
  case DType::C64:
  case DType::C128:
    return true;
  }
  return false;
}

bool kern::castsTo(const ResolveArgument &argument, ArgType to) {
  using enum ArgType::Form;
  // A loop that was made for a weak argument takes only such a one.
  if (to.isWeak())
    return argument.type == to;
  switch (argument.type.form) {
  case Typed:
    return canCastSafely(argument.type.dtype, to.dtype);
  case WeakInt:
    return holds(to.dtype, argument.integer.value_or(0));
  case WeakFloat:
    return isFloat(to.dtype) || isComplex(to.dtype);
  case WeakComplex:
    return isComplex(to.dtype);
  }
  return false;
}

namespace {
/// Exactly the typed arguments' types, the weak ones casting.
bool matchesExactly(std::span<const ResolveArgument> arguments,
                    const LoopInfo &loop) {
  for (size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i].type.isWeak() ? !castsTo(arguments[i], loop.inputs[i])
                                   : arguments[i].type != loop.inputs[i])
      return false;
  return true;
}

/// "u8" and, for a weak integer, its value: "int 300".
std::string describe(const ResolveArgument &argument) {
  std::string out(name(argument.type));
  if (argument.type.form == ArgType::Form::WeakInt && argument.integer)
    out += " " + std::to_string(*argument.integer);
  return out;
}

std::vector<size_t> refusals(std::span<const ResolveArgument> arguments,
                             const LoopInfo &loop) {
  std::vector<size_t> out;
  for (size_t i = 0; i < arguments.size(); ++i)
    if (!castsTo(arguments[i], loop.inputs[i]))
      out.push_back(i);
  return out;
}

std::string listLoops(const FunctionInfo &function) {
  static constexpr size_t shown = 16;
  std::string out;
  for (size_t i = 0; i < std::min(function.loops.size(), shown); ++i)
    out += (i ? ", " : "") + text(function.loops[i]);
  if (function.loops.size() > shown)
    out += ", … (" + std::to_string(function.loops.size()) + " in all)";
  return out;
}

/// The annotation of a parameter is a type variable unless it names a type.
bool isVariable(const OperandInfo &parameter) {
  return !parameter.type.empty() && !parseDType(parameter.type);
}

Error noLoop(const FunctionInfo &function,
             std::span<const ResolveArgument> arguments,
             std::span<const ResolveArgument> counted) {
  std::vector<const OperandInfo *> parameters;
  for (const OperandInfo &parameter : function.parameters)
    if (!parameter.isDim)
      parameters.push_back(&parameter);
  std::string message = "no loop of `" + function.name + "` takes (";
  for (size_t i = 0; i < arguments.size(); ++i)
    message += (i ? ", " : "") + describe(arguments[i]);
  message += ")";
  if (function.loops.empty())
    return {KERN_ERROR_TYPE,
            message + "\nnote: the function has no loops; compile it for these "
                      "types with --signature"};
  message += "\nnote: its loops are " + listLoops(function);

  // The loop with the fewest arguments that do not fit shows what is in the
  // way; an argument that fits none is named for that.
  std::vector<size_t> fewest;
  const LoopInfo *nearest = nullptr;
  for (const LoopInfo &loop : function.loops) {
    std::vector<size_t> refused = refusals(counted, loop);
    if (!nearest || refused.size() < fewest.size()) {
      fewest = std::move(refused);
      nearest = &loop;
    }
  }
  for (size_t i : fewest) {
    bool none = std::none_of(
        function.loops.begin(), function.loops.end(),
        [&](const auto &loop) { return castsTo(counted[i], loop.inputs[i]); });
    message += "\nnote: argument " + std::to_string(i + 1) + " (`" +
               parameters[i]->name + "`) is " + describe(arguments[i]);
    if (arguments[i].type.isWeak() && counted[i].type != arguments[i].type)
      message += ", which counts as " + std::string(name(counted[i].type));
    message += none ? ", which casts safely to none of them"
                    : ", which does not cast safely to " +
                          std::string(name(nearest->inputs[i]));
  }
  size_t culprit = fewest.front();
  std::string wanted(name(counted[culprit].type.carrier()));
  if (function.isGeneric)
    message += "\nhelp: compile it for these types with --signature";
  else if (isVariable(*parameters[culprit]))
    message += "\nhelp: add " + wanted + " to the `where` clause of `" +
               parameters[culprit]->type + "`, or convert the argument";
  else
    message += "\nhelp: convert the argument to " +
               std::string(name(nearest->inputs[culprit]));
  return {KERN_ERROR_TYPE, std::move(message)};
}
} // namespace

Expected<size_t> kern::resolveLoop(const FunctionInfo &function,
                                   std::span<const ResolveArgument> arguments) {
  const std::vector<LoopInfo> &loops = function.loops;
  std::vector<ResolveArgument> counted(arguments.begin(), arguments.end());
  bool allWeak = std::all_of(counted.begin(), counted.end(),
                             [](const auto &a) { return a.type.isWeak(); });
  if (allWeak) {
    // A loop made for just these weak arguments (of a generic function) takes
    // them as they are; any other wants types.
    for (size_t i = 0; i < loops.size(); ++i)
      if (std::equal(counted.begin(), counted.end(), loops[i].inputs.begin(),
                     [](const auto &a, ArgType t) { return a.type == t; }))
        return i;
    for (ResolveArgument &argument : counted)
      argument.type = ArgType::typed(argument.type.carrier());
  }
  for (size_t i = 0; i < loops.size(); ++i)
    if (matchesExactly(counted, loops[i]))
      return i;
  for (size_t i = 0; i < loops.size(); ++i)
    if (refusals(counted, loops[i]).empty())
      return i;
  return noLoop(function, arguments, counted);
}

namespace {
/// May an argument be passed to an input of a loop asked for by name? Weak
/// numbers have no type that a rule could speak of; theirs is as everywhere.
bool castsUnder(Casting casting, const ResolveArgument &argument, ArgType to) {
  if (argument.type.isWeak() || to.isWeak())
    return castsTo(argument, to) ||
           (casting == Casting::Unsafe && !to.isWeak());
  return canCast(argument.type.dtype, to.dtype, casting);
}

/// "(f32, any) -> i32".
std::string describe(const LoopRequest &request, size_t inputs,
                     size_t outputs) {
  auto one = [](std::optional<DType> type) {
    return type ? std::string(name(*type)) : "any";
  };
  std::string out = "(";
  for (size_t i = 0; i < inputs; ++i)
    out += (i ? ", " : "") + one(request.wanted(i));
  out += ") -> (";
  for (size_t i = 0; i < outputs; ++i) {
    std::optional<DType> type = request.wanted(inputs + i);
    out += (i ? ", " : "") + one(type ? type : request.dtype);
  }
  return out + ")";
}
} // namespace

Expected<size_t>
kern::resolveNamedLoop(const FunctionInfo &function,
                       std::span<const ResolveArgument> arguments,
                       const LoopRequest &request) {
  bool anyMatches = false;
  for (size_t i = 0; i < function.loops.size(); ++i) {
    const LoopInfo &loop = function.loops[i];
    bool matches = true;
    for (size_t k = 0; k < loop.inputs.size(); ++k)
      if (auto type = request.wanted(k))
        matches &= loop.inputs[k] == ArgType::typed(*type);
    for (size_t k = 0; k < loop.outputs.size(); ++k) {
      std::optional<DType> type = request.wanted(loop.inputs.size() + k);
      if (!type)
        type = request.dtype;
      matches &= !type || loop.outputs[k] == *type;
    }
    anyMatches |= matches;
    for (size_t k = 0; k < arguments.size() && matches; ++k)
      matches = castsUnder(request.casting, arguments[k], loop.inputs[k]);
    if (matches)
      return i;
  }
  std::string given;
  for (size_t k = 0; k < arguments.size(); ++k)
    given += (k ? ", " : "") + describe(arguments[k]);
  std::string wanted =
      describe(request, arguments.size(), function.results.size());
  return Error{KERN_ERROR_TYPE,
               (anyMatches ? "no loop " + wanted + " of `" + function.name +
                                 "` takes (" + given + ") under the rule '" +
                                 std::string(name(request.casting)) + "'"
                           : "`" + function.name + "` has no loop " + wanted) +
                   "\nnote: its loops are " + listLoops(function)};
}

std::vector<ArgType>
kern::typesAskedFor(std::span<const ResolveArgument> arguments,
                    const LoopRequest &request) {
  std::vector<ArgType> out;
  for (size_t k = 0; k < arguments.size(); ++k) {
    std::optional<DType> type = request.wanted(k);
    if (!type)
      type = request.dtype;
    out.push_back(type ? ArgType::typed(*type) : arguments[k].type);
  }
  return out;
}
