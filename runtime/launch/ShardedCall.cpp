//===- ShardedCall.cpp - calls over parts ---------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/launch/ShardedCall.h"

#include "runtime/error/LastError.h"
#include "runtime/launch/Arguments.h"
#include "runtime/launch/Call.h"
#include "runtime/launch/NamedArguments.h"
#include "runtime/plan/Shards.h"

#include <algorithm>

using namespace kern::runtime;

namespace {
/// The options that say where a call runs, or that speak of axes and arrays of
/// the whole.
Status checkOptions(const kern_call_request *options) {
  if (!options)
    return {};
  for (auto [isSet, name] :
       {std::pair(options->call.has_device != 0, "device"),
        std::pair(options->call.stream != nullptr, "stream"),
        std::pair(options->axis != nullptr, "axis"),
        std::pair(options->axes != nullptr, "axes"),
        std::pair(options->shape != nullptr, "shape"),
        std::pair(options->explanation != nullptr, "explanation"),
        std::pair(options->allocator != nullptr, "allocator"),
        std::pair(options->progress != nullptr, "progress")})
    if (isSet)
      return Error(ErrorCode::not_for_parts, {name});
  return {};
}

/// One call over parts, on each GPU in turn. One class, since what is known of
/// the operands is read for each GPU.
class PartCalls {
public:
  PartCalls(kern_function &function, std::span<const ShardedArgument> inputs,
            std::span<Sharded *const> outputs, const Sharded *mask,
            const kern_call_request *options)
      : function(function), info(*function.info), inputs(inputs),
        outputs(outputs), mask(mask), given(valuesOf(inputs)),
        complete(info, given) {
    if (options)
      asked = *options;
    wholeMask = asked.where;
    asked.sharded_where = nullptr;
    asked.call.size = sizeof asked;
    asked.call.has_device = 1;
  }

  /// Whether all operands can be combined, and on which GPUs.
  Status begin() {
    if (complete.get().size() != info.parameters.size())
      return wrongArgumentCount(info, inputs.size());
    const std::vector<Operand> sharded = all();
    const auto first = std::ranges::find_if(
        sharded, [](const Operand &one) { return !one.array->isReplicated(); });
    if (first != sharded.end())
      dealt = first->array;
    if (dealt)
      dealsRanges = dealt->shape().size() == first->coreRank + 1;
    std::vector<ShardedOperand> operands;
    for (size_t i = 0; i < inputs.size(); ++i)
      if (Status status = addInput(i, operands); !status)
        return status;
    for (size_t i = 0; i < outputs.size(); ++i)
      if (outputs[i])
        operands.push_back({labelOfOutput(i), outputs[i]->shape(),
                            info.results[i].core.size(),
                            !outputs[i]->isReplicated(), true});
    if (Status status = addMask(operands); !status)
      return status;
    if (Status status = checkShards(operands); !status)
      return status;
    gpus = dealt->gpus();
    for (const Operand &one : sharded)
      if (!one.array->isOn(gpus))
        return Error(ErrorCode::dealt_over_others, {one.label, first->label});
    results.resize(info.results.size());
    for (auto &parts : results)
      parts.reserve(gpus.size()); // what calls make is kept without allocation
    return {};
  }

  /// Enqueues the call on one GPU.
  Status callOn(size_t part, kern_call_report *report) {
    cuda::Context &gpu = *gpus[part];
    cuda::ContextScope scope(gpu);
    if (!scope.status)
      return scope.status;
    std::vector<ManagedArray> copies; // freed in the stream's order
    std::vector<kern_range> ranges(inputs.size());
    std::vector<kern_value> values(complete.get().begin(),
                                   complete.get().end());
    for (size_t i = 0; i < inputs.size(); ++i)
      if (inputs[i].sharded)
        values[i].as.array = &inputs[i].sharded->parts()[part].array->dl_tensor;
      else if (isDealtRange(i, values[i])) {
        ranges[i] = rangeOf(*values[i].as.range, part);
        values[i].as.range = &ranges[i];
      } else if (Status status = bring(values[i], i, part, copies); !status)
        return status;
    if (Status status = bringMask(part, copies); !status)
      return status;
    std::vector<const DLTensor *> places(info.results.size());
    for (size_t i = 0; i < outputs.size(); ++i)
      if (outputs[i])
        places[i] = &outputs[i]->parts()[part].array->dl_tensor;
    std::vector<DLManagedTensor *> made(info.results.size());
    asked.call.device = gpu.device();
    Status status = call(function, values, places, made.data(), &asked, report);
    for (size_t i = 0; i < made.size(); ++i)
      if (made[i])
        results[i].push_back({gpus[part], 0, ManagedArray(made[i])});
    return status;
  }

