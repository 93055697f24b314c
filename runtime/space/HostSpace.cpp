//===- HostSpace.cpp - calls on the CPU -----------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/space/HostSpace.h"
#include "runtime/device/host/Memory.h"
#include "runtime/device/host/ThreadPool.h"
#include "runtime/plan/Form.h"
#include "runtime/plan/HostThreads.h"
#include "runtime/plan/HostTiling.h"
#include "runtime/space/ChooseKernel.h"
#include "runtime/space/HostLoop.h"
#include "runtime/space/Scratch.h"
#include "runtime/transfer/HostCopy.h"

#include <algorithm>
#include <cstring>

using namespace kern::runtime;

void kern::runtime::copyText(std::span<char> field, std::string_view text) {
  size_t length = std::min(field.size() - 1, text.size());
  std::memcpy(field.data(), text.data(), length);
  field[length] = 0;
}

/// Running in order needs one thread; with more than two threads, copying first
/// is faster.
bool HostSpace::goesInOrder(int64_t elements) const {
  int64_t time = picoseconds({elements, 0, 1, 1});
  return hostThreads(time, 2) == 1 ||
         host::ThreadPool::shared().available() <= 2;
}

Expected<Buffer> HostSpace::allocate(size_t bytes) {
  return host::allocate(bytes);
}

Status HostSpace::copy(const StridedView &destination,
                       const StridedView &source) {
  copyOnHost(destination, source);
  return {};
}

Status HostSpace::copyWhere(const StridedView &destination,
                            const StridedView &source,
                            const StridedView &mask) {
  copyOnHostWhere(destination, source, mask);
  return {};
}

Status HostSpace::clear(void *memory, size_t bytes) {
  std::memset(memory, 0, bytes);
  return {};
}

/// The work of one loop element, estimated as the product of all dimensions.
static int64_t workOf(const Launch &launch, Form form) {
  int64_t work = 1;
  if (form != Form::General)
    return work;
  for (int64_t dim : launch.dims)
    if (__builtin_mul_overflow(work, std::max<int64_t>(dim, 1), &work))
      return INT64_MAX;
  return work;
}

/// The layout in which a range's strides are steps from number to number, as
/// those of arrays are from address to address.
static Layout steppedLayout(const Launch &launch) {
  Layout layout = launch.layout;
  for (size_t k = 0; k < launch.operands.size(); ++k)
    if (const std::optional<int64_t> step = launch.operands[k].rangeStep)
      for (int64_t &stride : layout.strides[k])
        stride = IntegerRange{0, *step}.at(stride);
  return layout;
}

static Expected<std::shared_ptr<const LoadedKernel>>
choose(const Launch &launch) {
  std::vector<OperandFacts> facts = factsOf(launch);
  Form wanted = wantedHostForm(launch.function->kind, launch.layout, facts,
                               launch.disjoint);
  return chooseKernel(launch, launch.function->kind, wanted, Schedule{}, facts,
                      nullptr);
}

static void describe(const KernelInfo &kernel, const Launch &launch,
                     kern_call_report &report) {
  copyText(report.kernel, kernel.symbol);
  bool packs =
      isBlocked(kernel.form) && isStrided(launch.layout, launch.operands);
  copyText(report.form, name(packs ? Form::Strided : kernel.form));
  report.grid = report.block = report.group = 1;
}

Status HostSpace::launch(const Launch &launch, kern_call_report &report) {
  auto chosen = choose(launch);
  if (!chosen)
    return chosen.error();
  const KernelInfo &kernel = (*chosen)->code->kernel;
  describe(kernel, launch, report);
  Expected<std::vector<ScratchSize>> sizes = scratchSizes(launch, kernel);
  if (!sizes)
    return sizes.error();
  std::vector<size_t> scratch;
  for (const ScratchSize &size : *sizes)
    scratch.push_back(size_t(size.bytes));
  std::vector<Value> values(launch.operands.size());
  std::vector<std::byte *> places;
  for (size_t k = 0; k < launch.operands.size(); ++k) {
    values[k] = launch.operands[k].value;
    places.push_back(launch.operands[k].isScalar ? values[k].data()
                                                 : launch.operands[k].data);
  }
  HostLoop loop(kernel, steppedLayout(launch), launch.dims, launch.operands,
                workOf(launch, kernel.form), launch.order);
  if (launch.explanation)
    *launch.explanation =
        explainHost(kernel, launch.layout, launch.operands, loop.walk());
  CheckRecord record;
  Expected<unsigned> threads =
      loop.run((*chosen)->code->entry, places, scratch,
               kernel.checks.empty() ? nullptr : &record);
  if (!threads)
    return threads.error().in(launch.function->name);
  report.grid = *threads;
  return checkFailure(record, *launch.function, kernel);
}

Expected<std::optional<LaunchTemplate>>
HostSpace::prepare(const Launch &launch) {
  auto chosen = choose(launch);
  if (!chosen)
    return chosen.error();
  LaunchTemplate prepared;
  prepared.kernel = std::move(*chosen);
  const KernelInfo &kernel = prepared.kernel->code->kernel;
  if (!kernel.scratch.empty() || !kernel.checks.empty())
    return std::optional<LaunchTemplate>();
  describe(kernel, launch, prepared.report);
  prepared.loop = std::make_shared<const HostLoop>(
      kernel, steppedLayout(launch), launch.dims, launch.operands,
      workOf(launch, kernel.form), launch.order);
  return std::optional(std::move(prepared));
}
