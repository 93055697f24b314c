//===- Call.cpp - the whole of a call -------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call looks for its plan. If there is none, it is bound, planned, and the
// plan run. A call that cannot be planned is executed step by step.
//
//===----------------------------------------------------------------------===//

#include "runtime/launch/Call.h"
#include "runtime/device/cuda/Platform.h"
#include "runtime/launch/CallExecution.h"

#include "runtime/launch/CallKey.h"
#include "runtime/space/CudaSpace.h"
#include "runtime/space/HostSpace.h"

using namespace kern;

namespace {
/// Runs `body` with the space of a place.
template <typename Body> auto inSpace(const CallDevice &place, Body body) {
  if (!place.context) {
    HostSpace space;
    return body(space);
  }
  CudaSpace space(place.context, place.stream);
  return body(space);
}

CUstream streamOf(const kern_call_request *options) {
  return options ? static_cast<CUstream>(options->call.stream) : nullptr;
}

/// Runs a plan, and passes its results to the caller.
Status runPlan(const CallPlan &plan, CallOperands &given, CUstream stream,
               DLManagedTensor **results, kern_call_report *report) {
  if (plan.newResults.empty())
    return plan.run(given, stream, {}, report);
  constexpr size_t few = 4;
  std::array<ManagedArray, few> little;
  std::vector<ManagedArray> many(
      plan.newResults.size() > few ? plan.newResults.size() : 0);
  std::span<ManagedArray> made =
      many.empty() ? std::span(little) : std::span(many);
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
                  DLManagedTensor **results, const kern_call_request *options,
                  kern_call_report *report) {
  CallOperands given;
  CallKey key;
  const DLTensor *const *tensors = outputs.empty() ? nullptr : outputs.data();
  const DLTensor *where = options ? options->where : nullptr;
  bool hasKey = key.build(*function.info, inputs, tensors, options,
                          cuda::Platform::generation());
  uint64_t hash = hasKey ? key.hash() : 0;
  if (hasKey) {
    PlanTable::Reader reader(function.plans);
    const CallPlan *known =
        reader.find(hash, key.words(), [&](const CallPlan &plan) {
          plan.gather(inputs.data(), tensors, where, given);
          return !plan.brokenBy(given);
        });
    if (known)
      return runPlan(*known, given, streamOf(options), results, report);
  }

  Expected<BoundArguments> bound = bindCall(function, inputs, outputs, options);
  if (!bound)
    return bound.error();
  Expected<CallPlan::Attempt> planned =
      inSpace(bound->device, [&](Space &space) {
        return CallPlan::make(bound->call, space, bound->device.context);
      });
  if (!planned)
    return planned.error();
  if (const CallPlan *plan = planned->plan.get()) {
    if (hasKey)
      function.plans.insert(
          {hash, {key.words().begin(), key.words().end()}, planned->plan});
    plan->gather(inputs.data(), tensors, where, given);
    return runPlan(*plan, given, streamOf(options), results, report);
  }
  kern_call_report filled = {};
  std::string explanation;
  bool explains = options && options->explanation;
  auto arrays = inSpace(bound->device, [&](Space &space) {
    return execute(bound->call, space, filled,
                   explains ? &explanation : nullptr);
  });
  if (!arrays)
    return arrays.error();
  if (explains && options->explanation_size)
    copyText({options->explanation, options->explanation_size}, explanation);
  for (size_t i = 0; i < arrays->size(); ++i)
    if ((*arrays)[i])
      results[i] = (*arrays)[i].release();
  if (report)
    *report = filled;
  return {};
}

Expected<CallPlan::Attempt>
kern::prepareCall(kern_function &function, std::span<const kern_value> inputs,
                  std::span<const DLTensor *const> outputs,
                  const kern_call_request *options) {
  Expected<BoundArguments> bound = bindCall(function, inputs, outputs, options);
  if (!bound)
    return bound.error();
  return inSpace(bound->device, [&](Space &space) {
    return CallPlan::make(bound->call, space, bound->device.context);
  });
}
