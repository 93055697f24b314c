//===- HostLoop.cpp - loops around a host kernel --------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/launch/HostLoop.h"
#include "runtime/device/host/ThreadPool.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

using namespace kern;

namespace {
/// Below this many elements waking another thread costs more than it saves.
constexpr int64_t threadedWork = 1 << 16;
/// Elements of a tile: a few operands of them fit the second-level cache.
constexpr int64_t tileWork = 1 << 15;
/// Elements of a splat operand: a few of them fit the first-level cache.
constexpr int64_t splatLength = 1024;
/// Edge of a tile of a transpose: 64 cache lines on either side.
constexpr int64_t transposeEdge = 64;

int64_t ceilDivide(int64_t a, int64_t b) { return a / b + (a % b != 0); }

/// Some operand runs faster along the second dimension than along the first.
bool isTransposed(const Layout &layout) {
  if (layout.rank() < 2)
    return false;
  return std::ranges::any_of(layout.strides, [](const Extents &strides) {
    return strides[1] != 0 && std::abs(strides[1]) < std::abs(strides[0]);
  });
}

/// Rows are runs of the innermost dimension; a tile is `columns` of each of
/// `rows` of them.
struct Tiling {
  int64_t columns, rows;
};

Tiling chooseTiling(Form form, const Layout &layout, bool hasSplats,
                    int64_t workPerElement, unsigned threads) {
  int64_t n0 = layout.rank() ? layout.extents[0] : 1;
  int64_t rows = layout.outerCount(1);
  if (form == Form::Strided && isTransposed(layout))
    return {std::min(n0, transposeEdge), std::min(rows, transposeEdge)};
  // Enough tiles for every thread, each large enough to be worth a call.
  int64_t perThread = ceilDivide(layout.count(), int64_t(threads) * 4);
  int64_t elements = std::clamp<int64_t>(
      perThread, 1, std::max<int64_t>(tileWork / workPerElement, 1));
  Tiling tiling;
  tiling.columns = std::min(n0, elements);
  if (form == Form::Contiguous) // whole vectors
    tiling.columns = std::min(n0, ceilDivide(tiling.columns, 64) * 64);
  if (hasSplats)
    tiling.columns = std::min(tiling.columns, splatLength);
  tiling.rows = std::clamp<int64_t>(elements / tiling.columns, 1, rows);
  return tiling;
}

/// The work of one thread: a range of tiles with splats of its own.
class Worker {
public:
  Worker(HostEntry entry, Form form, const Layout &layout, const Tiling &tiling,
         const KernelWords &words, std::span<const KernelOperand> operands)
      : entry(entry), layout(layout), tiling(tiling), words(words),
        operands(operands), splats(operands.size()) {
    if (form != Form::Contiguous)
      return;
    for (size_t k = 0; k < operands.size(); ++k)
      if (operands[k].isScalar ||
          (layout.rank() && operands[k].loopStrides[0] == 0))
        splats[k].bytes.resize(itemSize(operands[k].dtype) *
                               size_t(tiling.columns));
  }

  void run(int64_t begin, int64_t end) {
    int64_t n0 = layout.rank() ? layout.extents[0] : 1;
    int64_t rows = layout.outerCount(1);
    int64_t columnTiles = ceilDivide(n0, tiling.columns);
    for (int64_t tile = begin; tile < end; ++tile) {
      int64_t column = tile % columnTiles * tiling.columns;
      int64_t firstRow = tile / columnTiles * tiling.rows;
      int64_t lastRow = std::min(rows, firstRow + tiling.rows);
      words.words[0] = std::min(n0 - column, tiling.columns);
      Odometer position(layout, 1, firstRow);
      for (int64_t row = firstRow; row < lastRow; ++row) {
        for (size_t k = 0; k < operands.size(); ++k)
          words.words[words.pointerAt[k]] = int64_t(
              reinterpret_cast<uintptr_t>(pointer(k, column, position)));
        entry(words.words.data());
        position.advance();
      }
    }
  }

private:
  struct Splat {
    std::vector<std::byte> bytes;
    const std::byte *source = nullptr; ///< whose value it holds
  };

  const std::byte *pointer(size_t k, int64_t column, const Odometer &position) {
    const KernelOperand &operand = operands[k];
    const std::byte *data = operand.value.data();
    if (!operand.isScalar) {
      data = operand.data + position.offset(k);
      if (layout.rank())
        data += column * operand.loopStrides[0];
    }
    Splat &splat = splats[k];
    if (splat.bytes.empty())
      return data;
    if (splat.source != data) {
      size_t size = itemSize(operand.dtype);
      for (size_t at = 0; at < splat.bytes.size(); at += size)
        std::memcpy(splat.bytes.data() + at, data, size);
      splat.source = data;
    }
    return splat.bytes.data();
  }

  HostEntry entry;
  const Layout &layout;
  const Tiling &tiling;
  KernelWords words; ///< a copy of its own
  std::span<const KernelOperand> operands;
  std::vector<Splat> splats;
};
} // namespace

/// Does the contiguous form need a row of copies of some operand?
static bool hasSplats(Form form, const Layout &layout,
                      std::span<const KernelOperand> operands) {
  return form == Form::Contiguous &&
         std::ranges::any_of(operands, [&](const KernelOperand &operand) {
           return operand.isScalar ||
                  (layout.rank() && operand.loopStrides[0] == 0);
         });
}

/// Enough work to wake other threads for.
static bool paysForThreads(const Layout &layout, int64_t workPerElement) {
  int64_t work = 0;
  return __builtin_mul_overflow(layout.count(),
                                std::max<int64_t>(workPerElement, 1), &work) ||
         work >= threadedWork;
}

bool kern::isOneRun(Form form, const Layout &layout,
                    std::span<const KernelOperand> operands,
                    int64_t workPerElement) {
  return layout.rank() <= 1 && !paysForThreads(layout, workPerElement) &&
         !hasSplats(form, layout, operands);
}

unsigned kern::runHostLoop(HostEntry entry, Form form, const Layout &layout,
                           std::span<const int64_t> dims,
                           std::span<const KernelOperand> operands,
                           int64_t workPerElement) {
  workPerElement = std::max<int64_t>(workPerElement, 1);
  host::ThreadPool *pool = paysForThreads(layout, workPerElement)
                               ? &host::ThreadPool::shared()
                               : nullptr;
  Tiling tiling = chooseTiling(form, layout, hasSplats(form, layout, operands),
                               workPerElement, pool ? pool->size() : 1);
  KernelWords words = hostWords(form, 0, dims, operands);
  int64_t n0 = layout.rank() ? layout.extents[0] : 1;
  int64_t tiles = ceilDivide(n0, tiling.columns) *
                  ceilDivide(layout.outerCount(1), tiling.rows);
  auto run = [&](int64_t begin, int64_t end) {
    Worker(entry, form, layout, tiling, words, operands).run(begin, end);
  };
  if (pool)
    return pool->run(tiles, run);
  run(0, tiles);
  return 1;
}
