//===- HostLoop.cpp - loops around a host kernel --------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/launch/HostLoop.h"
#include "runtime/device/host/Memory.h"
#include "runtime/device/host/ThreadPool.h"
#include "runtime/launch/BlockWorker.h"

#include <algorithm>
#include <mutex>
#include <utility>

using namespace kern;

namespace {
/// Below this many elements waking another thread costs more than it saves:
/// adding 2^16 of them takes 6 µs, and a thread of a busy machine 40 to wake.
constexpr int64_t threadedWork = 1 << 18;

int64_t ceilDivide(int64_t a, int64_t b) { return a / b + (a % b != 0); }

/// The tiles of a layout, numbered.
class TileGrid {
public:
  TileGrid(const Layout &layout, const HostTiling &tiling)
      : tiling(tiling), n0(layout.rank() ? layout.extents[0] : 1),
        allRows(layout.outerCount(1)), across(ceilDivide(n0, tiling.columns)),
        along(ceilDivide(tiling.band, tiling.rows)) {}

  int64_t count() const { return across * along * (allRows / tiling.band); }

  TilePlace operator[](int64_t tile) const {
    int64_t column = tile % across * tiling.columns;
    int64_t inBand = tile / across % along * tiling.rows;
    int64_t band = tile / across / along * tiling.band;
    return {column, std::min(tiling.columns, n0 - column), band + inBand,
            std::min(tiling.rows, tiling.band - inBand)};
  }

private:
  const HostTiling &tiling;
  int64_t n0, allRows, across, along;
};

/// One thread's part of a call of a kernel that takes strides: a run for each
/// row of a tile.
class StridedWorker {
public:
  StridedWorker(HostEntry entry, const Layout &layout, KernelWords words,
                std::span<const KernelOperand> operands)
      : entry(entry), layout(layout), words(std::move(words)),
        operands(operands) {}

  /// Memory of its own for the kernel's slots.
  Status allocate(std::span<const size_t> scratch) {
    for (size_t bytes : scratch) {
      auto memory = host::allocate(bytes);
      if (!memory)
        return memory.error();
      words.words.push_back(
          int64_t(reinterpret_cast<uintptr_t>(memory->get())));
      slots.push_back(std::move(*memory));
    }
    return {};
  }

  void run(const TilePlace &tile) {
    words.words[0] = tile.columns;
    Odometer position(layout, 1, tile.row);
    for (int64_t row = 0; row < tile.rows; ++row) {
      for (size_t k = 0; k < operands.size(); ++k)
        words.words[words.pointerAt[k]] = int64_t(
            reinterpret_cast<uintptr_t>(pointer(k, tile.column, position)));
      entry(words.words.data());
      position.advance();
    }
  }

private:
  const std::byte *pointer(size_t k, int64_t column, const Odometer &position) {
    const KernelOperand &operand = operands[k];
    if (operand.isScalar)
      return operand.value.data();
    const std::byte *data = operand.data + position.offset(k);
    return layout.rank() ? data + column * layout.strides[k][0] : data;
  }

  HostEntry entry;
  const Layout &layout;
  KernelWords words;
  std::span<const KernelOperand> operands;
  std::vector<std::shared_ptr<void>> slots;
};

/// The layout with its fastest outer dimension next to the innermost.
Layout inTileOrder(Layout layout) {
  if (size_t fastest = fastestOuterDimension(layout); fastest > 1) {
    std::swap(layout.extents[1], layout.extents[fastest]);
    for (Extents &strides : layout.strides)
      std::swap(strides[1], strides[fastest]);
  }
  return layout;
}
} // namespace

/// Enough work to wake other threads for.
static bool paysForThreads(const Layout &layout, int64_t workPerElement) {
  int64_t work = 0;
  return __builtin_mul_overflow(layout.count(),
                                std::max<int64_t>(workPerElement, 1), &work) ||
         work >= threadedWork;
}

bool kern::isOneRun(const KernelInfo &kernel, const Layout &layout,
                    std::span<const KernelOperand> operands,
                    int64_t workPerElement) {
  if (layout.rank() > 1 || paysForThreads(layout, workPerElement))
    return false;
  if (kernel.form != Form::Contiguous)
    return true;
  return layout.rank() == 1 && layout.extents[0] % kernel.elements == 0 &&
         std::ranges::all_of(operands, [](const KernelOperand &operand) {
           return !operand.isScalar &&
                  operand.loopStrides[0] == int64_t(itemSize(operand.dtype));
         });
}

KernelWords kern::wordsOfOneRun(const KernelInfo &kernel, const Layout &layout,
                                std::span<const int64_t> dims,
                                std::span<const KernelOperand> operands) {
  int64_t count = layout.rank() ? layout.extents[0] : 1;
  if (kernel.form != Form::Contiguous)
    return hostWords(kernel.form, count, dims, operands);
  int64_t elements = kernel.elements;
  KernelWords words = hostWords(kernel.form, count / elements, dims, operands);
  for (size_t at : words.pointerAt)
    words.words[at + 1] *= elements;
  return words;
}

Expected<unsigned> kern::runHostLoop(HostEntry entry, const KernelInfo &kernel,
                                     const Layout &given,
                                     std::span<const int64_t> dims,
                                     std::span<const KernelOperand> operands,
                                     int64_t workPerElement,
                                     std::span<const size_t> scratch) {
  Layout layout = inTileOrder(given);
  HostTilingFacts facts;
  facts.form = kernel.form;
  facts.elements = kernel.elements;
  facts.workPerElement = std::max<int64_t>(workPerElement, 1);
  host::ThreadPool *pool = paysForThreads(layout, workPerElement)
                               ? &host::ThreadPool::shared()
                               : nullptr;
  facts.threads = pool ? pool->size() : 1;
  HostTiling tiling = hostTiling(layout, operands, facts);
  TileGrid grid(layout, tiling);

  auto runTiles = [&](auto &worker, int64_t begin, int64_t end) {
    for (int64_t tile = begin; tile < end; ++tile)
      worker.run(grid[tile]);
  };
  std::mutex mutex;
  Status status;
  auto run = [&](int64_t begin, int64_t end) {
    if (tiling.walks.empty()) {
      StridedWorker worker(entry, layout,
                           hostWords(kernel.form, 0, dims, operands), operands);
      if (Status allocated = worker.allocate(scratch); !allocated) {
        std::lock_guard lock(mutex);
        status = allocated;
        return;
      }
      runTiles(worker, begin, end);
    } else {
      BlockWorker worker(entry, kernel.elements, layout, tiling, operands);
      runTiles(worker, begin, end);
    }
  };
  unsigned threads = 1;
  if (pool)
    threads = pool->run(grid.count(), run);
  else
    run(0, grid.count());
  if (!status)
    return status.error();
  return threads;
}
