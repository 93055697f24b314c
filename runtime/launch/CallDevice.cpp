//===- CallDevice.cpp - where a call runs and why -------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/launch/CallDevice.h"
#include "runtime/device/cuda/Platform.h"
#include "runtime/error/LastError.h"
#include "runtime/launch/DefaultDevice.h"

#include <iterator>

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
  const bool hasDevice = options && options->has_device;
  Expected<std::optional<DLDevice>> found =
      deviceOfArrays(function, arguments, outputs, mask);
  if (!found)
    return found.error();
  const bool isOnGpu = *found && !isHost(**found);
  place.resultsOnHost = !isOnGpu;
  if (options)
    place.stream = static_cast<CUstream>(options->stream);
  const bool isForGpu = code.target.kind == TargetKind::Cuda;
  const auto platform = [] { return cuda::Platform::current(); };
  // A thread's scope comes before the code's target, KERN_DEVICE after it.
  Expected<DLDevice> asked = hasDevice ? Expected(options->device)
                             : isOnGpu ? Expected(**found)
                             : isForGpu && !scopedDevice()
                                 ? Expected(platform()->firstDevice())
                                 : defaultDevice();
  if (!asked)
    return asked.error().in(function.name);
  DLDevice device = *asked;
  if (isAsked(device, KERN_AUTO)) {
    const DLDevice first = platform()->firstDevice();
    device = isOnGpu ? **found : isForGpu ? first : hostDevice();
    // Code that is made on demand can be made for both.
    if (!isOnGpu && *found && !code.target.kind && !isHost(first)) {
      auto candidate = platform()->context(first.device_id);
      if (!candidate)
        return candidate.error().in(function.name);
      place.candidate = std::move(*candidate);
    }
  }
  if (isOnGpu && !sameDevice(device, **found))
    return Error(ErrorCode::arrays_on_other_device,
                 {text(**found), text(device)})
        .in(function.name);
  if (isHost(device))
    return place;
  if (int(rawValue(device.device_type)) != kDLCUDA)
    return Error(ErrorCode::cannot_run_on_device,
                 {int(rawValue(device.device_type))})
        .in(function.name);
  if (isAsked(device, KERN_ALL_GPUS)) {
    auto all = platform()->all();
    if (!all)
      return all.error().in(function.name);
    place.context = std::move(all->front());
    place.others.assign(std::make_move_iterator(all->begin() + 1),
                        std::make_move_iterator(all->end()));
    return place;
  }
  Expected<std::shared_ptr<cuda::Context>> context =
      platform()->context(device.device_id);
  if (!context)
    return context.error().in(function.name);
  place.context = std::move(*context);
  return place;
}
