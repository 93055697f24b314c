//===- CudaSpace.cpp - calls on a GPU -------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/space/CudaSpace.h"
#include "runtime/device/cuda/Driver.h"
#include "runtime/device/cuda/Launch.h"
#include "runtime/device/cuda/Memory.h"
#include "runtime/space/BlasLaunch.h"
#include "runtime/space/HostSpace.h"
#include "runtime/space/Launcher.h"
#include "runtime/transfer/Copy.h"
#include "runtime/transfer/CopyKernels.h"

#include <algorithm>
#include <ranges>

using namespace kern::runtime;

Expected<Buffer> CudaSpace::allocate(size_t bytes) {
  return cuda::allocateOrdered(context, bytes, stream);
}

Expected<bool> CudaSpace::canTransfer() const {
  // When a graph is launched, the staging memory holds other transfers.
  cuda::ContextScope scope(*context);
  if (!scope.status)
    return scope.status.error();
  Expected<bool> isCaptured = cuda::isCaptured(context->driver(), stream);
  if (!isCaptured)
    return context->attribute(isCaptured.error()).error();
  return !*isCaptured;
}

Status CudaSpace::copy(const StridedView &destination,
                       const StridedView &source) {
  return copyWithDevice(context, stream, destination, source);
}

Status CudaSpace::copyWhere(const StridedView &destination,
                            const StridedView &source,
                            const StridedView &mask) {
  cuda::ContextScope scope(*context);
  if (!scope.status)
    return scope.status;
  return copyOnDevice(context, stream, destination, source, &mask);
}

Status CudaSpace::clear(void *memory, size_t bytes) {
  cuda::ContextScope scope(*context);
  if (!scope.status)
    return scope.status;
  const cuda::Driver &driver = context->driver();
  return context->attribute(cuda::check(
      driver,
      driver.cuMemsetD8Async(CUdeviceptr(reinterpret_cast<uintptr_t>(memory)),
                             0, bytes, stream),
      "cuMemsetD8Async"));
}

Status CudaSpace::launch(const Launch &launch, kern_call_report &report) {
  context->ensureCurrentOnce();
  cuda::ContextScope scope(*context);
  if (!scope.status)
    return scope.status;
  if (std::optional<BlasLaunch> blas = BlasLaunch::of(launch))
    return blas->run(context, stream, launch, report);
  Expected<std::vector<Launcher>> chain =
      makeLaunchers(context, stream, launch);
  if (!chain)
    return chain.error();
  for (Launcher &launcher : *chain)
    if (Status status = launcher.run(); !status)
      return status.error().status == KERN_ERROR_CHECK // names it already
                 ? status
                 : status.error().in(launch.function->name);
  const Launcher &told = mainOf(*chain);
  told.describe(report, chain->size());
  if (launch.explanation)
    *launch.explanation = told.explain();
  return {};
}

Expected<std::optional<LaunchTemplate>>
CudaSpace::prepare(const Launch &launch) {
  cuda::ContextScope scope(*context);
  if (!scope.status)
    return scope.status.error();
  if (std::optional<BlasLaunch> blas = BlasLaunch::of(launch))
    return std::optional(blas->prepare(*context, launch));
  Expected<std::vector<Launcher>> chain =
      makeLaunchers(context, stream, launch);
  if (!chain)
    return chain.error();
  std::optional<LaunchTemplate> prepared;
  for (Launcher &launcher : std::views::reverse(*chain)) {
    if (launcher.isEmpty())
      continue;
    std::optional<LaunchTemplate> before = launcher.prepare();
    if (!before)
      return before;
    if (prepared) {
      before->isForNow |= prepared->isForNow;
      before->next =
          std::make_shared<const LaunchTemplate>(std::move(*prepared));
    }
    prepared = std::move(before);
  }
  if (prepared)
    mainOf(*chain).describe(prepared->report, chain->size());
  return prepared;
}
