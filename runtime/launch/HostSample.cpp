//===- HostSample.cpp - what a call costs on the host ---------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/launch/HostSample.h"

#include "runtime/device/host/Memory.h"
#include "runtime/device/host/ThreadPool.h"
#include "runtime/launch/CallExecution.h"
#include "runtime/launch/CallPlan.h"
#include "runtime/plan/HostThreads.h"
#include "runtime/plan/Parts.h"
#include "runtime/space/HostSpace.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <numeric>

using namespace kern::runtime;

namespace {
/// The manifest's estimates are mostly too high; this is their usual share.
constexpr double usualShare = 0.25;
/// A sample of less says more of the call around the kernel.
constexpr double enoughSeconds = 100e-6;
/// How often a sample is measured: a core takes some milliseconds to reach its
/// speed, and something else may run.
constexpr int fewestRuns = 3, mostRuns = 50;
constexpr double longEnough = 5e-3;
/// What one element of a sample may be expected to take.
constexpr int64_t mostPicoseconds = 2'000'000'000;

/// A call over the first elements of another, into results of its own.
struct Sample {
  std::vector<Argument> arguments;
  std::vector<std::optional<StridedView>> outputs;
  std::vector<Buffer> owners; ///< of the results' memory
  BoundCall call;             ///< refers to them

  Sample(const BoundCall &whole, const Piece &piece)
      : arguments(whole.arguments.begin(), whole.arguments.end()),
        outputs(whole.outputs.size()) {
    for (Argument &argument : arguments)
      if (argument.range)
        argument.view = partOf(argument.view, 0, piece);
      else if (argument.isArray && !argument.isScalar)
        argument.view =
            partOf(argument.view, argument.parameter->core.size(), piece);
    call.function = whole.function;
    call.loop = whole.loop;
    call.arguments = arguments;
    call.outputs = outputs;
    call.shapes = whole.shapes;
    call.shapes.loopShape = piece.extents;
    for (Extents &shape : call.shapes.results)
      std::ranges::copy(piece.extents, shape.begin());
  }

  /// Memory that is there: the first writes to new pages would take as long as
  /// the kernel.
  Status makeResults() {
    for (size_t i = 0; i < outputs.size(); ++i) {
      const Extents &shape = call.shapes.results[i];
      const DType dtype = call.loop->info().outputs[i];
      StridedView view = {dtype, nullptr, hostDevice(), shape,
                          contiguousStrides(shape, itemSize(dtype))};
      const Expected<size_t> bytes = bytesOf(shape, dtype);
      if (!bytes)
        return bytes.error().in(call.function->name);
      Expected<Buffer> memory = host::allocate(*bytes);
      if (!memory)
        return memory.error().in(call.function->name);
      std::memset(memory->data(), 0, *bytes);
      view.data = memory->data();
      outputs[i] = view;
      owners.push_back(std::move(*memory));
    }
    return {};
  }
};

/// What the host's kernel says of its work, if it is known.
Expected<HostCost> costOfKernel(const BoundCall &call) {
  BoundCall like = call;
  like.obstacle = {};
  HostSpace host;
  Expected<CallPlan::Attempt> planned = CallPlan::make(like, host, nullptr);
  if (!planned)
    return planned.error();
  HostCost cost;
  if (planned->plan && planned->plan->launch.kernel) {
    const KernelInfo &kernel = planned->plan->launch.kernel->code->kernel;
    cost.work = kernel.work;
    cost.inParts = kernel.inParts;
  }
  return cost;
}

/// Seconds of a sample, the least of several.
Expected<double> timeOf(Sample &&sample) {
  if (Status status = sample.makeResults(); !status)
    return status.error();
  const host::ThreadLimit one(1);
  double best = 1e30, all = 0;
  for (int i = 0; i < fewestRuns || (i < mostRuns && all < longEnough); ++i) {
    HostSpace host;
    kern_call_report report = {};
    const auto begin = std::chrono::steady_clock::now();
    if (auto results = execute(sample.call, host, report); !results)
      return results.error();
    const std::chrono::duration<double> taken =
        std::chrono::steady_clock::now() - begin;
    best = std::min(best, taken.count());
    all += taken.count();
  }
  return best;
}
} // namespace

int64_t kern::runtime::indicesOf(const BoundCall &call,
                                 const Extents &loopShape) {
  int64_t count = 1;
  auto multiply = [&](int64_t extent) {
    if (__builtin_mul_overflow(count, std::max<int64_t>(extent, 1), &count))
      count = INT64_MAX;
  };
  for (int64_t extent : loopShape)
    multiply(extent);
  if (call.function->kind != FunctionKind::Ufunc)
    for (int64_t dim : call.shapes.dims)
      multiply(dim);
  return count;
}

Expected<HostCost> kern::runtime::hostCost(const BoundCall &call) {
  const Extents &shape = call.shapes.loopShape;
  const int64_t indices = indicesOf(call, shape);
  if (const std::optional<HostCost> known = call.loop->hostCost();
      known && indices <= known->upTo)
    return *known;
  Expected<HostCost> ofKernel = costOfKernel(call);
  if (!ofKernel)
    return ofKernel;
  HostCost cost = *ofKernel;
  const auto ofIndex = double(picoseconds({1, cost.work, 1, 0}));
  cost.picoseconds = ofIndex * usualShare;
  const Extents one(shape.size(), 1);
  const bool isWritten =
      std::ranges::any_of(call.arguments, [](const Argument &argument) {
        return argument.parameter->isInout;
      });
  const int64_t ofElement = indicesOf(call, one);
  if (isWritten || std::ranges::find(shape, 0) != shape.end() ||
      double(ofElement) * ofIndex > double(mostPicoseconds))
    return cost;
  // More elements until they take long enough.
  std::vector<unsigned> order(shape.size());
  std::iota(order.rbegin(), order.rend(), 0u);
  const int64_t whole = indices / ofElement;
  auto measure = [&](int64_t most) {
    return timeOf(Sample(call, Pieces(shape, order, most)[0]));
  };
  // One element takes mostly what is around the kernel.
  Expected<double> around = measure(1);
  if (!around)
    return around.error();
  cost.picoseconds = *around * 1e12 / double(ofElement);
  const auto first = int64_t(enoughSeconds * 1e12 / ofIndex) / ofElement;
  bool isEnough = *around >= enoughSeconds;
  int64_t sampled = ofElement;
  for (int64_t most = std::max<int64_t>(first, 2); !isEnough && whole > 1;
       most *= 4) {
    const Piece piece = Pieces(shape, order, most)[0];
    Expected<double> seconds = measure(most);
    if (!seconds)
      return seconds.error();
    sampled = indicesOf(call, piece.extents);
    cost.picoseconds = std::max(*seconds - *around, 0.0) * 1e12 /
                       double(std::max<int64_t>(sampled - ofElement, 1));
    isEnough = *seconds - *around >= enoughSeconds;
    if (most >= whole)
      break;
  }
  cost.upTo = isEnough || sampled > INT64_MAX / 2 ? INT64_MAX : 2 * sampled;
  call.loop->keepHostCost(cost);
  return cost;
}
