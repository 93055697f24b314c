//===- Bind.cpp - the binding of a call, before its execution -------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/launch/Bind.h"
#include "runtime/device/cuda/CallOrder.h"
#include "runtime/error/LastError.h"
#include "runtime/space/CudaSpace.h"
#include "runtime/space/HostSpace.h"

#include <algorithm>
#include <cstring>

using namespace kern::runtime;

namespace {
using Outputs = std::vector<std::optional<StridedView>>;

Expected<Outputs> gatherOutputs(const FunctionInfo &function,
                                std::span<const DLTensor *const> tensors) {
  Outputs outputs(function.results.size());
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (!tensors[i])
      continue;
    Expected<StridedView> view =
        viewOf(tensors[i], "the array for result " + std::to_string(i + 1));
    if (!view)
      return view.error().in(function.name);
    outputs[i] = std::move(*view);
  }
  return outputs;
}

Expected<std::optional<StridedView>>
gatherMask(const FunctionInfo &function, const kern_call_request &options) {
  if (!options.where)
    return std::optional<StridedView>();
  if (function.kind != FunctionKind::Ufunc)
    return Error(ErrorCode::where_of_gufunc).in(function.name);
  Expected<StridedView> view = viewOf(options.where, "`where`");
  if (!view)
    return view.error().in(function.name);
  if (view->dtype != DType::Bool)
    return Error(ErrorCode::where_type, {name(view->dtype)}).in(function.name);
  return std::optional(std::move(*view));
}

Expected<LoopRequest> readRequest(const FunctionInfo &function,
                                  const kern_call_request &options) {
  auto refuse = [&](std::string_view what, unsigned number) {
    return Error(ErrorCode::unknown_option, {what, number}).in(function.name);
  };
  LoopRequest request;
  unsigned casting = rawValue(options.casting);
  if (casting > KERN_CASTING_UNSAFE)
    return refuse("casting", casting);
  if (casting != KERN_CASTING_DEFAULT)
    request.casting = Casting(casting - KERN_CASTING_NO);
  if (rawValue(options.order) > KERN_ORDER_A)
    return refuse("order", rawValue(options.order));
  if (options.has_dtype && options.signature)
    return Error(ErrorCode::dtype_and_signature).in(function.name);
  if (options.has_dtype) {
    if (rawValue(options.dtype) >= dtypeCount)
      return refuse("type", rawValue(options.dtype));
    request.dtype = DType(options.dtype);
  }
  if (!options.signature)
    return request;
  size_t inputs = function.parameters.size();
  for (size_t i = 0; i < inputs + function.results.size(); ++i) {
    if (i < inputs && function.parameters[i].isDim)
      continue;
    int type = options.signature[i];
    if (type != KERN_ANY_DTYPE && unsigned(type) >= dtypeCount)
      return refuse("type", unsigned(type));
    request.signature.push_back(
        type == KERN_ANY_DTYPE ? std::nullopt : std::optional(DType(type)));
  }
  return request;
}

/// Checks the casts of arguments to a requested loop, and of results to their
/// `out` arrays.
Status checkCasts(const FunctionInfo &function, const LoopInfo &loop,
                  const Arguments &arguments, const Outputs &outputs,
                  const LoopRequest &request) {
  auto check = [&](DType from, DType to, const std::string &what) -> Status {
    if (canCast(from, to, request.casting))
      return {};
    return Error(ErrorCode::cannot_cast,
                 {what, name(from), name(to), name(request.casting)})
        .in(function.name);
  };
  for (size_t i = 0; i < outputs.size(); ++i) {
    std::string label = "result " + std::to_string(i + 1);
    std::optional<DType> wanted = request.wanted(arguments.operands.size() + i);
    if (!wanted)
      wanted = request.dtype;
    if (wanted && *wanted != loop.outputs[i])
      return Error(ErrorCode::result_type,
                   {label, name(loop.outputs[i]), name(*wanted)})
          .in(function.name);
    if (outputs[i])
      if (Status status = check(loop.outputs[i], outputs[i]->dtype, label);
          !status)
        return status;
  }
  for (size_t i = 0; i < arguments.operands.size(); ++i) {
    const Argument &argument = arguments.operands[i];
    DType type = loop.inputs[i].carrier();
    // A number follows the loop, but `dtype` makes no integer of a float.
    const DType own = argument.type.carrier();
    const bool follows =
        argument.type.isWeak() &&
        (!request.dtype || (isInteger(own) && isInteger(type)) ||
         canCast(own, type, Casting::SameKind));
    if (!follows)
      if (Status status = check(own, type, describe(argument)); !status)
        return status;
    if (argument.parameter->isInout)
      if (Status status = check(type, argument.view.dtype,
                                "what is written to " + describe(argument));
          !status)
        return status;
  }
  return {};
}

/// In a generic function, a weak integer must fit the types to which it is
/// converted.
Status checkRanges(const FunctionInfo &function, const LoopInfo &loop,
                   const Arguments &arguments) {
  for (size_t i = 0; i < loop.meets.size(); ++i)
    for (unsigned type = 0; type < dtypeCount; ++type)
      if (loop.meets[i].contains(DType(type)))
        if (Expected<Value> value =
                valueAs(arguments.operands[i], ArgType::typed(DType(type)));
            !value)
          return value.error().in(function.name);
  return {};
}

