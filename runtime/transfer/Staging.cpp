//===- Staging.cpp - transfers between pageable and device memory ---------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/transfer/Staging.h"
#include "runtime/plan/Overlap.h"
#include "runtime/transfer/HostCopy.h"

#include <algorithm>

using namespace kern::runtime;

namespace {
/// Large enough to hide the start of a transfer, small enough to stay in the
/// last-level cache between gathering and transfer.
constexpr size_t chunkBytes = size_t(4) << 20;
/// Enough for a process that transfers only small arrays: pinning a whole chunk
/// takes a millisecond.
constexpr size_t smallChunkBytes = size_t(64) << 10;

/// Part of a transfer: `count` elements of the dense array from `start` on.
struct Slab {
  int64_t start, count;
  Extents shape;   ///< outermost first
  Strides strides; ///< of the host array
  int64_t offset;  ///< of the host array, in bytes
};

/// Splits a layout in which operand 0 is dense and operand 1 is on the host.
std::vector<Slab> slabsOf(const Layout &layout, int64_t maxElements) {
  std::vector<Slab> slabs;
  size_t whole = 0;
  int64_t inner = 1;
  while (whole < layout.rank() && inner <= maxElements / layout.extents[whole])
    inner *= layout.extents[whole++];
  bool all = whole == layout.rank();
  int64_t extent = all ? 1 : layout.extents[whole];
  int64_t part = std::min(extent, std::max<int64_t>(maxElements / inner, 1));
  size_t outer = std::min(whole + 1, layout.rank());
  int64_t rows = layout.outerCount(outer);
  Odometer position(layout, outer, 0);
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t at = 0; at < extent; at += part) {
      int64_t length = std::min(part, extent - at);
      Slab slab;
      slab.start = (row * extent + at) * inner;
      slab.count = length * inner;
      slab.offset = layout.offsets[1] + position.offset(1) +
                    (all ? 0 : at * layout.strides[1][whole]);
      if (!all) {
        slab.shape.push_back(length);
        slab.strides.push_back(layout.strides[1][whole]);
      }
      for (size_t d = whole; d-- > 0;) {
        slab.shape.push_back(layout.extents[d]);
        slab.strides.push_back(layout.strides[1][d]);
      }
      slabs.push_back(std::move(slab));
    }
    position.advance();
  }
  return slabs;
}

/// The layout of a transfer, in the dense array's memory order.
Layout transferLayout(const StridedView &dense, const StridedView &host) {
  const Strides strides[] = {dense.strides, host.strides};
  return planLayoutInOrder(
      dense.shape, strides,
      memoryOrder(dense.shape, std::span(strides).first(1)));
}

StridedView packedView(DType dtype, std::byte *data, const Slab &slab) {
  return {dtype, data, hostDevice(), slab.shape,
          contiguousStrides(slab.shape, itemSize(dtype))};
}
StridedView hostView(const StridedView &array, const Slab &slab) {
  return {array.dtype, array.data + slab.offset, hostDevice(), slab.shape,
          slab.strides};
}
} // namespace

bool kern::runtime::isDense(const StridedView &view) {
  const Strides strides[] = {view.strides};
  Layout layout = planLayout(view.shape, strides);
  return layout.isEmpty || layout.rank() == 0 ||
         (layout.rank() == 1 && layout.offsets[0] == 0 &&
          layout.strides[0][0] == int64_t(itemSize(view.dtype)));
}

Expected<Staging::Chunk *> Staging::nextChunk(size_t bytes) {
  Chunk &chunk = chunks[turn];
  turn = (turn + 1) % chunks.size();
  if (chunk.size)
    if (Status status = chunk.done.wait(); !status)
      return status.error();
  if (chunk.size >= bytes)
    return &chunk;
  if (!chunk.size) {
    Expected<cuda::Event> event = cuda::Event::create(context);
    if (!event)
      return event.error();
    chunk.done = std::move(*event);
  }
  size_t size = bytes <= smallChunkBytes ? smallChunkBytes : chunkBytes;
  Expected<cuda::PinnedMemory> memory =
      cuda::PinnedMemory::allocate(context, size);
  if (!memory)
    return memory.error();
  chunk.memory = std::move(*memory);
  chunk.size = size;
  return &chunk;
}

