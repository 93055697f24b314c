//===- Resolve.cpp - which loop a call takes ------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/Resolve.h"

#include <algorithm>
#include <vector>

using namespace kern::runtime;

namespace {
/// Whether an argument that counts as `from` may be passed to a loop's input.
bool passes(ArgType from, ArgType to) {
  // A loop made for a weak argument takes only weak arguments of that kind.
  return to.isWeak() ? from == to : canPass(from, to.dtype);
}

/// The types of the typed arguments must match exactly. Weak arguments take one
/// of these types, or the only type that their input has in any loop, but no
/// other type.
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

/// "f32, int".
std::string listTypes(std::span<const ArgType> types) {
  std::string out;
  for (size_t i = 0; i < types.size(); ++i)
    out += (i ? ", " : "") + std::string(name(types[i]));
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

/// A parameter's annotation is a type variable unless it names a type.
bool isVariable(const OperandInfo &parameter) {
  return !parameter.type.empty() && !parseDType(parameter.type);
}

/// " beside i8": the type to which a weak argument does not give way. Nothing
/// if all arguments are weak.
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
  Error error(ErrorCode::no_loop, {function.name, listTypes(arguments)});
  if (function.loops.empty())
    return error.add(Addition::function_has_no_loops);
  error.add(Addition::loops_are, {listLoops(function)});

  // The nearest loop, with the fewest mismatches, shows what is wrong. An
  // argument that fits no loop is reported as such.
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
    std::string subject = ", which";
    if (counted[i] != arguments[i]) {
      std::string type(name(counted[i]));
      subject += " counts as " + type + besideTyped(arguments) + "; " + type;
    }
    error.add(none ? Addition::argument_casts_to_none
                   : Addition::argument_does_not_cast,
              {i + 1, parameters[i]->name, name(arguments[i]), subject,
               name(nearest->inputs[i])});
  }
  size_t culprit = fewest.front();
  if (function.isGeneric)
    return error.add(Addition::help_compile);
  if (isVariable(*parameters[culprit]))
    return error.add(
        Addition::help_where_clause,
        {name(counted[culprit].carrier()), parameters[culprit]->type});
  return error.add(Addition::help_convert, {name(nearest->inputs[culprit])});
}
} // namespace

Expected<size_t>
kern::runtime::resolveLoop(const FunctionInfo &function,
                           std::span<const ArgType> arguments) {
  const std::vector<LoopInfo> &loops = function.loops;
  // A loop made for exactly these weak arguments (of a generic function) takes
  // them as they are. All other loops use the types that weak arguments count
  // as.
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
/// Whether an argument may be passed to an input of a requested loop. Casting
/// rules do not apply to weak numbers, which have no type.
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

Expected<size_t>
kern::runtime::resolveNamedLoop(const FunctionInfo &function,
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
  std::string wanted =
      describe(request, arguments.size(), function.results.size());
  Error error = anyMatches
                    ? Error(ErrorCode::no_loop_as_asked,
                            {wanted, function.name, listTypes(arguments),
                             name(request.casting)})
                    : Error(ErrorCode::no_such_loop, {function.name, wanted});
  return error.add(Addition::loops_are, {listLoops(function)});
}

std::vector<ArgType>
kern::runtime::typesAskedFor(std::span<const ArgType> arguments,
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
