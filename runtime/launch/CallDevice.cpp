//===- CallDevice.cpp - where a call runs and why -------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/launch/CallDevice.h"
#include "runtime/device/cuda/Platform.h"
#include "runtime/error/LastError.h"

using namespace kern::runtime;

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
      return Error(ErrorCode::arrays_on_two_devices,
                   {giver, text(*device), label, text(view.device)})
          .in(function.name);
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

Expected<CallDevice> kern::runtime::chooseDevice(
    const FunctionInfo &function, const Arguments &arguments,
    std::span<const std::optional<StridedView>> outputs,
    const std::optional<StridedView> &mask, const kern_call_options *options,
    const Manifest &code) {
  CallDevice place;
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
    return Error(ErrorCode::arrays_on_other_device,
                 {text(*ofArrays), text(options->device)})
        .in(function.name);
  DLDevice device = hasDevice  ? options->device
                    : ofArrays ? *ofArrays
                    : code.target.kind == "host"
                        ? hostDevice()
                        : cuda::Platform::current()->defaultDevice();
  if (isHost(device))
    return place;
  if (int(rawValue(device.device_type)) != kDLCUDA)
    return Error(ErrorCode::cannot_run_on_device,
                 {int(rawValue(device.device_type))})
        .in(function.name);
  Expected<std::shared_ptr<cuda::Context>> context =
      cuda::Platform::current()->context(device.device_id);
  if (!context)
    return context.error().in(function.name);
  place.context = std::move(*context);
  return place;
}
