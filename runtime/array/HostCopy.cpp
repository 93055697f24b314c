//===- HostCopy.cpp - strided copies in host memory -----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/array/HostCopy.h"
#include "runtime/device/host/ThreadPool.h"
#include "runtime/plan/Layout.h"

#include <algorithm>
#include <cstring>

using namespace kern;

namespace {
/// Elements of one task: large enough to pay for handing it out.
constexpr int64_t taskElements = 1 << 16;

struct Copy {
  ConvertLoop convert;
  bool sameBits; ///< runs of unit stride are plain memory copies
  size_t size;
  const Layout &layout;
  std::byte *destination;
  const std::byte *source;

  void run(int64_t n, std::byte *to, const std::byte *from) const {
    int64_t toStride = layout.strides[0].empty() ? 0 : layout.strides[0][0];
    int64_t fromStride = layout.strides[1].empty() ? 0 : layout.strides[1][0];
    if (sameBits && toStride == int64_t(size) && fromStride == int64_t(size))
      std::memcpy(to, from, size_t(n) * size);
    else
      convert(n, from, fromStride, to, toStride);
  }

  /// Rows [begin, end) of the space outside the innermost dimension.
  void rows(int64_t begin, int64_t end) const {
    int64_t n = layout.extents.empty() ? 1 : layout.extents[0];
    Odometer position(layout, 1, begin);
    for (int64_t row = begin; row < end; ++row) {
      run(n, destination + position.offset(0), source + position.offset(1));
      position.advance();
    }
  }
};
} // namespace

void kern::copyOnHost(const StridedView &destination,
                      const StridedView &source) {
  int64_t count = destination.count();
  if (count == 0)
    return;
  const Extents strides[] = {destination.strides, source.strides};
  Layout layout = planLayout(destination.shape, strides);
  Copy copy = {convertLoop(source.dtype, destination.dtype),
               source.dtype == destination.dtype && source.dtype != DType::Bool,
               itemSize(source.dtype),
               layout,
               destination.data + layout.offsets[0],
               source.data + layout.offsets[1]};
  if (count < 2 * taskElements) {
    copy.rows(0, layout.outerCount(1));
    return;
  }
  int64_t n = layout.extents[0], rows = layout.outerCount(1);
  if (rows == 1) {
    int64_t tasks = (n + taskElements - 1) / taskElements;
    host::ThreadPool::shared().run(tasks, [&](int64_t begin, int64_t end) {
      int64_t first = begin * taskElements;
      copy.run(std::min(n, end * taskElements) - first,
               copy.destination + first * layout.strides[0][0],
               copy.source + first * layout.strides[1][0]);
    });
    return;
  }
  host::ThreadPool::shared().run(
      rows, [&](int64_t begin, int64_t end) { copy.rows(begin, end); });
}

Expected<ManagedArray> kern::copyOnHost(const StridedView &source) {
  Extents strides = contiguousStrides(source.shape, itemSize(source.dtype));
  Expected<ManagedArray> copy =
      newHostArray(source.dtype, source.shape, strides);
  if (!copy)
    return copy.error();
  StridedView destination = source;
  destination.strides = strides;
  destination.device = hostDevice();
  destination.data = static_cast<std::byte *>((*copy)->dl_tensor.data);
  copyOnHost(destination, source);
  return copy;
}
