//===- Call.cpp - a call from plan to execution ---------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call looks up its plan. Without one, the call is bound, planned, and the
// plan run. A call that cannot be planned is executed step by step.
//===----------------------------------------------------------------------===//

#include "runtime/launch/Call.h"
#include "runtime/device/cuda/CallOrder.h"
#include "runtime/device/cuda/Platform.h"
#include "runtime/device/host/ThreadPool.h"
#include "runtime/error/LastError.h"
#include "runtime/launch/AutomaticPlace.h"
#include "runtime/launch/CallExecution.h"
#include "runtime/launch/CallKey.h"
#include "runtime/launch/Pipeline.h"
#include "runtime/space/CudaSpace.h"
#include "runtime/space/HostSpace.h"

using namespace kern::runtime;

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

/// Orders a call after other streams' uses of its arrays.
Status orderUses(cuda::CallOrder &order, const BoundCall &call) {
  Status status = order.begin();
  auto use = [&](const StridedView &view, bool isWritten) {
    if (status && !isHost(view.device))
      status = order.use(view.data, isWritten);
  };
  if (!order.isNeeded())
    return status;
  for (size_t i = 0; i < call.arguments.size(); ++i)
    if (const Argument &argument = call.arguments[i]; argument.isArray)
      use(argument.view, argument.parameter->isInout);
  for (const std::optional<StridedView> &output : call.outputs)
    if (output)
      use(*output, true);
  if (call.mask)
    use(*call.mask, false);
  return status;
}

/// A call that cannot be planned, step by step.
Expected<std::vector<ManagedArray>> executeInOrder(const BoundCall &call,
                                                   const CallDevice &place,
                                                   kern_call_report &report,
                                                   std::string *explanation) {
  std::optional<cuda::CallOrder> order; // until all is enqueued
  if (place.context)
    if (Status status =
            orderUses(order.emplace(*place.context, place.stream), call);
        !status)
      return status.error().in(call.function->name);
  return inSpace(place, [&](Space &space) {
    return execute(call, space, report, explanation);
  });
}

/// Runs a plan and passes its results to the caller.
Status runPlan(const CallPlan &plan, CallOperands &given,
               const kern_call_request *options, DLManagedTensor **results,
               kern_call_report *report) {
  CUstream stream =
      options ? static_cast<CUstream>(options->call.stream) : nullptr;
  const kern_allocator *allocator = options ? options->allocator : nullptr;
  if (plan.newResults.empty())
    return plan.run(given, stream, nullptr, {}, report);
  constexpr size_t few = 4;
  std::array<ManagedArray, few> little;
  std::vector<ManagedArray> many(
      plan.newResults.size() > few ? plan.newResults.size() : 0);
  std::span<ManagedArray> made =
      many.empty() ? std::span(little) : std::span(many);
  if (Status status = plan.run(given, stream, allocator, made, report); !status)
    return status;
  for (size_t i = 0; i < plan.newResults.size() && !allocator; ++i) {
    const CallPlan::NewResult &result = plan.newResults[i];
    results[plan.operands[result.operand].index] = made[i].release();
  }
  return {};
}
/// What the caller of call() passes, but for its function.
struct Request {
  std::span<const kern_value> inputs;
  const DLTensor *const *outputs; ///< NULL, or one for each result
  DLManagedTensor **results;
  const kern_call_request *options;
  kern_call_report *report;

  const DLTensor *where() const { return options ? options->where : nullptr; }
  bool explains() const { return options && options->explanation; }
};

/// A call without a plan, on the device of `bound`. `keepPlan` takes its plan
/// if it has one; `chosen` begins its explanation.
template <typename KeepPlan>
Status runBound(const BoundArguments &bound, const Request &request,
                const std::string &chosen, KeepPlan keepPlan) {
  Expected<CallPlan::Attempt> planned =
      inSpace(bound.device, [&](Space &space) {
        return CallPlan::make(bound.call, space, bound.device.context);
      });
  if (!planned)
    return planned.error();
  if (const CallPlan *plan = planned->plan.get()) {
    keepPlan(planned->plan);
    CallOperands given;
    plan->gather(request.inputs.data(), request.outputs, request.where(),
                 given);
    return runPlan(*plan, given, request.options, request.results,
                   request.report);
  }
  kern_call_report filled = {};
  std::string explanation;
  std::string *asked = request.explains() ? &explanation : nullptr;
  auto cut = executeInPieces(bound.call, bound.device, filled, asked);
  if (!cut)
    return cut.error();
  auto arrays = *cut ? Expected(std::move(**cut))
                     : executeInOrder(bound.call, bound.device, filled, asked);
  if (!arrays)
    return arrays.error();
  if (asked && request.options->explanation_size)
    copyText({request.options->explanation, request.options->explanation_size},
             chosen + explanation);
  for (size_t i = 0; i < arrays->size(); ++i)
    if ((*arrays)[i])
      request.results[i] = (*arrays)[i].release();
  if (request.report)
    *request.report = filled;
  return {};
}
} // namespace

