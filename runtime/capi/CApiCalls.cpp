//===- CApiCalls.cpp - calls ----------------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/capi/CallOptions.h"
#include "runtime/capi/SizedStruct.h"
#include "runtime/device/cuda/Platform.h"
#include "runtime/error/LastError.h"
#include "runtime/error/RawEnum.h"
#include "runtime/launch/Arguments.h"
#include "runtime/launch/Call.h"

using namespace kern;

static constexpr size_t optionsSizes[] = {sizeof(kern_call_options),
                                          sizeof(kern_call_request)};
static constexpr StructVersions optionsVersions = {"kern_call_options",
                                                   optionsSizes};
static constexpr size_t reportSizes[] = {sizeof(kern_call_report)};
static constexpr StructVersions reportVersions = {"kern_call_report",
                                                  reportSizes};

Expected<std::optional<kern_call_request>>
kern::readOptions(const kern_call_options *given) {
  if (!given)
    return std::optional<kern_call_request>();
  kern_call_request options = {};
  if (Status status = readSized(optionsVersions, given, &options); !status)
    return status.error();
  return std::optional(options);
}

extern "C" kern_status kern_call(kern_function *function,
                                 const kern_value *inputs, size_t input_count,
                                 const DLTensor *const *outputs,
                                 DLManagedTensor **results, size_t output_count,
                                 const kern_call_options *options,
                                 kern_call_report *report) {
  return guarded([&]() -> Status {
    if (!function)
      return Error{KERN_ERROR_ARGUMENT, "the function is missing (NULL)"};
    const FunctionInfo &info = *function->info;
    auto refuse = [&](std::string why) {
      return Error{KERN_ERROR_ARGUMENT, "`" + info.name + "`" + std::move(why)};
    };
    for (size_t i = 0; results && i < output_count; ++i)
      results[i] = nullptr;
    if (Status counts =
            checkResultCount(info.name, info.results.size(), output_count);
        !counts)
      return counts;
    if (input_count && !inputs)
      return refuse(": the arguments are missing (NULL)");
    for (size_t i = 0; i < output_count; ++i)
      if (!results && (!outputs || !outputs[i]))
        return refuse(": there is no place for result " +
                      std::to_string(i + 1));

    Expected<std::optional<kern_call_request>> known = readOptions(options);
    if (!known)
      return refuse(": " + known.error().message);
    std::optional<kern_call_report> filled;
    if (report) {
      if (Status status = checkSizedPlace(reportVersions, report); !status)
        return refuse(": " + status.error().message);
      filled.emplace();
    }
    Status status =
        call(*function, std::span(inputs, input_count),
             outputs ? std::span(outputs, output_count)
                     : std::span<const DLTensor *const>(),
             results, *known ? &**known : nullptr, filled ? &*filled : nullptr);
    if (filled && status)
      writeSized(reportVersions, &*filled, report);
    return status;
  });
}

extern "C" kern_status kern_synchronize(kern_device device) {
  return guarded([&]() -> Status {
    if (isHost(device))
      return {};
    if (int(rawValue(device.device_type)) != kDLCUDA)
      return Error{KERN_ERROR_ARGUMENT,
                   "there are no devices of DLPack type " +
                       std::to_string(int(rawValue(device.device_type)))};
    Expected<std::shared_ptr<cuda::Context>> context =
        cuda::Platform::current()->context(device.device_id);
    if (!context)
      return context.error();
    return (*context)->synchronize();
  });
}
