//===- PeerCopy.cpp - copies from GPU to GPU ------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/transfer/PeerCopy.h"

#include "runtime/device/cuda/Memory.h"
#include "runtime/device/cuda/Peers.h"
#include "runtime/plan/Layout.h"
#include "runtime/trace/Trace.h"
#include "runtime/transfer/Copy.h"
#include "runtime/transfer/Staging.h"

using namespace kern::runtime;

namespace {
/// An array on one of the devices, whose elements lie in memory in C order, or
/// as those of the other.
struct Packed {
  StridedView view;
  Buffer owner; ///< freed in the order of the default stream
};

/// `view` if it lies so, or if `isAlike`, else memory for it.
Expected<Packed> packedFor(const std::shared_ptr<cuda::Context> &context,
                           const StridedView &view, bool isAlike) {
  Packed out = {view, {}};
  if (isAlike || isCContiguous(view))
    return out;
  out.view.strides = contiguousStrides(view.shape, itemSize(view.dtype));
  auto memory = memoryFor(out.view, [&](size_t bytes) {
    return cuda::allocateOrdered(context, bytes, nullptr);
  });
  if (!memory)
    return memory.error();
  out.owner = std::move(*memory);
  out.view.data = out.owner.data();
  return out;
}

Status enqueue(const std::shared_ptr<cuda::Context> &to, const Packed &there,
               const std::shared_ptr<cuda::Context> &from, const Packed &here) {
  cuda::ContextScope scope(*from);
  if (!scope.status)
    return scope.status;
  const cuda::Driver &driver = from->driver();
  auto address = [](const StridedView &view) {
    return CUdeviceptr(reinterpret_cast<uintptr_t>(view.data));
  };
  return cuda::check(
      driver,
      driver.cuMemcpyPeerAsync(
          address(there.view), to->handle(), address(here.view), from->handle(),
          size_t(here.view.count()) * itemSize(here.view.dtype), nullptr),
      "cuMemcpyPeerAsync");
}

Status transfer(const std::shared_ptr<cuda::Context> &to,
                const StridedView &destination,
                const std::shared_ptr<cuda::Context> &from,
                const StridedView &source) {
  for (const auto &context : {from, to})
    if (Status status = context->synchronize(); !status)
      return status;
  to->resource<cuda::Peers>().connect(*to, *from);
  // Both lie in memory in one order, without holes.
  const bool areAlike =
      source.strides == destination.strides && isDense(source);
  Expected<Packed> here = packedFor(from, source, areAlike);
  if (!here)
    return here.error();
  Expected<Packed> there = packedFor(to, destination, areAlike);
  if (!there)
    return there.error();
  if (here->owner)
    if (Status status = copyWithDevice(from, nullptr, here->view, source);
        !status)
      return status;
  // The memory for the copy is there when its allocation is complete.
  if (there->owner)
    if (Status status = to->synchronize(); !status)
      return status;
  if (Status status = from->attribute(enqueue(to, *there, from, *here));
      !status)
    return status;
  if (Status status = from->synchronize(); !status)
    return status;
  if (!there->owner)
    return {};
  if (Status status = copyWithDevice(to, nullptr, destination, there->view);
      !status)
    return status;
  return to->synchronize();
}
} // namespace

Status kern::runtime::copyBetweenGpus(
    const std::shared_ptr<cuda::Context> &to, const StridedView &destination,
    const std::shared_ptr<cuda::Context> &from, const StridedView &source) {
  if (source.count() == 0)
    return {};
  return traced(
      [&] {
        return TraceLabel{KERN_TRACE_TRANSFER, "between devices", "",
                          to->device(),
                          uint64_t(source.count()) * itemSize(source.dtype)};
      },
      [&] { return transfer(to, destination, from, source); });
}
