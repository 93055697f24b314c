//===- Call.cpp - the whole of a call -------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The way of a call: look for its plan; else gather the arguments, decide where
// it runs, resolve the loop, bind the shapes, plan and run, or execute step by
// step what cannot be planned.
//
//===----------------------------------------------------------------------===//

#include "runtime/launch/Call.h"
#include "runtime/device/cuda/Platform.h"
#include "runtime/launch/CallKey.h"
#include "runtime/launch/CudaSpace.h"
#include "runtime/launch/Execute.h"
#include "runtime/launch/HostSpace.h"

#include <cstring>

using namespace kern;

namespace {
using Outputs = std::vector<std::optional<StridedView>>;

/// Where a call runs and where its new results go.
struct Place {
  std::shared_ptr<cuda::Context> context; ///< NULL: the host
  CUstream stream = nullptr;
  bool resultsOnHost = true;
};

Error inFunction(const FunctionInfo &function, Error error) {
  error.message = "`" + function.name + "`: " + error.message;
  return error;
}

Expected<Outputs> gatherOutputs(const FunctionInfo &function,
                                std::span<const DLTensor *const> tensors) {
  Outputs outputs(function.results.size());
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (!tensors[i])
      continue;
    Expected<StridedView> view =
        viewOf(tensors[i], "the array for result " + std::to_string(i + 1));
    if (!view)
      return inFunction(function, view.error());
    outputs[i] = std::move(*view);
  }
  return outputs;
}

/// The device on which the arrays live, if any is on one.
Expected<std::optional<DLDevice>> deviceOfArrays(const FunctionInfo &function,
                                                 const Arguments &arguments,
                                                 const Outputs &outputs) {
  std::optional<DLDevice> device;
  std::string giver;
  auto meet = [&](const StridedView &view, std::string label) -> Status {
    if (isHost(view.device))
      return {};
    if (device && !sameDevice(*device, view.device))
      return inFunction(function, {KERN_ERROR_ARGUMENT,
                                   giver + " is on " + text(*device) + " and " +
                                       label + " on " + text(view.device) +
                                       "; copy one to the other's device"});
    if (!device)
      giver = std::move(label);
    device = view.device;
    return {};
  };
  for (const Argument &argument : arguments.operands)
    if (argument.isArray)
      if (Status status = meet(argument.view, describe(argument)); !status)
        return status.error();
  for (size_t i = 0; i < outputs.size(); ++i)
    if (outputs[i])
      if (Status status = meet(*outputs[i],
                               "the array for result " + std::to_string(i + 1));
          !status)
        return status.error();
  return device;
}

Expected<Place> choosePlace(const FunctionInfo &function,
                            const Arguments &arguments, const Outputs &outputs,
                            const kern_call_options *options) {
  Place place;
  bool hasDevice = options && options->has_device;
  Expected<std::optional<DLDevice>> found =
      deviceOfArrays(function, arguments, outputs);
  if (!found)
    return found.error();
  std::optional<DLDevice> ofArrays = *found;
  if (options)
    place.stream = static_cast<CUstream>(options->stream);
  for (const Argument &argument : arguments.operands)
    if (argument.isArray && !isHost(argument.view.device))
      place.resultsOnHost = false;
  if (hasDevice && ofArrays && !sameDevice(options->device, *ofArrays))
    return inFunction(function, {KERN_ERROR_ARGUMENT,
                                 "the arrays are on " + text(*ofArrays) +
                                     ", but the call was asked to run on " +
                                     text(options->device)});
  DLDevice device = hasDevice  ? options->device
                    : ofArrays ? *ofArrays
                               : cuda::Platform::current()->defaultDevice();
  if (isHost(device))
    return place;
  if (device.device_type != kDLCUDA)
    return inFunction(function, {KERN_ERROR_ARGUMENT,
                                 "cannot run on a device of DLPack type " +
                                     std::to_string(device.device_type)});
  Expected<std::shared_ptr<cuda::Context>> context =
      cuda::Platform::current()->context(device.device_id);
  if (!context)
    return inFunction(function, context.error());
  place.context = std::move(*context);
  return place;
}

