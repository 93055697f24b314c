//===- HostSpace.cpp - calls on the CPU -----------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/launch/HostSpace.h"
#include "runtime/array/HostCopy.h"
#include "runtime/device/host/Memory.h"
#include "runtime/launch/ChooseKernel.h"
#include "runtime/launch/HostLoop.h"

#include <algorithm>
#include <cstring>

using namespace kern;

void kern::copyText(std::span<char> field, std::string_view text) {
  size_t length = std::min(field.size() - 1, text.size());
  std::memcpy(field.data(), text.data(), length);
  field[length] = 0;
}

Expected<std::shared_ptr<void>> HostSpace::allocate(size_t bytes) {
  return host::allocate(bytes);
}

Status HostSpace::copy(const StridedView &destination,
                       const StridedView &source) {
  copyOnHost(destination, source);
  return {};
}

/// The largest operand of one loop element stands for its work.
static int64_t workOf(const Launch &launch, Form form) {
  int64_t work = 1;
  if (form != Form::General)
    return work;
  for (int64_t dim : launch.dims)
    if (__builtin_mul_overflow(work, std::max<int64_t>(dim, 1), &work))
      return INT64_MAX;
  return work;
}

static Expected<std::shared_ptr<const LoadedKernel>>
choose(const Launch &launch) {
  std::vector<OperandFacts> facts = factsOf(launch);
  Form wanted = wantedHostForm(launch.function->kind, launch.layout, facts);
  return chooseKernel(launch, wanted, facts, nullptr);
}

static void describe(const KernelInfo &kernel, kern_call_report &report) {
  copyText(report.kernel, kernel.symbol);
  copyText(report.form, name(kernel.form));
  report.grid = report.block = report.group = 1;
}

Status HostSpace::launch(const Launch &launch, kern_call_report &report) {
  auto chosen = choose(launch);
  if (!chosen)
    return chosen.error();
  const KernelInfo &kernel = (*chosen)->code->kernel;
  describe(kernel, report);
  report.grid =
      runHostLoop((*chosen)->code->entry, kernel.form, launch.layout,
                  launch.dims, launch.operands, workOf(launch, kernel.form));
  return {};
}

Expected<std::optional<FrozenLaunch>> HostSpace::freeze(const Launch &launch) {
  auto chosen = choose(launch);
  if (!chosen)
    return chosen.error();
  FrozenLaunch frozen;
  frozen.kernel = std::move(*chosen);
  const KernelInfo &kernel = frozen.kernel->code->kernel;
  frozen.work = workOf(launch, kernel.form);
  describe(kernel, frozen.report);
  if (isOneRun(kernel.form, launch.layout, launch.operands, frozen.work)) {
    int64_t run = launch.layout.rank() ? launch.layout.extents[0] : 1;
    frozen.words = hostWords(kernel.form, run, launch.dims, launch.operands);
    frozen.isOneRun = frozen.words.words.size() <= FrozenLaunch::mostWords;
  }
  if (!frozen.isOneRun) {
    frozen.layout = launch.layout;
    frozen.dims = launch.dims;
    frozen.operands = launch.operands;
  }
  return std::optional(std::move(frozen));
}
