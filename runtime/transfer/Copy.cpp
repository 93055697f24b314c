//===- Copy.cpp - copies between any places -------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/transfer/Copy.h"
#include "runtime/device/cuda/Memory.h"
#include "runtime/device/cuda/Platform.h"
#include "runtime/plan/Layout.h"
#include "runtime/trace/Trace.h"
#include "runtime/transfer/CopyKernels.h"
#include "runtime/transfer/HostCopy.h"
#include "runtime/transfer/PeerCopy.h"
#include "runtime/transfer/Staging.h"

#include <algorithm>

using namespace kern::runtime;

namespace {
/// A dense device array in the memory order of `like`.
Expected<StridedView>
packedOnDevice(const std::shared_ptr<cuda::Context> &context, CUstream stream,
               const StridedView &like, DType dtype, Buffer &owner) {
  StridedView packed = like;
  packed.dtype = dtype;
  packed.device = context->device();
  const Strides strides[] = {like.strides};
  packed.strides = packedStrides(like.shape, memoryOrder(like.shape, strides),
                                 itemSize(dtype));
  Expected<Buffer> memory = memoryFor(packed, [&](size_t bytes) {
    return cuda::allocateOrdered(context, bytes, stream);
  });
  if (!memory)
    return memory.error();
  owner = std::move(*memory);
  packed.data = owner.data();
  return packed;
}
} // namespace

Status
kern::runtime::copyOnDevice(const std::shared_ptr<cuda::Context> &context,
                            CUstream stream, const StridedView &destination,
                            const StridedView &source,
                            const StridedView *mask) {
  CopyKernels &copies = context->resource<CopyKernels>();
  if (source.dtype == destination.dtype ||
      (source.isAligned() && destination.isAligned()))
    return copies.copy(destination, source, mask, stream);
  // Conversion loads and stores whole elements, which must be aligned. So an
  // aligned copy of the same type is converted.
  bool first = !source.isAligned();
  const StridedView &like = first ? source : destination;
  Buffer owner; // freed in stream order
  Expected<StridedView> packed =
      packedOnDevice(context, stream, like, like.dtype, owner);
  if (!packed)
    return packed.error();
  if (Status status = copies.copy(*packed, source, nullptr, stream); !status)
    return status;
  return copyOnDevice(context, stream, destination, *packed, mask);
}

/// copyWithDevice() of arrays with elements.
static Status transfer(const std::shared_ptr<cuda::Context> &context,
                       CUstream stream, const StridedView &destination,
                       const StridedView &source) {
  cuda::ContextScope scope(*context);
  if (!scope.status)
    return scope.status;
  Buffer owner; // freed in stream order
  if (isHost(source.device)) {
    if (isDense(destination))
      return context->attribute(
          context->resource<Staging>().upload(destination, source, stream));
    Expected<StridedView> packed =
        packedOnDevice(context, stream, destination, destination.dtype, owner);
    if (!packed)
      return packed.error();
    if (Status status =
            context->resource<Staging>().upload(*packed, source, stream);
        !status)
      return context->attribute(status);
    return copyOnDevice(context, stream, destination, *packed);
  }
  if (!isHost(destination.device))
    return copyOnDevice(context, stream, destination, source);
  if (isDense(source))
    return context->attribute(
        context->resource<Staging>().download(destination, source, stream));
  Expected<StridedView> packed =
      packedOnDevice(context, stream, source, source.dtype, owner);
  if (!packed)
    return packed.error();
  if (Status status = copyOnDevice(context, stream, *packed, source); !status)
    return status;
  return context->attribute(
      context->resource<Staging>().download(destination, *packed, stream));
}

Status
kern::runtime::copyWithDevice(const std::shared_ptr<cuda::Context> &context,
                              CUstream stream, const StridedView &destination,
                              const StridedView &source) {
  if (destination.count() == 0)
    return {};
  auto label = [&] {
    return TraceLabel{KERN_TRACE_TRANSFER,
                      isHost(destination.device) ? "to host"
                      : isHost(source.device)    ? "to device"
                                                 : "on device",
                      "", context->device(),
                      uint64_t(source.count()) * itemSize(source.dtype)};
  };
  return traced(label,
                [&] { return transfer(context, stream, destination, source); });
}

Status kern::runtime::copyAnywhere(const StridedView &destination,
                                   const StridedView &source) {
  bool toHost = isHost(destination.device), fromHost = isHost(source.device);
  if (toHost && fromHost) {
    copyOnHost(destination, source);
    return {};
  }
  const std::shared_ptr<cuda::Platform> platform = cuda::Platform::current();
  int ordinal = toHost ? source.device.device_id : destination.device.device_id;
  Expected<std::shared_ptr<cuda::Context>> context = platform->context(ordinal);
  if (!context)
    return context.error();
  if (!toHost && !fromHost && !sameDevice(destination.device, source.device)) {
    auto from = platform->context(source.device.device_id);
    return from ? copyBetweenGpus(*context, destination, *from, source)
                : from.error();
  }
  // Also waits for the writes of other streams.
  if (!fromHost)
    if (Status status = (*context)->synchronize(); !status)
      return status;
  if (Status status = copyWithDevice(*context, nullptr, destination, source);
      !status)
    return status;
  return toHost ? Status() : (*context)->synchronize();
}
