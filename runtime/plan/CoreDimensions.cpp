//===- CoreDimensions.cpp - binding of core dimensions --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/artefact/Dimension.h"
#include "runtime/error/Counted.h"
#include "runtime/plan/Broadcast.h"

#include <algorithm>
#include <map>

using namespace kern::runtime;

namespace {
/// A dimension's value and the operand that set it.
struct Binding {
  int64_t value;
  std::string where; ///< "`a` of shape (2, 3)"
};

class Binder {
public:
  explicit Binder(const FunctionInfo &function) : function(function) {}

  Status bindDim(const OperandInfo &parameter, int64_t value) {
    bound[parameter.name] = {value, "the argument `" + parameter.name + "`"};
    return {};
  }

  /// Binds or checks the core dimensions of an operand, which are the last
  /// extents of its shape. Messages show its shape as `given`.
  Status bindCore(const OperandInfo &operand, const Extents &shape,
                  const Extents &given) {
    size_t core = operand.core.size();
    if (shape.size() < core) {
      auto needed =
          size_t(std::ranges::count_if(operand.core, [&](const DimExpr &dim) {
            return !function.isOptional(dim);
          }));
      std::string prefix = needed < core ? "at least " : "";
      return refuse(ErrorCode::core_dimensions_missing,
                    {operand.name, prefix + counted(needed, "core dimension"),
                     function.coreSignature(), text(given)});
    }
    std::string where = "`" + operand.name + "` of shape " + text(given);
    for (size_t i = 0; i < core; ++i) {
      int64_t extent = shape[shape.size() - core + i];
      const DimExpr &dim = operand.core[i];
      if (const std::optional<std::string> name = nameOf(dim)) {
        auto [at, isNew] = bound.try_emplace(*name, Binding{extent, where});
        if (!isNew && at->second.value != extent)
          return refuse(
              ErrorCode::core_dimension_differs,
              {*name, at->second.value, at->second.where, extent, where});
        continue;
      }
      Expected<int64_t> value = valueOf(dim);
      if (!value)
        return value.error();
      if (*value != extent)
        return refuse(
            ErrorCode::core_dimension_misfit,
            {"`" + text(dim) + "`" +
                 (constantOf(dim) ? "" : " = " + std::to_string(*value)),
             extent, where});
    }
    return {};
  }

  Expected<int64_t> valueOf(const DimExpr &dim) {
    Expected<int64_t> value =
        evaluate(dim, [&](const std::string &name) -> std::optional<int64_t> {
          auto at = bound.find(name);
          if (at == bound.end())
            return std::nullopt;
          return at->second.value;
        });
    if (!value)
      return value.error().in(function.name);
    return value;
  }

  std::optional<int64_t> valueOf(const std::string &name) const {
    auto at = bound.find(name);
    return at == bound.end() ? std::nullopt : std::optional(at->second.value);
  }

  /// The bound values, for messages: "n = 3, k = 4".
  std::string values() const {
    std::string out;
    for (const std::string &name : function.dims)
      if (auto at = bound.find(name); at != bound.end())
        out += (out.empty() ? "" : ", ") + name + " = " +
               std::to_string(at->second.value);
    return out;
  }

  Error refuse(ErrorCode code,
               std::initializer_list<TextArgument> arguments) const {
    return Error(code, arguments).in(function.name);
  }

private:
  const FunctionInfo &function;
  std::map<std::string, Binding> bound;
};

Extents loopPart(const OperandInfo &operand, const Extents &shape) {
  return Extents(shape.begin(), shape.end() - long(operand.core.size()));
}

/// Broadcasts the loop shape to that of an `out` array. It stays as it is for
/// an array that does not fit, which is rejected later with the shape that was
/// expected.
void widen(Extents &loopShape, const OperandInfo &result,
           const Extents &output) {
  const size_t core = result.core.size();
  if (output.size() < core ||
      std::ranges::equal(loopShape,
                         std::span(output).first(output.size() - core)))
    return;
  const NamedShape shapes[] = {{"", loopShape}, {"", loopPart(result, output)}};
  if (Expected<Extents> wider = broadcast(shapes))
    loopShape = std::move(*wider);
}
} // namespace