/// Results convert to the types of their `out` arrays under `same_kind`.
Status checkCasts(const FunctionInfo &function, const LoopInfo &loop,
                  const Arguments &arguments, const Outputs &outputs) {
  auto refuse = [&](DType from, DType to, std::string what) {
    return inFunction(function,
                      {KERN_ERROR_TYPE, "cannot cast " + what + " from " +
                                            std::string(name(from)) + " to " +
                                            std::string(name(to)) +
                                            " under the rule 'same_kind'"});
  };
  for (size_t i = 0; i < outputs.size(); ++i)
    if (outputs[i] && !canCastSameKind(loop.outputs[i], outputs[i]->dtype))
      return refuse(loop.outputs[i], outputs[i]->dtype,
                    "result " + std::to_string(i + 1));
  for (size_t i = 0; i < arguments.operands.size(); ++i) {
    const Argument &argument = arguments.operands[i];
    DType type = loop.inputs[i].carrier();
    if (argument.parameter->isInout &&
        !canCastSameKind(type, argument.view.dtype))
      return refuse(type, argument.view.dtype,
                    "what is written to " + describe(argument));
  }
  return {};
}

/// A weak integer must fit the types that it meets in a generic function.
Status checkRanges(const FunctionInfo &function, const LoopInfo &loop,
                   const Arguments &arguments) {
  for (size_t i = 0; i < loop.meets.size(); ++i)
    for (unsigned type = 0; type < dtypeCount; ++type)
      if (loop.meets[i].contains(DType(type)))
        if (Expected<Value> value =
                valueAs(arguments.operands[i], ArgType::typed(DType(type)));
            !value)
          return inFunction(function, value.error());
  return {};
}

/// A call after all that comes before its execution.
struct Bound {
  Arguments arguments;
  Outputs outputs;
  Place place;
  BoundCall call; ///< refers to the arguments and outputs
};

Expected<Bound> bindCall(kern_function &function,
                         std::span<const kern_value> inputs,
                         std::span<const DLTensor *const> tensors,
                         const kern_call_options *options) {
  const FunctionInfo &info = *function.info;
  Bound bound;
  Expected<Arguments> arguments = gatherArguments(info, inputs);
  if (!arguments)
    return arguments.error();
  bound.arguments = std::move(*arguments);
  Expected<Outputs> outputs = gatherOutputs(info, tensors);
  if (!outputs)
    return outputs.error();
  bound.outputs = std::move(*outputs);
  Expected<Place> place =
      choosePlace(info, bound.arguments, bound.outputs, options);
  if (!place)
    return place.error();
  bound.place = std::move(*place);

  std::vector<ResolveArgument> types;
  std::vector<Extents> shapes;
  for (const Argument &argument : bound.arguments.operands) {
    ResolveArgument type = {argument.type, 0};
    if (argument.type.form == ArgType::Form::WeakInt)
      std::memcpy(&type.integer, argument.value.data(), sizeof type.integer);
    types.push_back(type);
    shapes.push_back(argument.view.shape);
  }
  Expected<std::shared_ptr<Loop>> loop = function.loopFor(types);
  if (!loop)
    return loop.error();
  const LoopInfo &loopInfo = (*loop)->info();
  if (loopInfo.inputs.size() != bound.arguments.operands.size() ||
      loopInfo.outputs.size() != bound.outputs.size())
    return inFunction(info, {KERN_ERROR_INTERNAL,
                             "the loop " + text(loopInfo) +
                                 " has not as many operands as the function"});
  if (Status status =
          checkCasts(info, loopInfo, bound.arguments, bound.outputs);
      !status)
    return status.error();
  if (Status status = checkRanges(info, loopInfo, bound.arguments); !status)
    return status.error();

  std::vector<std::optional<Extents>> outputShapes;
  for (const std::optional<StridedView> &output : bound.outputs)
    outputShapes.push_back(output ? std::optional(output->shape)
                                  : std::nullopt);
  Expected<ShapeBinding> binding =
      bindShapes(info, shapes, bound.arguments.dims, outputShapes);
  if (!binding)
    return binding.error();

  bound.call.function = &info;
  bound.call.loop = std::move(*loop);
  bound.call.arguments = bound.arguments.operands;
  bound.call.outputs = bound.outputs;
  bound.call.shapes = std::move(*binding);
  bound.call.resultsOnHost = bound.place.resultsOnHost;
  return bound;
}

