//===- CApiCalls.cpp - calls ----------------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/capi/SizedStruct.h"
#include "runtime/device/cuda/Platform.h"
#include "runtime/device/host/ThreadPool.h"
#include "runtime/error/LastError.h"
#include "runtime/launch/Arguments.h"
#include "runtime/launch/Call.h"
#include "runtime/launch/NamedArguments.h"

using namespace kern::runtime;

static constexpr size_t reportSizes[] = {sizeof(kern_call_report)};
static constexpr StructVersions reportVersions = {"kern_call_report",
                                                  reportSizes};

extern "C" kern_status kern_call(kern_function *function,
                                 const kern_value *inputs, size_t input_count,
                                 const DLTensor *const *outputs,
                                 DLManagedTensor **results, size_t output_count,
                                 const kern_call_options *options,
                                 kern_call_report *report) {
  return guarded([&]() -> Status {
    if (!function)
      return Error(ErrorCode::null_pointer, {"the function"});
    const FunctionInfo &info = *function->info;

    for (size_t i = 0; results && i < output_count; ++i)
      results[i] = nullptr;
    if (Status counts = checkCounts(info, inputs, input_count, output_count);
        !counts)
      return counts;

    Expected<std::optional<kern_call_request>> known = readOptions(options);
    if (!known)
      return known.error().in(info.name);
    bool hasPlaces = results || (*known && (*known)->allocator);
    for (size_t i = 0; i < output_count && !hasPlaces; ++i)
      if (!outputs || !outputs[i])
        return Error(ErrorCode::no_place_for_result, {i + 1}).in(info.name);
    std::optional<kern_call_report> filled;
    if (report) {
      if (Status status = checkSizedPlace(reportVersions, report); !status)
        return status.error().in(info.name);
      filled.emplace();
    }
    host::ThreadLimit limit(*known ? unsigned((*known)->threads) : 0);
    const CompleteArguments complete(info, std::span(inputs, input_count));
    Status status =
        call(*function, complete.get(),
             outputs ? std::span(outputs, output_count)
                     : std::span<const DLTensor *const>(),
             results, *known ? &**known : nullptr, filled ? &*filled : nullptr);
    if (filled && status)
      writeSized(reportVersions, &*filled, report);
    return status;
  });
}

extern "C" kern_status
kern_bind_arguments(const kern_function *function, const kern_value *positional,
                    size_t positional_count, const char *const *names,
                    const kern_value *named, size_t named_count,
                    kern_value *inputs, size_t input_count) {
  return guarded([&]() -> Status {
    if (!function)
      return Error(ErrorCode::null_pointer, {"the function"});
    const FunctionInfo &info = *function->info;
    if ((positional_count && !positional) ||
        (named_count && (!names || !named)))
      return Error(ErrorCode::null_pointers, {"the arguments"}).in(info.name);
    if (input_count != info.parameters.size())
      return wrongArgumentCount(info, input_count);
    if (input_count && !inputs)
      return Error(ErrorCode::null_pointer, {"the place for the arguments"})
          .in(info.name);
    std::vector<NamedArgument> byName;
    for (size_t i = 0; i < named_count; ++i) {
      if (!names[i])
        return Error(ErrorCode::null_pointer, {"the name of an argument"})
            .in(info.name);
      byName.push_back({names[i], named[i]});
    }
    return bindArguments(info, std::span(positional, positional_count), byName,
                         std::span(inputs, input_count));
  });
}

extern "C" kern_status kern_synchronize(kern_device device) {
  return guarded([&]() -> Status {
    if (isHost(device))
      return {};
    if (int(rawValue(device.device_type)) != kDLCUDA)
      return Error(ErrorCode::no_devices_of_type,
                   {int(rawValue(device.device_type))});
    Expected<std::shared_ptr<cuda::Context>> context =
        cuda::Platform::current()->context(device.device_id);
    if (!context)
      return context.error();
    return (*context)->synchronize();
  });
}
