//===- AutomaticPlace.cpp - calls that let Kern choose --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/launch/AutomaticPlace.h"

#include "runtime/artefact/Dimension.h"
#include "runtime/device/cuda/PinnedPool.h"
#include "runtime/device/host/ThreadPool.h"
#include "runtime/launch/HostSample.h"
#include "runtime/plan/HostThreads.h"
#include "runtime/plan/Layout.h"
#include "runtime/plan/Overlap.h"
#include "runtime/plan/Parts.h"
#include "runtime/transfer/LinkRates.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

using namespace kern::runtime;

namespace {
/// Whether a result's array may have something that a gufunc's body reads, or
/// leaves as it is.
bool mayKeep(const BoundCall &call, size_t result) {
  return call.function->kind != FunctionKind::Ufunc &&
         !call.function->results[result].core.empty() &&
         !call.loop->writesWhole(call.arguments.size() + result);
}

/// Adds what a GPU, whose context is current, needs and makes.
Status addBytes(const BoundCall &call, const cuda::Context &gpu,
                CallWork &work) {
  auto add = [&](const StridedView &view, bool goesUp, bool comesDown) {
    const size_t bytes = distinctBytes(view);
    work.arrays += bytes;
    work.transfers += unsigned(goesUp) + unsigned(comesDown);
    work.up += goesUp ? bytes : 0;
    work.down += comesDown ? bytes : 0;
    const auto memory = memoryOf(view);
    const bool isDirect = memory && view.dtype != DType::Bool &&
                          cuda::isPinned(gpu, memory->first, memory->second);
    if (!isDirect)
      work.pageable += bytes * (size_t(goesUp) + size_t(comesDown));
  };
  for (const Argument &argument : call.arguments)
    if (argument.isArray && !argument.isScalar)
      add(argument.view, true, argument.parameter->isInout);
  if (call.mask)
    add(*call.mask, true, false);
  for (size_t i = 0; i < call.shapes.results.size(); ++i) {
    if (call.outputs[i]) {
      add(*call.outputs[i], mayKeep(call, i), true);
      continue;
    }
    const Expected<size_t> bytes =
        bytesOf(call.shapes.results[i], call.loop->info().outputs[i]);
    if (!bytes)
      return bytes.error().in(call.function->name);
    work.arrays += *bytes;
    ++work.transfers;
    work.down += *bytes;
    work.pageable += *bytes;
  }
  return {};
}

/// What one thread of the GPU has of a piece.
Expected<ThreadWork> threadWorkOf(const BoundCall &call,
                                  const cuda::Context &gpu, int64_t elements) {
  if (call.function->kind == FunctionKind::Ufunc)
    return ThreadWork();
  Expected<std::shared_ptr<const Nest>> nest = call.loop->nest();
  if (!nest)
    return nest.error();
  Expected<NestExtents> extents = extentsOf(
      **nest, elements, dimensionLookup(*call.function, call.shapes.dims));
  if (!extents) // a call there would say so
    return ThreadWork();
  const Extents one(call.shapes.loopShape.size(), 1);
  return threadWork(**nest, *extents, indicesOf(call, one),
                    gpu.residentThreads());
}

std::string milliseconds(double seconds) {
  if (std::isinf(seconds)) // of a place that cannot run such calls
    return "never";
  std::array<char, 32> out = {};
  std::snprintf(out.data(), out.size(), "%.3g ms", seconds * 1e3);
  return out.data();
}

/// Whether a call that fails before its end can be repeated: it has changed
/// nothing that it reads.
bool canBeRepeated(const BoundCall &call) {
  for (size_t i = 0; i < call.outputs.size(); ++i)
    if (call.outputs[i] && mayKeep(call, i))
      return false;
  for (const Argument &argument : call.arguments) {
    if (argument.parameter->isInout)
      return false;
    for (const std::optional<StridedView> &output : call.outputs)
      if (output && argument.isArray && !argument.isScalar &&
          overlapOf(argument.view, *output) != Overlap::None)
        return false;
  }
  return true;
}
} // namespace

