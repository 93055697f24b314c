//===- HostCopy.cpp - strided copies in host memory -----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/transfer/HostCopy.h"
#include "runtime/array/ElementCopy.h"
#include "runtime/device/host/ThreadPool.h"
#include "runtime/plan/HostThreads.h"
#include "runtime/plan/Layout.h"

#include <algorithm>
#include <array>
#include <cstring>

using namespace kern::runtime;

namespace {
/// Elements per task: enough to outweigh its overhead.
constexpr int64_t taskElements = 1 << 16;

/// Visits a layout in runs along its innermost dimension, on as many threads as
/// are worth it. Calls `run(n, place)`, where `place(k)` is the address in
/// operand k, whose first element is at `data[k]`.
template <size_t count, typename Run>
void overRuns(const Layout &layout, std::array<std::byte *, count> data,
              bool isPlain, Run run) {
  int64_t n = layout.rank() ? layout.extents[0] : 1;
  int64_t runs = ceilDivide(n, taskElements);
  int64_t tasks = runs * layout.outerCount(1);
  auto part = [&](int64_t begin, int64_t end) {
    Odometer row(layout, 1, begin / runs);
    for (int64_t task = begin; task < end; ++task) {
      int64_t first = task % runs * taskElements;
      run(std::min(n - first, taskElements), [&](size_t k) {
        return data[k] + row.offset(k) +
               (first ? first * layout.strides[k][0] : 0);
      });
      if ((task + 1) % runs == 0)
        row.advance();
    }
  };
  int64_t time = picoseconds({layout.count(), 0, 1, isPlain ? 0u : 1u});
  if (hostThreads(time, 2) == 1)
    return part(0, tasks);
  host::ThreadPool &pool = host::ThreadPool::shared();
  pool.run(tasks, hostThreads(time, pool.available()), part);
}

int64_t innerStride(const Layout &layout, size_t k) {
  return layout.rank() ? layout.strides[k][0] : 0;
}
} // namespace

void kern::runtime::copyOnHost(const StridedView &destination,
                               const StridedView &source) {
  const Strides strides[] = {destination.strides, source.strides};
  Layout layout = planLayout(destination.shape, strides);
  if (layout.isEmpty)
    return;
  ConvertLoop convert = convertLoop(source.dtype, destination.dtype);
  auto size = int64_t(itemSize(source.dtype));
  int64_t toStride = innerStride(layout, 0),
          fromStride = innerStride(layout, 1);
  // A bool is normalised to 0 or 1, so it is not copied as plain bytes.
  bool isPlain = source.dtype == destination.dtype &&
                 source.dtype != DType::Bool && toStride == size &&
                 fromStride == size;
  overRuns<2>(
      layout,
      {destination.data + layout.offsets[0], source.data + layout.offsets[1]},
      isPlain, [&](int64_t n, auto place) {
        if (isPlain)
          std::memcpy(place(0), place(1), size_t(n * size));
        else
          convert(n, place(1), fromStride, place(0), toStride);
      });
}

void kern::runtime::copyOnHostWhere(const StridedView &destination,
                                    const StridedView &source,
                                    const StridedView &mask) {
  const Strides strides[] = {destination.strides, source.strides, mask.strides};
  Layout layout = planLayout(destination.shape, strides);
  if (layout.isEmpty)
    return;
  ConvertLoop convert = convertLoop(source.dtype, destination.dtype);
  int64_t toStride = innerStride(layout, 0),
          fromStride = innerStride(layout, 1),
          maskStride = innerStride(layout, 2);
  size_t size = itemSize(source.dtype);
  bool isPlain =
      source.dtype == destination.dtype && source.dtype != DType::Bool;
  auto copyTrue = [&](int64_t n, auto place) {
    std::byte *to = place(0);
    const std::byte *from = place(1), *truth = place(2);
    if (isPlain)
      return copyWhere(size, n, to, toStride, from, fromStride, truth,
                       maskStride);
    // Runs of true elements.
    for (int64_t begin = 0, end = 0; begin < n; begin = end + 1) {
      end = begin;
      while (end < n && truth[end * maskStride] != std::byte(0))
        ++end;
      if (end > begin)
        convert(end - begin, from + begin * fromStride, fromStride,
                to + begin * toStride, toStride);
    }
  };
  overRuns<3>(layout,
              {destination.data + layout.offsets[0],
               source.data + layout.offsets[1], mask.data + layout.offsets[2]},
              /*isPlain=*/false, copyTrue);
}

Expected<ManagedArray> kern::runtime::copyOnHost(const StridedView &source) {
  Strides strides = contiguousStrides(source.shape, itemSize(source.dtype));
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
