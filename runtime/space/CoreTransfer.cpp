//===- CoreTransfer.cpp - a gufunc's tiles and buffers --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/space/CoreTransfer.h"
#include "runtime/array/ElementCopy.h"
#include "runtime/plan/HostTiling.h"
#include "runtime/plan/Layout.h"

#include <algorithm>

using namespace kern::runtime;

namespace {
constexpr int64_t cacheLine = 64;
/// Rows of the array are copied a group at a time, while those that come some
/// groups later are fetched: each is on a page of its own, so that the CPU does
/// not fetch them by itself. It does so along wide ones.
constexpr int64_t group = 16, ahead = 2 * group, wideRow = 512;

/// An odd number of cache lines, so that the same elements of loop elements are
/// not all in one set of the first-level cache.
int64_t pitchOf(int64_t bytes) {
  constexpr int64_t longElement = 1 << 10;
  return bytes < longElement ? bytes
                             : (ceilDivide(bytes, cacheLine) | 1) * cacheLine;
}
} // namespace

CoreTransfer::CoreTransfer(const KernelOperand &operand)
    : itemSize(kern::runtime::itemSize(operand.dtype)),
      elementPitch(pitchOf(coreBytes(operand))),
      dense(contiguousStrides(operand.coreExtents, itemSize)) {
  std::vector<Dimension> merged;
  for (size_t d = operand.coreExtents.size(); d-- > 0;) {
    Dimension next = {operand.coreExtents[d], operand.coreStrides[d]};
    if (next.extent == 1)
      continue;
    if (!merged.empty() &&
        next.stride == merged.back().extent * merged.back().stride)
      merged.back().extent *= next.extent;
    else
      merged.push_back(next);
  }
  if (merged.empty())
    return;
  inner = merged.front();
  outer.assign(merged.begin() + 1, merged.end());
}

/// Fetches `bytes` of each of `rows` rows into the second-level cache. In the
/// first, rows a power of two apart would drive each other out.
static void fetch(const std::byte *first, int64_t pitch, int64_t rows,
                  int64_t bytes) {
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t at = 0; at < bytes; at += cacheLine)
      __builtin_prefetch(first + row * pitch + at, /*rw=*/0, /*locality=*/2);
}

/// Calls `visit(offset, packed, rows)` for each group of rows along the inner
/// dimension, with its offsets in the array and in the buffer's loop element.
/// `width` bytes of each row are read or written.
template <typename Visit>
void CoreTransfer::forGroups(const std::byte *array, int64_t width,
                             Visit visit) const {
  std::vector<int64_t> index(outer.size());
  int64_t offset = 0, packed = 0;
  for (;;) {
    for (int64_t i = 0; i < inner.extent; i += group) {
      int64_t next = i == 0 ? 0 : i + ahead,
              last = std::min(i + ahead + group, inner.extent);
      if (width < wideRow)
        fetch(array + offset + next * inner.stride, inner.stride, last - next,
              width);
      visit(offset + i * inner.stride, packed + i * int64_t(itemSize),
            std::min(group, inner.extent - i));
    }
    packed += inner.extent * int64_t(itemSize);
    size_t d = 0;
    for (; d < outer.size(); ++d) {
      offset += outer[d].stride;
      if (++index[d] < outer[d].extent)
        break;
      offset -= outer[d].extent * outer[d].stride;
      index[d] = 0;
    }
    if (d == outer.size())
      return;
  }
}

void CoreTransfer::bring(std::byte *buffer, const std::byte *array,
                         int64_t count) const {
  forGroups(array, count * int64_t(itemSize),
            [&](int64_t offset, int64_t packed, int64_t rows) {
              transpose(itemSize, rows, count, buffer + packed, elementPitch,
                        array + offset, inner.stride, /*writesWhole=*/false);
            });
}

void CoreTransfer::take(const std::byte *buffer, std::byte *array,
                        int64_t count) const {
  forGroups(array, count * int64_t(itemSize),
            [&](int64_t offset, int64_t packed, int64_t rows) {
              transpose(itemSize, count, rows, array + offset, inner.stride,
                        buffer + packed, elementPitch, /*writesWhole=*/true);
            });
}