/// Merges the core axes of an argument into one, through a copy if their
/// strides do not allow it.
Status mergeAxes(const FunctionInfo &function, Argument &argument,
                 const AxisMap &map, Purpose purpose, BoundArguments &bound) {
  if (std::optional<StridedView> view = toKernel(argument.view, map)) {
    argument.view = std::move(*view);
    return {};
  }
  if (argument.parameter->isInout)
    return Error(ErrorCode::axes_not_mergeable, {describe(argument)})
        .in(function.name);
  StridedView ordered = orderedAxes(argument.view, map);
  StridedView packed = ordered;
  packed.strides = contiguousStrides(ordered.shape, itemSize(ordered.dtype));
  auto copy = [&](Space &space) -> Status {
    auto memory =
        memoryFor(ordered, [&](size_t bytes) { return space.allocate(bytes); });
    if (!memory)
      return memory.error();
    packed.data = memory->data();
    packed.device = space.device();
    bound.owners.push_back(std::move(*memory));
    return space.copy(packed, ordered);
  };
  Status status;
  if (purpose == Purpose::Resolve) {
    // Its shape and strides are enough.
  } else if (isHost(ordered.device)) {
    HostSpace space;
    status = copy(space);
  } else {
    CudaSpace space(bound.device.context, bound.device.stream);
    cuda::CallOrder order(*bound.device.context, bound.device.stream);
    status = order.begin();
    if (status)
      status = order.use(ordered.data, /*isWritten=*/false);
    if (status)
      status = copy(space);
  }
  if (!status)
    return status.error().in(function.name);
  bound.call.obstacle = {ObstacleKind::merged_axes, {describe(argument)}};
  AxisMap merged;
  merged.isMerged = true;
  for (size_t i = packed.rank() - map.core.size(); i < packed.rank(); ++i)
    merged.core.push_back(i);
  argument.view = *toKernel(packed, merged);
  return {};
}

/// Turns a number into an array of one element, for a parameter that lacks all
/// its core dimensions.
void arrayOfNumber(Argument &argument, BoundArguments &bound) {
  auto memory = std::make_shared<Value>(argument.value);
  argument.isScalar = false;
  argument.isArray = true;
  argument.view.dtype = argument.type.carrier();
  argument.view.data = memory->data();
  argument.view.device = {kDLCPU, 0};
  bound.owners.emplace_back(std::shared_ptr<std::byte>(memory, memory->data()));
  bound.call.obstacle = {ObstacleKind::number_for_array, {describe(argument)}};
}

/// Turns the ranges of a call into arrays where its kernel reads them from
/// memory: those of a gufunc, and on a GPU of a compiled file.
Status placeRanges(kern_function &function, BoundArguments &bound) {
  const FunctionInfo &info = *function.info;
  const bool computes =
      info.kind == FunctionKind::Ufunc &&
      (!bound.device.context || function.module->source->makesVariants());
  for (Argument &argument : bound.arguments.operands) {
    if (!argument.range || computes)
      continue;
    Expected<Buffer> memory = toArray(argument);
    if (!memory)
      return memory.error().in(info.name);
    bound.owners.push_back(std::move(*memory));
    bound.call.obstacle = {ObstacleKind::range_in_memory, {describe(argument)}};
  }
  return {};
}

/// The shape that the call asks for.
Expected<std::optional<Extents>> gatherShape(const FunctionInfo &function,
                                             const kern_call_request &options) {
  if (!options.shape)
    return std::optional<Extents>();
  if (options.shape_ndim < 0 || options.shape_ndim > maxDimensions)
    return Error(ErrorCode::shape_rank, {options.shape_ndim, maxDimensions})
        .in(function.name);
  if (function.results.empty())
    return Error(ErrorCode::shape_of_nothing).in(function.name);
  if (options.axis || options.axes || options.keepdims)
    return Error(ErrorCode::shape_with_axes).in(function.name);
  Extents shape(options.shape, options.shape + options.shape_ndim);
  if (std::ranges::any_of(shape, [](int64_t extent) { return extent < 0; }))
    return Error(ErrorCode::array_extent_negative, {"`shape`", text(shape)})
        .in(function.name);
  if (!checkedCount(shape))
    return Error(ErrorCode::array_too_large, {"`shape`", text(shape)})
        .in(function.name);
  return std::optional(std::move(shape));
}

