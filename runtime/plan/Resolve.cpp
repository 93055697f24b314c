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

namespace {
/// Whether an argument that counts as `from` may be passed to a loop's input.
bool passes(ArgType from, ArgType to) {
  // A loop that was made for a weak argument takes only such a one.
  return to.isWeak() ? from == to : canPass(from, to.dtype);
}

/// Exactly the typed arguments' types. The weak ones give way to one of these,
/// or to the type that their input has in all loops, and not to a type that
/// nobody asked for.
bool matchesExactly(std::span<const ArgType> arguments, const LoopInfo &loop,
                    const std::vector<LoopInfo> &loops) {
  auto isFixed = [&](size_t i) {
    return std::ranges::all_of(loops, [&](const LoopInfo &other) {
      return other.inputs[i] == loop.inputs[i];
    });
  };
  for (size_t i = 0; i < arguments.size(); ++i) {
    ArgType input = loop.inputs[i];
    if (!arguments[i].isWeak()) {
      if (arguments[i] != input)
        return false;
      continue;
    }
    bool isAsked =
        std::ranges::find(arguments, input) != arguments.end() || isFixed(i);
    if (!isAsked || !passes(arguments[i], input))
      return false;
  }
  return true;
}

std::vector<size_t> refusals(std::span<const ArgType> arguments,
                             const LoopInfo &loop) {
  std::vector<size_t> out;
  for (size_t i = 0; i < arguments.size(); ++i)
    if (!passes(arguments[i], loop.inputs[i]))
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

/// " beside i8", the type that a weak argument does not give way to; nothing
/// where all arguments are weak.
std::string besideTyped(std::span<const ArgType> arguments) {
  DTypeSet typed;
  for (ArgType argument : arguments)
    if (!argument.isWeak())
      typed = typed | DTypeSet::of(argument.dtype);
  return typed.empty() ? "" : " beside " + std::string(name(resultType(typed)));
}

Error noLoop(const FunctionInfo &function, std::span<const ArgType> arguments,
             std::span<const ArgType> counted) {
  std::vector<const OperandInfo *> parameters;
  for (const OperandInfo &parameter : function.parameters)
    if (!parameter.isDim)
      parameters.push_back(&parameter);
  std::string message = "no loop of `" + function.name + "` takes (";
  for (size_t i = 0; i < arguments.size(); ++i)
    message += (i ? ", " : "") + std::string(name(arguments[i]));
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
        [&](const auto &loop) { return passes(counted[i], loop.inputs[i]); });
    message += "\nnote: argument " + std::to_string(i + 1) + " (`" +
               parameters[i]->name + "`) is " + std::string(name(arguments[i]));
    std::string subject = ", which";
    if (counted[i] != arguments[i]) {
      std::string type(name(counted[i]));
      message += ", which counts as " + type + besideTyped(arguments);
      subject = "; " + type;
    }
    message += subject + (none ? " casts safely to none of them"
                               : " does not cast safely to " +
                                     std::string(name(nearest->inputs[i])));
  }
  size_t culprit = fewest.front();
  std::string wanted(name(counted[culprit].carrier()));
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
                                   std::span<const ArgType> arguments) {
  const std::vector<LoopInfo> &loops = function.loops;
  // A loop made for just these weak arguments (of a generic function) takes
  // them as they are; any other wants to know what they count as.
  for (size_t i = 0; i < loops.size(); ++i)
    if (std::ranges::equal(arguments, loops[i].inputs))
      return i;
  std::vector<ArgType> counted = countedTypes(arguments);
  for (size_t i = 0; i < loops.size(); ++i)
    if (matchesExactly(counted, loops[i], loops))
      return i;
  for (size_t i = 0; i < loops.size(); ++i)
    if (refusals(counted, loops[i]).empty())
      return i;
  return noLoop(function, arguments, counted);
}

namespace {
/// May an argument be passed to an input of a loop asked for by name? Weak
/// numbers have no type that a rule could speak of; theirs is as everywhere.
bool castsUnder(Casting casting, ArgType argument, ArgType to) {
  if (argument.isWeak() || to.isWeak())
    return passes(argument, to) || (casting == Casting::Unsafe && !to.isWeak());
  return canCast(argument.dtype, to.dtype, casting);
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

Expected<size_t> kern::resolveNamedLoop(const FunctionInfo &function,
                                        std::span<const ArgType> arguments,
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
    given += (k ? ", " : "") + std::string(name(arguments[k]));
  std::string wanted =
      describe(request, arguments.size(), function.results.size());
  return Error{KERN_ERROR_TYPE,
               (anyMatches ? "no loop " + wanted + " of `" + function.name +
                                 "` takes (" + given + ") under the rule '" +
                                 std::string(name(request.casting)) + "'"
                           : "`" + function.name + "` has no loop " + wanted) +
                   "\nnote: its loops are " + listLoops(function)};
}

std::vector<ArgType> kern::typesAskedFor(std::span<const ArgType> arguments,
                                         const LoopRequest &request) {
  std::vector<ArgType> out;
  for (size_t k = 0; k < arguments.size(); ++k) {
    std::optional<DType> type = request.wanted(k);
    if (!type)
      type = request.dtype;
    out.push_back(type ? ArgType::typed(*type) : arguments[k]);
  }
  return out;
}