/// Runs `body` with the space of a place.
template <typename Body> auto inSpace(const Place &place, Body body) {
  if (!place.context) {
    HostSpace space;
    return body(space);
  }
  CudaSpace space(place.context, place.stream);
  return body(space);
}

CUstream streamOf(const kern_call_options *options) {
  return options ? static_cast<CUstream>(options->stream) : nullptr;
}

/// Makes a call whose plan is known, and gives its results away.
Status runPlan(const CallPlan &plan, CallOperands &given, CUstream stream,
               DLManagedTensor **results, kern_call_report *report) {
  if (plan.newResults.empty())
    return plan.run(given, stream, {}, report);
  std::array<ManagedArray, CallOperands::most> made;
  if (Status status = plan.run(given, stream, made, report); !status)
    return status;
  for (size_t i = 0; i < plan.newResults.size(); ++i) {
    const CallPlan::NewResult &result = plan.newResults[i];
    results[plan.operands[result.operand].index] = made[i].release();
  }
  return {};
}
} // namespace

Status kern::call(kern_function &function, std::span<const kern_value> inputs,
                  std::span<const DLTensor *const> outputs,
                  DLManagedTensor **results, const kern_call_options *options,
                  kern_call_report *report) {
  CallOperands given;
  CallKey key;
  const DLTensor *const *tensors = outputs.empty() ? nullptr : outputs.data();
  bool hasKey = key.build(*function.info, inputs, tensors, options,
                          cuda::Platform::generation());
  uint64_t hash = hasKey ? key.hash() : 0;
  if (hasKey) {
    PlanTable::Reader reader(function.plans);
    const CallPlan *known =
        reader.find(hash, key.words(), [&](const CallPlan &plan) {
          plan.gather(inputs.data(), tensors, given);
          return !plan.brokenBy(given);
        });
    if (known)
      return runPlan(*known, given, streamOf(options), results, report);
  }

  Expected<Bound> bound = bindCall(function, inputs, outputs, options);
  if (!bound)
    return bound.error();
  Expected<PlannedCall> planned = inSpace(bound->place, [&](Space &space) {
    return planCall(bound->call, space, bound->place.context);
  });
  if (!planned)
    return planned.error();
  if (const CallPlan *plan = planned->plan.get()) {
    if (hasKey)
      function.plans.insert(
          {hash, {key.words().begin(), key.words().end()}, planned->plan});
    plan->gather(inputs.data(), tensors, given);
    return runPlan(*plan, given, streamOf(options), results, report);
  }
  kern_call_report filled = {};
  auto arrays = inSpace(bound->place, [&](Space &space) {
    return execute(bound->call, space, filled);
  });
  if (!arrays)
    return arrays.error();
  for (size_t i = 0; i < arrays->size(); ++i)
    if ((*arrays)[i])
      results[i] = (*arrays)[i].release();
  if (report)
    *report = filled;
  return {};
}

Expected<PlannedCall>
kern::prepareCall(kern_function &function, std::span<const kern_value> inputs,
                  std::span<const DLTensor *const> outputs,
                  const kern_call_options *options) {
  Expected<Bound> bound = bindCall(function, inputs, outputs, options);
  if (!bound)
    return bound.error();
  return inSpace(bound->place, [&](Space &space) {
    return planCall(bound->call, space, bound->place.context);
  });
}
