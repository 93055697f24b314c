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

void kern::copyOnHostWhere(const StridedView &destination,
                           const StridedView &source, const StridedView &mask) {
  const Extents strides[] = {destination.strides, source.strides, mask.strides};
  Layout layout = planLayout(destination.shape, strides);
  if (layout.isEmpty)
    return;
  ConvertLoop convert = convertLoop(source.dtype, destination.dtype);
  int64_t n = layout.rank() ? layout.extents[0] : 1;
  auto step = [&](size_t k) {
    return layout.rank() ? layout.strides[k][0] : 0;
  };
  Odometer row(layout, 1, 0);
  for (int64_t i = 0, rows = layout.outerCount(1); i < rows; ++i) {
    std::byte *to = destination.data + layout.offsets[0] + row.offset(0);
    const std::byte *from = source.data + layout.offsets[1] + row.offset(1);
    const std::byte *truth = mask.data + layout.offsets[2] + row.offset(2);
    // Runs of true elements.
    for (int64_t begin = 0, end = 0; begin < n; begin = end + 1) {
      end = begin;
      while (end < n && truth[end * step(2)] != std::byte(0))
        ++end;
      if (end > begin)
        convert(end - begin, from + begin * step(1), step(1),
                to + begin * step(0), step(0));
    }
    row.advance();
  }
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