  size_t count() const { return gpus.size(); }
  DLDevice device(size_t part) const { return gpus[part]->device(); }

  /// The new arrays, once all parts are there.
  Expected<std::vector<std::unique_ptr<Sharded>>> take() {
    std::vector<std::unique_ptr<Sharded>> out(results.size());
    for (size_t i = 0; i < results.size(); ++i) {
      if (results[i].empty())
        continue;
      Expected<StridedView> view =
          viewOf(&results[i].front().array->dl_tensor, "the result");
      if (!view)
        return view.error();
      int64_t extent = 0;
      for (Sharded::Part &part : results[i]) {
        part.begin = extent;
        extent += part.array->dl_tensor.shape[0];
      }
      view->shape[0] = extent;
      out[i] = std::make_unique<Sharded>(view->dtype, view->shape,
                                         /*isReplicated=*/false,
                                         std::move(results[i]));
    }
    return out;
  }

private:
  static std::vector<kern_value>
  valuesOf(std::span<const ShardedArgument> inputs) {
    std::vector<kern_value> out;
    for (const ShardedArgument &input : inputs) {
      out.push_back(input.value);
      if (input.sharded) {
        out.back().kind = KERN_VALUE_ARRAY;
        out.back().as.array = &input.sharded->form();
      }
    }
    return out;
  }

  /// What is neither a number nor an array is left to the call.
  Status addInput(size_t i, std::vector<ShardedOperand> &operands) const {
    const OperandInfo &parameter = info.parameters[i];
    const std::string label = labelOfInput(i);
    const kern_value &value = given[i];
    if (const Sharded *sharded = inputs[i].sharded)
      operands.push_back({label, sharded->shape(), parameter.core.size(),
                          !sharded->isReplicated(), parameter.isInout});
    else if (rawValue(value.kind) == KERN_VALUE_ARRAY) {
      Expected<StridedView> view = viewOf(value.as.array, label);
      if (!view)
        return view.error();
      operands.push_back({label, view->shape, parameter.core.size(), false,
                          parameter.isInout});
    } else if (isDealtRange(i, value)) {
      operands.push_back({label, {countOf(*value.as.range)}, 0, true});
    }
    return {};
  }

  Status addMask(std::vector<ShardedOperand> &operands) const {
    if (mask)
      operands.push_back({maskLabel, mask->shape(), 0, !mask->isReplicated()});
    if (!wholeMask)
      return {};
    Expected<StridedView> view = viewOf(wholeMask, maskLabel);
    if (!view)
      return view.error();
    operands.push_back({maskLabel, view->shape});
    return {};
  }

  /// Whether each GPU has a part of a range: it lies along axis 0.
  bool isDealtRange(size_t i, const kern_value &value) const {
    return rawValue(value.kind) == KERN_VALUE_RANGE && dealsRanges &&
           info.parameters[i].core.empty() && value.as.range &&
           value.as.range->step != 0 && countOf(*value.as.range) != 1;
  }
  /// -1 for more than can be counted.
  static int64_t countOf(const kern_range &range) {
    return rangeLength(range.start, range.stop, range.step).value_or(-1);
  }
  /// The numbers of a range that go with a part.
  kern_range rangeOf(const kern_range &all, size_t part) const {
    const Sharded::Part &of = dealt->parts()[part];
    const int64_t count = of.array->dl_tensor.shape[0];
    if (count == 0)
      return {all.start, all.start, all.step};
    const bool isLast = of.begin + count == dealt->shape()[0];
    const int64_t first = all.start + of.begin * all.step;
    return {first, isLast ? all.stop : first + count * all.step, all.step};
  }

