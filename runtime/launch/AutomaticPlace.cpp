//===- AutomaticPlace.cpp - calls that let Kern choose --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/launch/AutomaticPlace.h"

#include "runtime/device/host/ThreadPool.h"
#include "runtime/launch/HostSample.h"
#include "runtime/plan/HostThreads.h"
#include "runtime/plan/Parts.h"
#include "runtime/transfer/LinkRates.h"

#include <array>
#include <cstdio>

using namespace kern::runtime;

namespace {
/// The bytes of a call's inputs and results.
void addBytes(const BoundCall &call, CallWork &work) {
  for (const Argument &argument : call.arguments) {
    if (!argument.isArray || argument.isScalar)
      continue;
    const size_t bytes = distinctBytes(argument.view);
    work.up += bytes;
    work.down += argument.parameter->isInout ? bytes : 0;
  }
  for (size_t i = 0; i < call.shapes.results.size(); ++i) {
    uint64_t bytes = itemSize(call.loop->info().outputs[i]);
    for (int64_t extent : call.shapes.results[i])
      bytes *= uint64_t(extent);
    work.down += bytes;
  }
}

std::string milliseconds(double seconds) {
  std::array<char, 32> out = {};
  std::snprintf(out.data(), out.size(), "%.3g ms", seconds * 1e3);
  return out.data();
}
} // namespace

Expected<std::string> kern::runtime::choosePlace(BoundArguments &bound) {
  const std::shared_ptr<cuda::Context> gpu = bound.device.candidate;
  if (!gpu)
    return std::string();
  const BoundCall &call = bound.call;
  CallWork work;
  addBytes(call, work);
  Expected<HostCost> cost = hostCost(call);
  if (!cost)
    return cost.error();
  const int64_t indices = indicesOf(call, call.shapes.loopShape);
  work.seconds = double(indices) * cost->picoseconds * 1e-12;
  work.threads = hostThreads(picoseconds({indices, cost->work, 1, 0}),
                             host::ThreadPool::shared().available());
  work.multiprocessors = gpu->multiprocessors();
  Expected<MachineRates> rates = gpu->resource<LinkRates>().get();
  if (!rates && rates.error().status == KERN_ERROR_MEMORY)
    return "auto: " + text(gpu->device()) + " cannot be measured (" +
           rates.error().message + "), so it runs on cpu\n";
  if (!rates)
    return gpu->attribute(rates.error()).error().in(call.function->name);
  const PlaceEstimate expected = estimatePlaces(work, *rates);
  if (expected.prefersGpu())
    bound.device.context = gpu;
  return "auto: " + milliseconds(expected.onCpu) + " on cpu and " +
         milliseconds(expected.onGpu) + " on " + text(gpu->device()) +
         " expected, so it runs on " + text(bound.device.device()) + "\n";
}
