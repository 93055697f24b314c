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

Status HostSpace::launch(const Launch &launch, kern_call_report &report) {
  std::vector<OperandFacts> facts = factsOf(launch);
  Form wanted = wantedHostForm(launch.function->kind, launch.layout, facts);
  auto chosen = chooseKernel(launch, wanted, facts, nullptr);
  if (!chosen)
    return chosen.error();
  const KernelInfo &kernel = (*chosen)->code->kernel;

  // The largest operand of one loop element stands for its work.
  int64_t work = 1;
  for (int64_t dim : launch.dims)
    if (__builtin_mul_overflow(work, std::max<int64_t>(dim, 1), &work))
      work = INT64_MAX;
  if (kernel.form != Form::General)
    work = 1;

  unsigned threads =
      runHostLoop((*chosen)->code->entry, kernel.form, launch.layout,
                  launch.dims, launch.operands, work);
  copyText(report.kernel, kernel.symbol);
  copyText(report.form, name(kernel.form));
  report.grid = threads;
  report.block = report.group = 1;
  return {};
}