void PlaceChoice::keepTime(const BoundArguments &bound) const {
  if (!trial)
    return;
  const std::chrono::duration<double> taken =
      std::chrono::steady_clock::now() - begin;
  bound.call.loop->places().change(*trial, [&](PlaceTrials &trials) {
    (bound.device.context ? trials.onGpu : trials.onCpu).add(taken.count());
  });
}

bool PlaceChoice::movesToCpu(BoundArguments &bound, const Error &error) const {
  if (!trial || !mayMove || !bound.device.context ||
      error.status == KERN_ERROR_CANCELLED ||
      (expectsGpu && error.status != KERN_ERROR_MEMORY))
    return false;
  bound.call.loop->places().change(
      *trial, [](PlaceTrials &trials) { trials.onGpu.exclude(); });
  bound.device.context = nullptr;
  return true;
}

Expected<PlaceChoice> kern::runtime::choosePlace(BoundArguments &bound,
                                                 bool mayTry) {
  const std::shared_ptr<cuda::Context> gpu = bound.device.candidate;
  PlaceChoice choice;
  if (!gpu)
    return choice;
  const BoundCall &call = bound.call;
  CallWork work;
  {
    cuda::ContextScope scope(*gpu);
    if (!scope.status)
      return scope.status.error();
    if (Status status = addBytes(call, *gpu, work); !status)
      return status.error();
  }
  Expected<HostCost> cost = hostCost(call);
  if (!cost)
    return cost.error();
  for (int64_t extent : call.shapes.loopShape)
    work.elements *= extent;
  const int64_t indices = indicesOf(call, call.shapes.loopShape);
  work.seconds = double(indices) * cost->picoseconds * 1e-12;
  work.available = host::ThreadPool::shared().available();
  HostWork onHost = {indices, cost->work};
  if (call.function->kind == FunctionKind::Ufunc)
    onHost.bytes = int64_t(work.arrays);
  work.threads = hostThreads(picoseconds(onHost), work.available);
  if (!cost->inParts)
    work.threads =
        unsigned(std::clamp<int64_t>(work.elements, 1, int64_t(work.threads)));
  work.multiprocessors = gpu->multiprocessors();
  Expected<ThreadWork> thread =
      threadWorkOf(call, *gpu, ceilDivide(work.elements, work.pieces()));
  if (!thread)
    return thread.error().in(call.function->name);
  work.thread = *thread;
  Expected<MachineRates> rates = gpu->resource<LinkRates>().get();
  if (!rates && rates.error().status == KERN_ERROR_MEMORY) {
    choice.text = "auto: " + text(gpu->device()) + " cannot be measured (" +
                  rates.error().message + "), so it runs on cpu\n";
    return choice;
  }
  if (!rates)
    return gpu->attribute(rates.error()).error().in(call.function->name);
  const PlaceEstimate expected = estimatePlaces(work, *rates);
  const CallKind kind = {indices,        work.up,
                         work.down,      work.pageable,
                         work.available, gpu->device().device_id};
  const std::optional<PlaceTrials> trials = call.loop->places().of(kind);
  choice.expectsGpu = expected.prefersGpu();
  choice.mayMove = mayTry && !call.allocator && canBeRepeated(call);
  PlaceDecision decision = {.onGpu = choice.expectsGpu};
  if (trials)
    decision = decidePlace(expected, *trials, choice.mayMove);
  if (decision.onGpu)
    bound.device.context = gpu;
  if (decision.isTrial && mayTry) {
    choice.trial = kind;
    bound.call.waitsForKernel |= decision.onGpu;
  }
  const double onCpu =
      decision.isMeasured ? trials->onCpu.least : expected.onCpu;
  const double onGpu =
      decision.isMeasured ? trials->onGpu.least : expected.onGpu;
  choice.text = "auto: " + milliseconds(onCpu) + " on cpu and " +
                milliseconds(onGpu) + " on " + text(gpu->device()) +
                (decision.isMeasured ? " measured, so it runs on "
                 : choice.trial      ? " expected, which is close, so it is "
                                       "measured on "
                                     : " expected, so it runs on ") +
                text(bound.device.device()) + "\n";
  choice.begin = std::chrono::steady_clock::now();
  return choice;
}
