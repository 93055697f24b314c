//===- CApiResolve.cpp - types and shapes of a call -----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/capi/SizedStruct.h"
#include "runtime/error/LastError.h"
#include "runtime/launch/Call.h"
#include "runtime/launch/NamedArguments.h"

using namespace kern::runtime;

static_assert(KERN_MAX_NDIM == maxDimensions);

extern "C" kern_status
kern_resolve(kern_function *function, const kern_value *inputs,
             size_t input_count, const DLTensor *const *outputs,
             size_t output_count, const kern_call_options *options,
             int *input_types, kern_result_form *results) {
  return guarded([&]() -> Status {
    if (!function)
      return Error(ErrorCode::null_pointer, {"the function"});
    const FunctionInfo &info = *function->info;
    if (Status counts = checkCounts(info, inputs, input_count, output_count);
        !counts)
      return counts;
    if (output_count && !results)
      return Error(ErrorCode::null_pointer, {"the place for the results"})
          .in(info.name);
    const CompleteArguments complete(info, std::span(inputs, input_count));
    for (size_t i = 0; i < input_count && i < info.parameters.size(); ++i)
      if (info.parameters[i].isDim &&
          rawValue(inputs[i].kind) == KERN_VALUE_ARRAY)
        return Error(ErrorCode::dimension_is_array,
                     {i + 1, info.parameters[i].name})
            .in(info.name);
    Expected<std::optional<kern_call_request>> known = readOptions(options);
    if (!known)
      return known.error().in(info.name);
    Expected<Resolution> found =
        resolveCall(*function, complete.get(),
                    outputs ? std::span(outputs, output_count)
                            : std::span<const DLTensor *const>(),
                    *known ? &**known : nullptr);
    if (!found)
      return found.error();
    const LoopInfo &loop = found->loop->info();
    size_t next = 0;
    for (size_t i = 0; input_types && i < info.parameters.size(); ++i)
      input_types[i] = info.parameters[i].isDim
                           ? KERN_ANY_DTYPE
                           : int(loop.inputs[next++].carrier());
    for (size_t i = 0; i < output_count; ++i) {
      kern_result_form &form = results[i];
      form.dtype = kern_dtype(loop.outputs[i]);
      form.ndim = int(found->results[i].size());
      std::ranges::copy(found->results[i], form.shape);
    }
    return {};
  });
}