  struct Operand {
    const Sharded *array;
    std::string label;
    size_t coreRank;
  };
  std::vector<Operand> all() const {
    std::vector<Operand> out;
    for (size_t i = 0; i < inputs.size(); ++i)
      if (inputs[i].sharded)
        out.push_back({inputs[i].sharded, labelOfInput(i),
                       info.parameters[i].core.size()});
    for (size_t i = 0; i < outputs.size(); ++i)
      if (outputs[i])
        out.push_back(
            {outputs[i], labelOfOutput(i), info.results[i].core.size()});
    if (mask)
      out.push_back({mask, maskLabel, 0});
    return out;
  }

  static constexpr const char *maskLabel = "`where`";
  std::string labelOfInput(size_t i) const {
    return "argument " + std::to_string(i + 1) + " (`" +
           info.parameters[i].name + "`)";
  }
  static std::string labelOfOutput(size_t i) {
    return "the array for result " + std::to_string(i + 1);
  }

  /// What a call on this GPU takes for an array that is not in parts. Host
  /// arrays without dimensions are numbers.
  Status bring(kern_value &value, size_t i, size_t part,
               std::vector<ManagedArray> &copies) const {
    if (rawValue(value.kind) != KERN_VALUE_ARRAY ||
        (isHost(value.as.array->device) && value.as.array->ndim == 0))
      return {};
    Expected<const DLTensor *> there =
        bringTo(gpus[part], value.as.array, labelOfInput(i), copies);
    if (!there)
      return there.error();
    value.as.array = *there;
    return {};
  }

  /// Sets the mask of the call on one GPU.
  Status bringMask(size_t part, std::vector<ManagedArray> &copies) {
    if (mask)
      asked.where = &mask->parts()[part].array->dl_tensor;
    if (mask || !wholeMask)
      return {};
    Expected<const DLTensor *> there =
        bringTo(gpus[part], wholeMask, maskLabel, copies);
    if (!there)
      return there.error();
    asked.where = *there;
    return {};
  }

  kern_function &function;
  const FunctionInfo &info;
  std::span<const ShardedArgument> inputs;
  std::span<Sharded *const> outputs;
  const Sharded *mask;                 ///< NULL: none, or `wholeMask`
  const DLTensor *wholeMask = nullptr; ///< the same on each GPU
  std::vector<kern_value> given;       ///< with the forms of what is in parts
  CompleteArguments complete;
  kern_call_request asked = {};
  const Sharded *dealt = nullptr; ///< the first of those that are
  bool dealsRanges = false;
  Gpus gpus;
  std::vector<std::vector<Sharded::Part>> results;
};
} // namespace

Expected<std::vector<std::unique_ptr<Sharded>>> kern::runtime::callSharded(
    kern_function &function, std::span<const ShardedArgument> inputs,
    std::span<Sharded *const> outputs, const Sharded *mask,
    const kern_call_request *options, kern_call_report *report) {
  const std::string &name = function.info->name;
  if (Status status = checkOptions(options); !status)
    return status.error().in(name);
  PartCalls calls(function, inputs, outputs, mask, options);
  if (Status status = calls.begin(); !status)
    return status.error().in(name);
  int64_t elements = 0;
  for (size_t part = 0; part < calls.count(); ++part) {
    kern_call_report one = {};
    if (Status status = calls.callOn(part, &one); !status)
      return status.error().add(Addition::of_part, {text(calls.device(part))});
    elements += one.elements;
    if (report && part == 0)
      *report = one;
  }
  if (report)
    report->elements = elements;
  return calls.take();
}
