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
#include <exception>
#include <functional>
#ifdef __x86_64__
#include <emmintrin.h>
#endif

using namespace kern::runtime;

namespace {
/// Elements per task: enough to outweigh its overhead, and few enough that
/// threads end together.
constexpr int64_t taskElements = 1 << 14;

/// A copy in tasks that any thread can do. None for an empty array.
struct CopyTasks {
  int64_t count = 0;
  std::function<void(int64_t begin, int64_t end)> run;
  int64_t elements = 0;
  bool isPlain = false; ///< bytes are copied as they are
};

/// Visits a layout in runs along its innermost dimension. Calls `run(n,
/// place)`, where `place(k)` is the address in operand k, whose first element
/// is at `data[k]`.
template <size_t count, typename Run>
CopyTasks overRuns(Layout layout, std::array<std::byte *, count> data,
                   bool isPlain, Run run) {
  CopyTasks out;
  if (layout.isEmpty)
    return out;
  const int64_t n = layout.rank() ? layout.extents[0] : 1;
  const int64_t runs = ceilDivide(n, taskElements);
  out.count = runs * layout.outerCount(1);
  out.elements = layout.count();
  out.isPlain = isPlain;
  for (size_t k = 0; k < count; ++k)
    data[k] += layout.offsets[k];
  out.run = [=, layout = std::move(layout)](int64_t begin, int64_t end) {
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
  return out;
}

void runTasks(const CopyTasks &tasks) {
  const int64_t time =
      picoseconds({tasks.elements, 0, 1, tasks.isPlain ? 0u : 1u});
  if (tasks.count == 0)
    return;
  if (hostThreads(time, 2) == 1)
    return tasks.run(0, tasks.count);
  host::ThreadPool &pool = host::ThreadPool::shared();
  pool.run(tasks.count, hostThreads(time, pool.available()), tasks.run);
}

int64_t innerStride(const Layout &layout, size_t k) {
  return layout.rank() ? layout.strides[k][0] : 0;
}

/// A run that is worth going past the caches: each ends with a fence, and lines
/// of which it has only a part are read from memory and written at once.
constexpr int64_t leastStreamed = 4096;

/// std::memcpy() past the caches.
void streamBytes(std::byte *to, const std::byte *from, size_t bytes) {
#ifdef __x86_64__
  const size_t before =
      std::min(-reinterpret_cast<uintptr_t>(to) % sizeof(__m128i), bytes);
  std::memcpy(to, from, before);
  size_t at = before;
  for (; at + sizeof(__m128i) <= bytes; at += sizeof(__m128i))
    _mm_stream_si128(
        reinterpret_cast<__m128i *>(to + at),
        _mm_loadu_si128(reinterpret_cast<const __m128i *>(from + at)));
  _mm_sfence(); // other threads see what is behind a lock
  std::memcpy(to + at, from + at, bytes - at);
#else
  std::memcpy(to, from, bytes);
#endif
}

CopyTasks tasksOf(const StridedView &destination, const StridedView &source,
                  bool isStreamed) {
  const Strides strides[] = {destination.strides, source.strides};
  Layout layout = planLayout(destination.shape, strides);
  ConvertLoop convert = convertLoop(source.dtype, destination.dtype);
  const auto size = int64_t(itemSize(source.dtype));
  const int64_t toStride = innerStride(layout, 0),
                fromStride = innerStride(layout, 1);
  // A bool is normalised to 0 or 1, so it is not copied as plain bytes.
  const bool isPlain = source.dtype == destination.dtype &&
                       source.dtype != DType::Bool && toStride == size &&
                       fromStride == size;
  return overRuns<2>(std::move(layout), {destination.data, source.data},
                     isPlain, [=](int64_t n, auto place) {
                       if (!isPlain)
                         convert(n, place(1), fromStride, place(0), toStride);
                       else if (isStreamed && n * size >= leastStreamed)
                         streamBytes(place(0), place(1), size_t(n * size));
                       else
                         std::memcpy(place(0), place(1), size_t(n * size));
                     });
}

CopyTasks tasksWhere(const StridedView &destination, const StridedView &source,
                     const StridedView &mask) {
  const Strides strides[] = {destination.strides, source.strides, mask.strides};
  Layout layout = planLayout(destination.shape, strides);
  ConvertLoop convert = convertLoop(source.dtype, destination.dtype);
  const int64_t toStride = innerStride(layout, 0),
                fromStride = innerStride(layout, 1),
                maskStride = innerStride(layout, 2);
  const size_t size = itemSize(source.dtype);
  const bool isPlain =
      source.dtype == destination.dtype && source.dtype != DType::Bool;
  auto copyTrue = [=](int64_t n, auto place) {
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
  return overRuns<3>(std::move(layout),
                     {destination.data, source.data, mask.data},
                     /*isPlain=*/false, copyTrue);
}
} // namespace

void kern::runtime::copyOnHost(const StridedView &destination,
                               const StridedView &source) {
  runTasks(tasksOf(destination, source, /*isStreamed=*/false));
}

void kern::runtime::copyOnHostWhere(const StridedView &destination,
                                    const StridedView &source,
                                    const StridedView &mask) {
  runTasks(tasksWhere(destination, source, mask));
}

void kern::runtime::copyTogether(std::span<const HostCopy> copies,
                                 const std::function<void()> &meanwhile) {
  std::vector<CopyTasks> each;
  std::vector<int64_t> ends; ///< of the tasks of all copies up to each
  int64_t tasks = 0, bytes = 0;
  for (const HostCopy &copy : copies) {
    each.push_back(
        copy.mask ? tasksWhere(copy.destination, copy.source, *copy.mask)
                  : tasksOf(copy.destination, copy.source, copy.isStreamed));
    ends.push_back(tasks += each.back().count);
    bytes += each.back().elements * int64_t(itemSize(copy.source.dtype));
  }
  host::ThreadPool &pool = host::ThreadPool::shared();
  const int64_t first = meanwhile ? 1 : 0;
  std::exception_ptr thrown;
  pool.run(tasks + first, copyThreads(bytes, pool.available()),
           [&](int64_t begin, int64_t end) {
             // The calling thread takes the first range.
             if (begin == 0 && first)
               try {
                 meanwhile();
               } catch (...) {
                 thrown = std::current_exception();
               }
             begin = std::max<int64_t>(begin - first, 0);
             end -= first;
             for (size_t k = 0; k < each.size() && begin < end; ++k) {
               const int64_t before = ends[k] - each[k].count;
               if (begin >= ends[k])
                 continue;
               const int64_t stop = std::min(end, ends[k]);
               each[k].run(begin - before, stop - before);
               begin = stop;
             }
           });
  if (thrown)
    std::rethrow_exception(thrown);
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