Status kern::runtime::call(kern_function &function,
                           std::span<const kern_value> inputs,
                           std::span<const DLTensor *const> outputs,
                           DLManagedTensor **results,
                           const kern_call_request *options,
                           kern_call_report *report) {
  const Request request = {inputs, outputs.empty() ? nullptr : outputs.data(),
                           results, options, report};
  CallOperands given;
  CallKey key;
  bool hasKey = key.build(*function.info, inputs, request.outputs, options,
                          cuda::Platform::generation(),
                          host::ThreadPool::shared().available());
  uint64_t hash = hasKey ? key.hash() : 0;
  if (hasKey) {
    PlanTable::Reader reader(function.plans);
    const CallPlan *known =
        reader.find(hash, key.words(), [&](const CallPlan &plan) {
          plan.gather(inputs.data(), request.outputs, request.where(), given);
          return !plan.brokenBy(given);
        });
    if (known)
      return runPlan(*known, given, options, results, report);
  }

  Expected<BoundArguments> bound = bindCall(function, inputs, outputs, options);
  if (!bound)
    return bound.error();
  Expected<PlaceChoice> choice = choosePlace(*bound, /*mayTry=*/true);
  if (!choice)
    return choice.error();
  auto run = [&] {
    return runBound(
        *bound, request, choice->text,
        [&](const std::shared_ptr<const CallPlan> &plan) {
          // Later calls may have another device or kernel.
          if (hasKey && !choice->trial && !plan->launch.isForNow)
            function.plans.insert(
                {hash, {key.words().begin(), key.words().end()}, plan});
        });
  };
  Status status = run();
  if (!status && choice->movesToCpu(*bound, status.error()))
    return run();
  if (status)
    choice->keepTime(*bound);
  return status;
}

Expected<Resolution>
kern::runtime::resolveCall(kern_function &function,
                           std::span<const kern_value> inputs,
                           std::span<const DLTensor *const> outputs,
                           const kern_call_request *options) {
  // Arrays of one element are read as numbers; this is their data.
  alignas(deviceAddressMask + 1) static constexpr std::byte nothing[64] = {};
  auto withoutData = [](const DLTensor &tensor) {
    DLTensor out = tensor;
    out.data = const_cast<std::byte *>(nothing);
    out.byte_offset = 0;
    return out;
  };
  std::vector<DLTensor> tensors;
  tensors.reserve(inputs.size() + outputs.size() + 1);
  std::vector<kern_value> values(inputs.begin(), inputs.end());
  for (kern_value &value : values)
    if (rawValue(value.kind) == KERN_VALUE_ARRAY && value.as.array)
      value.as.array = &tensors.emplace_back(withoutData(*value.as.array));
  std::vector<const DLTensor *> arrays(outputs.begin(), outputs.end());
  for (const DLTensor *&array : arrays)
    if (array)
      array = &tensors.emplace_back(withoutData(*array));
  kern_call_request request = options ? *options : kern_call_request();
  if (request.where)
    request.where = &tensors.emplace_back(withoutData(*request.where));
  Expected<BoundArguments> bound =
      bindCall(function, values, arrays, &request, Purpose::Resolve);
  if (!bound)
    return bound.error();
  Resolution out = {bound->call.loop, std::move(bound->call.shapes.results)};
  for (size_t i = 0; i < bound->call.resultAxes.size(); ++i)
    out.results[i] = toCaller(out.results[i], bound->call.resultAxes[i]);
  return out;
}

Expected<CallPlan::Attempt>
kern::runtime::prepareCall(kern_function &function,
                           std::span<const kern_value> inputs,
                           std::span<const DLTensor *const> outputs,
                           const kern_call_request *options) {
  Expected<BoundArguments> bound = bindCall(function, inputs, outputs, options);
  if (!bound)
    return bound.error();
  bound->call.waitsForKernel = true;
  if (Expected<PlaceChoice> choice = choosePlace(*bound, /*mayTry=*/false);
      !choice)
    return choice.error();
  return inSpace(bound->device, [&](Space &space) {
    return CallPlan::make(bound->call, space, bound->device.context);
  });
}