bool Staging::isDirect(const Layout &layout, const StridedView &host,
                       const StridedView &device) const {
  const auto size = int64_t(itemSize(host.dtype));
  const bool inOrder = layout.rank() == 1 && layout.offsets[1] == 0 &&
                       layout.strides[1][0] == size &&
                       host.dtype == device.dtype && host.dtype != DType::Bool;
  if (!inOrder || size_t(layout.count() * size) < chunkBytes)
    return false;
  const auto memory = memoryOf(host);
  return memory && cuda::isPinned(context, memory->first, memory->second);
}

Status Staging::complete(CUstream stream) const {
  const cuda::Driver &driver = context.driver();
  cuda::CaptureUndisturbed undisturbed(driver);
  return cuda::check(driver, driver.cuStreamSynchronize(stream),
                     "cuStreamSynchronize");
}

Status Staging::upload(const StridedView &destination,
                       const StridedView &source, CUstream stream) {
  std::lock_guard lock(mutex);
  size_t size = itemSize(destination.dtype);
  Layout layout = transferLayout(destination, source);
  if (layout.isEmpty)
    return {};
  const cuda::Driver &driver = context.driver();
  if (isDirect(layout, source, destination)) {
    if (Status status = cuda::check(
            driver,
            driver.cuMemcpyHtoDAsync(CUdeviceptr(destination.data), source.data,
                                     size_t(layout.count()) * size, stream),
            "cuMemcpyHtoDAsync");
        !status)
      return status;
    return complete(stream);
  }
  for (const Slab &slab : slabsOf(layout, int64_t(chunkBytes / size))) {
    Expected<Chunk *> chunk = nextChunk(size_t(slab.count) * size);
    if (!chunk)
      return chunk.error();
    std::byte *pinned = (*chunk)->memory.data();
    copyOnHost(packedView(destination.dtype, pinned, slab),
               hostView(source, slab));
    if (Status status = cuda::check(
            driver,
            driver.cuMemcpyHtoDAsync(
                CUdeviceptr(destination.data + slab.start * int64_t(size)),
                pinned, size_t(slab.count) * size, stream),
            "cuMemcpyHtoDAsync");
        !status)
      return status;
    if (Status status = (*chunk)->done.record(stream); !status)
      return status;
  }
  return {};
}

Status Staging::download(const StridedView &destination,
                         const StridedView &source, CUstream stream) {
  std::lock_guard lock(mutex);
  size_t size = itemSize(source.dtype);
  Layout layout = transferLayout(source, destination);
  if (layout.isEmpty)
    return {};
  const cuda::Driver &driver = context.driver();
  if (isDirect(layout, destination, source)) {
    if (Status status = cuda::check(
            driver,
            driver.cuMemcpyDtoHAsync(destination.data, CUdeviceptr(source.data),
                                     size_t(layout.count()) * size, stream),
            "cuMemcpyDtoHAsync");
        !status)
      return status;
    return complete(stream);
  }
  std::vector<Slab> slabs = slabsOf(layout, int64_t(chunkBytes / size));
  Chunk *previous = nullptr;
  auto scatter = [&](const Slab &slab, Chunk &chunk) -> Status {
    if (Status status = chunk.done.wait(); !status)
      return status;
    copyOnHost(hostView(destination, slab),
               packedView(source.dtype, chunk.memory.data(), slab));
    return {};
  };
  for (size_t i = 0; i < slabs.size(); ++i) {
    Expected<Chunk *> chunk = nextChunk(size_t(slabs[i].count) * size);
    if (!chunk)
      return chunk.error();
    if (Status status = cuda::check(
            driver,
            driver.cuMemcpyDtoHAsync(
                (*chunk)->memory.data(),
                CUdeviceptr(source.data + slabs[i].start * int64_t(size)),
                size_t(slabs[i].count) * size, stream),
            "cuMemcpyDtoHAsync");
        !status)
      return status;
    if (Status status = (*chunk)->done.record(stream); !status)
      return status;
    if (previous)
      if (Status status = scatter(slabs[i - 1], *previous); !status)
        return status;
    previous = *chunk;
  }
  return scatter(slabs.back(), *previous);
}
