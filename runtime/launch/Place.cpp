//===- Place.cpp - where a call runs and why ------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/launch/Place.h"
#include "runtime/device/cuda/Platform.h"
#include "runtime/error/RawEnum.h"

using namespace kern;

Error kern::inFunction(const FunctionInfo &function, Error error) {
  error.message = "`" + function.name + "`: " + error.message;
  return error;
}

/// The device on which the arrays live, if any is on one.
static Expected<std::optional<DLDevice>>
deviceOfArrays(const FunctionInfo &function, const Arguments &arguments,
               std::span<const std::optional<StridedView>> outputs,
               const std::optional<StridedView> &mask) {
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
  if (mask)
    if (Status status = meet(*mask, "`where`"); !status)
      return status.error();
  return device;
}

Expected<Place>
kern::choosePlace(const FunctionInfo &function, const Arguments &arguments,
                  std::span<const std::optional<StridedView>> outputs,
                  const std::optional<StridedView> &mask,
                  const kern_call_options *options, const Manifest &code) {
  Place place;
  bool hasDevice = options && options->has_device;
  Expected<std::optional<DLDevice>> found =
      deviceOfArrays(function, arguments, outputs, mask);
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
                    : code.target.kind == "host"
                        ? hostDevice()
                        : cuda::Platform::current()->defaultDevice();
  if (isHost(device))
    return place;
  if (int(rawValue(device.device_type)) != kDLCUDA)
    return inFunction(function,
                      {KERN_ERROR_ARGUMENT,
                       "cannot run on a device of DLPack type " +
                           std::to_string(int(rawValue(device.device_type)))});
  Expected<std::shared_ptr<cuda::Context>> context =
      cuda::Platform::current()->context(device.device_id);
  if (!context)
    return inFunction(function, context.error());
  place.context = std::move(*context);
  return place;
}