/// Rearranges the arrays as the kernel sees them.
Status arrange(const FunctionInfo &function, const kern_call_request &options,
               Purpose purpose, BoundArguments &bound) {
  std::vector<size_t> inputs;
  std::vector<std::optional<size_t>> outputs;
  for (const Argument &argument : bound.arguments.operands)
    inputs.push_back(argument.view.rank());
  for (const auto &output : bound.outputs)
    outputs.push_back(output ? std::optional(output->rank()) : std::nullopt);
  AxisRequest request = {options.axis, options.axes, options.axes_count,
                         options.keepdims != 0};
  const std::vector<std::string> missing =
      missingDimensions(function, inputs, outputs);
  auto maps = arrangeAxes(function, request, inputs, outputs, missing);
  if (!maps)
    return maps.error();
  if (maps->empty())
    return {};
  for (Argument &argument : bound.arguments.operands)
    if (argument.isScalar && !argument.parameter->core.empty() &&
        !missing.empty())
      arrayOfNumber(argument, bound);
  for (size_t i = 0; i < inputs.size(); ++i)
    if (Status status = mergeAxes(function, bound.arguments.operands[i],
                                  (*maps)[i], purpose, bound);
        !status)
      return status;
  bound.call.resultAxes.assign(maps->begin() + long(inputs.size()),
                               maps->end());
  for (size_t i = 0; i < outputs.size(); ++i) {
    std::optional<StridedView> &output = bound.outputs[i];
    const AxisMap &map = bound.call.resultAxes[i];
    if (!output)
      continue;
    for (size_t axis : map.core)
      if (map.isKept && output->shape[axis] != 1)
        return Error(ErrorCode::kept_axis_extent,
                     {i + 1, text(output->shape), axis})
            .in(function.name);
    output = toKernel(*output, map);
  }
  return {};
}
} // namespace

Expected<BoundArguments>
kern::runtime::bindCall(kern_function &function,
                        std::span<const kern_value> inputs,
                        std::span<const DLTensor *const> tensors,
                        const kern_call_request *given, Purpose purpose) {
  const FunctionInfo &info = *function.info;
  const kern_call_request options = given ? *given : kern_call_request();
  BoundArguments bound;
  Expected<Arguments> arguments = gatherArguments(info, inputs);
  if (!arguments)
    return arguments.error();
  bound.arguments = std::move(*arguments);
  Expected<Outputs> outputs = gatherOutputs(info, tensors);
  if (!outputs)
    return outputs.error();
  bound.outputs = std::move(*outputs);
  Expected<std::optional<StridedView>> mask = gatherMask(info, options);
  if (!mask)
    return mask.error();
  Expected<LoopRequest> request = readRequest(info, options);
  if (!request)
    return request.error();
  if (purpose == Purpose::Run) {
    Expected<CallDevice> device = chooseDevice(
        info, bound.arguments, bound.outputs, *mask,
        given ? &given->call : nullptr, function.module->source->manifest());
    if (!device)
      return device.error();
    bound.device = std::move(*device);
  }
  Expected<std::optional<Extents>> shape = gatherShape(info, options);
  if (!shape)
    return shape.error();
  if (purpose == Purpose::Run)
    if (Status status = placeRanges(function, bound); !status)
      return status.error();
  auto outputShapes = [&bound] {
    std::vector<std::optional<Extents>> shapes;
    for (const std::optional<StridedView> &output : bound.outputs)
      shapes.push_back(output ? std::optional(output->shape) : std::nullopt);
    return shapes;
  };
  std::vector<Extents> givenInputs;
  for (const Argument &argument : bound.arguments.operands)
    givenInputs.push_back(argument.view.shape);
  const std::vector<std::optional<Extents>> givenOutputs = outputShapes();
  if (Status status = arrange(info, options, purpose, bound); !status)
    return status.error();

  std::vector<ArgType> types;
  std::vector<Extents> shapes;
  for (const Argument &argument : bound.arguments.operands) {
    types.push_back(argument.type);
    shapes.push_back(argument.view.shape);
  }
  Expected<std::shared_ptr<Loop>> loop = function.loopFor(types, *request);
  if (!loop)
    return loop.error();
  const LoopInfo &loopInfo = (*loop)->info();
  if (loopInfo.inputs.size() != bound.arguments.operands.size() ||
      loopInfo.outputs.size() != bound.outputs.size())
    return Error(ErrorCode::loop_operands, {text(loopInfo)}).in(info.name);
  if (Status status =
          checkCasts(info, loopInfo, bound.arguments, bound.outputs, *request);
      !status)
    return status.error();
  if (Status status = checkRanges(info, loopInfo, bound.arguments); !status)
    return status.error();

  Expected<ShapeBinding> binding =
      bindShapes(info, shapes, bound.arguments.dims, outputShapes(),
                 *mask ? std::optional((*mask)->shape) : std::nullopt,
                 {givenInputs, givenOutputs, bound.call.resultAxes}, *shape);
  if (!binding)
    return binding.error();

  bound.call.function = &info;
  bound.call.loop = std::move(*loop);
  bound.call.arguments = bound.arguments.operands;
  bound.call.outputs = bound.outputs;
  bound.call.shapes = std::move(*binding);
  bound.call.resultsOnHost = bound.device.resultsOnHost;
  bound.call.order = options.order;
  bound.call.allocator = options.allocator;
  bound.call.progress = options.progress;
  if (options.explanation && !bound.call.obstacle)
    bound.call.obstacle = ObstacleKind::explained;
  bound.call.mask = std::move(*mask);
  return bound;
}
