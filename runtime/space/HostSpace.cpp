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
#include <numeric>

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
  if (!hasCores(form))
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

/// The bytes of each slot of a worker. A kernel of the form across says those
/// for as many loop elements as it runs at once in long rows.
static Expected<std::vector<size_t>> slotSizes(const Launch &launch,
                                               const KernelInfo &kernel) {
  Expected<std::vector<ScratchSize>> sizes = scratchSizes(launch, kernel);
  if (!sizes)
    return sizes.error();
  std::vector<size_t> bytes;
  for (const ScratchSize &size : *sizes)
    bytes.push_back(
        size_t(kernel.form == Form::Across
                   ? size.bytes / kernel.elements *
                         mostAcross(kernel.elements, launch.layout.extents[0])
                   : size.bytes));
  return bytes;
}

/// Whether a kernel of the form across takes a call: how many loop elements it
/// needs, and how much memory for local arrays, is known only once it exists.
static bool isServed(const Launch &launch, const KernelInfo &kernel) {
  Expected<std::vector<size_t>> sizes = slotSizes(launch, kernel);
  return sizes &&
         std::accumulate(sizes->begin(), sizes->end(), size_t(0)) <=
             mostScratchAcross &&
         launch.layout.extents[0] >=
             fewestAcross(kernel.elements, launch.operands);
}

static Expected<std::shared_ptr<const LoadedKernel>>
choose(const Launch &launch, bool mayGoAcross = true) {
  std::vector<OperandFacts> facts = factsOf(launch);
  const FunctionKind kind = launch.function->kind;
  auto choose = [&](Form form) {
    return chooseKernel(launch, kind, form, Schedule{}, facts, nullptr);
  };
  // Some loop elements run twice, so no result may be an input's memory.
  if (mayGoAcross && kind == FunctionKind::Gufunc && launch.disjoint &&
      launch.order == TileOrder::Any &&
      goesAcross(launch.layout, launch.operands)) {
    auto across = choose(Form::Across);
    if (!across)
      return across;
    const KernelInfo &kernel = (*across)->code->kernel;
    if (kernel.form != Form::Across || isServed(launch, kernel))
      return across;
  }
  return choose(wantedHostForm(kind, launch.layout, facts, launch.disjoint));
}

static void describe(const KernelInfo &kernel, const Launch &launch,
                     kern_call_report &report) {
  copyText(report.kernel, kernel.symbol);
  bool packs =
      isBlocked(kernel.form) && isStrided(launch.layout, launch.operands);
  copyText(report.form, name(packs ? Form::Strided : kernel.form));
  report.grid = report.block = report.group = 1;
}

static Status run(const Launch &launch, const LoadedKernel &chosen,
                  kern_call_report &report) {
  const KernelInfo &kernel = chosen.code->kernel;
  describe(kernel, launch, report);
  Expected<std::vector<size_t>> scratch = slotSizes(launch, kernel);
  if (!scratch)
    return scratch.error();
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
      loop.run(chosen.code->entry, places, *scratch,
               kernel.checks.empty() ? nullptr : &record);
  if (!threads)
    return threads.error().in(launch.function->name);
  report.grid = *threads;
  return checkFailure(record, *launch.function, kernel);
}

Status HostSpace::launch(const Launch &launch, kern_call_report &report) {
  auto chosen = choose(launch);
  if (!chosen)
    return chosen.error();
  Status done = run(launch, **chosen, report);
  // Results share no memory with inputs, so that they can be written again.
  if (done || done.error().code != ErrorCode::out_of_memory ||
      (*chosen)->code->kernel.form != Form::Across)
    return done;
  chosen = choose(launch, /*mayGoAcross=*/false);
  if (!chosen)
    return chosen.error();
  return run(launch, **chosen, report);
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
