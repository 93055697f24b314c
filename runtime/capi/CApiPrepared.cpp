//===- CApiPrepared.cpp - prepared calls ----------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/capi/SizedStruct.h"
#include "runtime/device/host/ThreadPool.h"
#include "runtime/error/LastError.h"
#include "runtime/launch/Arguments.h"
#include "runtime/launch/Call.h"
#include "runtime/launch/NamedArguments.h"
#include "runtime/launch/Prepared.h"

using namespace kern::runtime;

extern "C" kern_status
kern_prepare(kern_function *function, const kern_value *inputs,
             size_t input_count, const DLTensor *const *outputs,
             size_t output_count, const kern_call_options *options,
             kern_prepared **prepared) {
  return guarded([&]() -> Status {
    if (!prepared)
      return Error(ErrorCode::null_pointer,
                   {"the place for the prepared call"});
    *prepared = nullptr;
    if (!function)
      return Error(ErrorCode::null_pointer, {"the function"});
    const FunctionInfo &info = *function->info;

    if (Status counts = checkCounts(info, inputs, input_count, output_count);
        !counts)
      return counts;
    if (output_count && !outputs)
      return Error(ErrorCode::null_pointers, {"the arrays for the results"})
          .in(info.name);
    Expected<std::optional<kern_call_request>> known = readOptions(options);
    if (!known)
      return known.error().in(info.name);
    host::ThreadLimit limit(*known ? unsigned((*known)->threads) : 0);
    const CompleteArguments complete(info, std::span(inputs, input_count));
    Expected<CallPlan::Attempt> planned =
        prepareCall(*function, complete.get(), std::span(outputs, output_count),
                    *known ? &**known : nullptr);
    if (!planned)
      return planned.error();
    if (!planned->plan)
      return Error(ErrorCode::cannot_prepare,
                   {info.name, planned->obstacle.text()});
    auto made = makePrepared(info, input_count, std::move(planned->plan));
    if (!made)
      return made.error();
    *prepared = made->release();
    return {};
  });
}

extern "C" kern_status kern_prepared_launch(const kern_prepared *prepared,
                                            const void *const *inputs,
                                            size_t input_count,
                                            void *const *outputs,
                                            size_t output_count, void *stream) {
  return guarded([&]() -> Status {
    if (!prepared)
      return Error(ErrorCode::null_pointer, {"the prepared call"});
    if (Status counts = prepared->checkCounts(input_count, output_count);
        !counts)
      return counts;
    return prepared->launch(inputs, outputs, static_cast<CUstream>(stream));
  });
}

extern "C" kern_status kern_prepared_try_launch(const kern_prepared *prepared,
                                                const void *const *inputs,
                                                size_t input_count,
                                                void *const *outputs,
                                                size_t output_count,
                                                void *stream, int *has_run) {
  return guarded([&]() -> Status {
    if (!prepared)
      return Error(ErrorCode::null_pointer, {"the prepared call"});
    if (!has_run)
      return Error(ErrorCode::null_pointer, {"the place for the answer"});
    *has_run = 0;
    if (Status counts = prepared->checkCounts(input_count, output_count);
        !counts)
      return counts;
    Expected<bool> ran =
        prepared->tryLaunch(inputs, outputs, static_cast<CUstream>(stream));
    if (!ran)
      return ran.error();
    *has_run = *ran;
    return {};
  });
}

extern "C" void kern_prepared_release(kern_prepared *prepared) {
  std::unique_ptr<kern_prepared> owner(prepared);
}
