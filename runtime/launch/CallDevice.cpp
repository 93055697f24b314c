//===- CallDevice.cpp - where a call runs and why -------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/launch/CallDevice.h"
#include "runtime/device/cuda/Platform.h"
#include "runtime/error/LastError.h"
#include "runtime/launch/DeviceScope.h"

using namespace kern::runtime;

/// The device on which all arrays live; nothing if there are only numbers.
/// Host arrays without dimensions count as numbers.
static Expected<std::optional<DLDevice>>
deviceOfArrays(const FunctionInfo &function, const Arguments &arguments,
               std::span<const std::optional<StridedView>> outputs,
               const std::optional<StridedView> &mask) {
  std::optional<DLDevice> device;
  std::string giver;
  auto meet = [&](const StridedView &view, std::string label) -> Status {
    DLDevice place = isHost(view.device) ? hostDevice() : view.device;
    if (isHost(place) && view.rank() == 0)
      return {};
    if (device && !sameDevice(*device, place))
      return Error(ErrorCode::arrays_on_two_devices,
                   {giver, text(*device), label, text(place)})
          .in(function.name);
    if (!device)
      giver = std::move(label);
    device = place;
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
  const bool isOnGpu = *found && !isHost(**found);
  place.resultsOnHost = !isOnGpu;
  if (options)
    place.stream = static_cast<CUstream>(options->stream);
  if (hasDevice && isOnGpu && !sameDevice(options->device, **found))
    return Error(ErrorCode::arrays_on_other_device,
                 {text(**found), text(options->device)})
        .in(function.name);
  DLDevice device = hasDevice ? options->device
                    : isOnGpu ? **found
                    : code.target.kind == TargetKind::Cuda
                        ? cuda::Platform::current()->firstDevice()
                        : hostDevice();
  // A thread's scope comes before the code's target.
  if (!hasDevice && !isOnGpu && scopedDevice())
    device = defaultCallDevice();
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
