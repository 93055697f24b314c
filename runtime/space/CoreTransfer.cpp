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
/// The lines that are fetched while as many are transposed. Each is on a page
/// of its own, so that the CPU does not fetch them by itself.
constexpr int64_t linesAhead = 16;

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

/// Calls `visit(offset, packed)` for each line along the inner dimension, with
/// its offsets in the array and in the buffer's loop element.
template <typename Visit> void CoreTransfer::forLines(Visit visit) const {
  std::vector<int64_t> index(outer.size());
  int64_t offset = 0, packed = 0;
  for (;;) {
    visit(offset, packed);
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
  auto size = int64_t(itemSize);
  forLines([&](int64_t offset, int64_t packed) {
    const std::byte *from = array + offset;
    for (int64_t i = 0; i < inner.extent; i += linesAhead) {
      int64_t lines = std::min(linesAhead, inner.extent - i);
      int64_t last = std::min(i + 2 * linesAhead, inner.extent);
      for (int64_t next = i + linesAhead; next < last; ++next)
        for (int64_t at = 0; at < count * size; at += cacheLine)
          __builtin_prefetch(from + next * inner.stride + at);
      transpose(itemSize, lines, count, buffer + packed + i * size,
                elementPitch, from + i * inner.stride, inner.stride,
                /*writesWhole=*/false);
    }
  });
}

void CoreTransfer::take(const std::byte *buffer, std::byte *array,
                        int64_t count) const {
  forLines([&](int64_t offset, int64_t packed) {
    transpose(itemSize, count, inner.extent, array + offset, inner.stride,
              buffer + packed, elementPitch, /*writesWhole=*/true);
  });
}