Expected<ShapeBinding> kern::runtime::bindShapes(
    const FunctionInfo &function, std::span<const Extents> inputs,
    std::span<const int64_t> dimValues,
    std::span<const std::optional<Extents>> outputs,
    const std::optional<Extents> &mask, const CallerShapes &caller,
    const std::optional<Extents> &asked) {
  Binder binder(function);
  auto givenOutput = [&](size_t i) -> const Extents & {
    return caller.outputs.empty() ? *outputs[i] : *caller.outputs[i];
  };
  auto shown = [&](size_t result, const Extents &shape) {
    return caller.results.empty() ? shape
                                  : toCaller(shape, caller.results[result]);
  };
  std::vector<NamedShape> loops;
  size_t input = 0, dim = 0;
  for (const OperandInfo &parameter : function.parameters)
    if (parameter.isDim)
      if (Status status = binder.bindDim(parameter, dimValues[dim++]); !status)
        return status.error();
  for (const OperandInfo &parameter : function.parameters) {
    if (parameter.isDim)
      continue;
    const Extents &given =
        caller.inputs.empty() ? inputs[input] : caller.inputs[input];
    const Extents &shape = inputs[input++];
    if (Status status = binder.bindCore(parameter, shape, given); !status)
      return status.error();
    loops.push_back({parameter.name, loopPart(parameter, shape)});
  }

  if (mask)
    loops.push_back({"where", *mask});
  const size_t askedCore = asked ? function.results[0].core.size() : 0;
  if (asked && asked->size() < askedCore)
    return binder.refuse(ErrorCode::core_dimensions_missing,
                         {"shape", counted(askedCore, "core dimension"),
                          function.coreSignature(), text(*asked)});
  if (asked)
    loops.push_back({"shape", loopPart(function.results[0], *asked)});

  ShapeBinding binding;
  Expected<Extents> loopShape = broadcast(loops);
  if (!loopShape) {
    Error error = loopShape.error().in(function.name);
    if (function.kind == FunctionKind::Gufunc)
      error.add(Addition::before_core_dimensions, {function.coreSignature()});
    return error;
  }
  binding.loopShape = std::move(*loopShape);
  for (size_t i = 0; i < function.results.size(); ++i)
    if (outputs[i])
      widen(binding.loopShape, function.results[i], *outputs[i]);
  input = 0;
  for (const OperandInfo &parameter : function.parameters) {
    if (parameter.isDim)
      continue;
    if (parameter.isInout && loops[input].shape != binding.loopShape)
      return binder.refuse(
          ErrorCode::written_shape,
          {parameter.name, text(loops[input].shape), text(binding.loopShape)});
    ++input;
  }

  // `out` arrays set the dimensions that only results name.
  for (size_t i = 0; i < function.results.size(); ++i) {
    const OperandInfo &result = function.results[i];
    const bool isAsked = i == 0 && asked;
    if (!outputs[i] && !isAsked)
      continue;
    const Extents &shape = isAsked ? *asked : *outputs[i];
    size_t core = result.core.size();
    if (shape.size() != binding.loopShape.size() + core)
      continue; // rejected below, with the expected shape
    for (size_t k = 0; k < core; ++k) {
      const DimExpr &expr = result.core[k];
      const std::optional<std::string> name = nameOf(expr);
      if (!name || binder.valueOf(*name))
        continue;
      OperandInfo one = result;
      one.core = {expr};
      Extents extent = {shape[binding.loopShape.size() + k]};
      if (Status status =
              binder.bindCore(one, extent, isAsked ? *asked : givenOutput(i));
          !status)
        return status.error();
    }
  }

  for (size_t i = 0; i < function.results.size(); ++i) {
    const OperandInfo &result = function.results[i];
    Extents shape = binding.loopShape;
    for (const DimExpr &expr : result.core) {
      Expected<int64_t> value = binder.valueOf(expr);
      if (!value) {
        bool undecided = std::ranges::any_of(
            namesIn(expr), [&](const auto &n) { return !binder.valueOf(n); });
        if (undecided)
          return binder.refuse(ErrorCode::result_dimension_undecided,
                               {text(expr), result.name});
        return value.error();
      }
      if (*value < 0)
        return binder.refuse(
            ErrorCode::result_dimension_negative,
            {text(expr), result.name.empty() ? "" : " `" + result.name + "`",
             *value, binder.values()});
      shape.push_back(*value);
    }
    std::string label = "result " + std::to_string(i + 1);
    if (!result.name.empty())
      label += " (`" + result.name + "`)";
    if (i == 0 && asked && *asked != shape)
      return binder.refuse(ErrorCode::shape_differs,
                           {text(*asked), text(shape)});
    if (outputs[i] && *outputs[i] != shape)
      return binder.refuse(
          ErrorCode::output_shape,
          {label, text(givenOutput(i)), text(shown(i, shape))});
    if (!checkedCount(shape))
      return binder.refuse(ErrorCode::result_too_large,
                           {label, text(shown(i, shape))});
    if (shape.size() > size_t(maxDimensions))
      return binder.refuse(ErrorCode::result_rank, {label, maxDimensions});
    binding.results.push_back(std::move(shape));
  }
  for (const std::string &name : function.dims) {
    std::optional<int64_t> value = binder.valueOf(name);
    if (!value)
      return binder.refuse(ErrorCode::dimension_undecided, {name});
    binding.dims.push_back(*value);
  }
  return binding;
}
