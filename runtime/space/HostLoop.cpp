//===- HostLoop.cpp - loops around a host kernel --------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/space/HostLoop.h"
#include "runtime/device/host/Memory.h"
#include "runtime/device/host/ThreadPool.h"
#include "runtime/error/Counted.h"
#include "runtime/plan/Form.h"
#include "runtime/plan/HostThreads.h"
#include "runtime/plan/Layout.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <utility>

using namespace kern::runtime;

namespace {
/// The numbered tiles of a layout.
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

/// The layout with its fastest outer dimension next to the innermost.
Layout inTileOrder(Layout layout) {
  if (size_t fastest = fastestOuterDimension(layout); fastest > 1) {
    std::swap(layout.extents[1], layout.extents[fastest]);
    for (Strides &strides : layout.strides)
      std::swap(strides[1], strides[fastest]);
  }
  return layout;
}

/// The number of threads for a loop. One thread does not start the pool.
unsigned threadsFor(const KernelInfo &kernel, const Layout &layout,
                    std::span<const KernelOperand> operands,
                    int64_t workPerElement) {
  HostWork work = {layout.count(), kernel.work, workPerElement};
  bool isMasked = hasMask(operands);
  for (size_t k = 0; k < operands.size() - isMasked; ++k)
    work.packed += passesBuffer(operands[k], isMasked) ||
                   (isBlocked(kernel.form) && isStrided(layout, operands, k));
  // What core dimensions move is not known here.
  for (size_t k = 0; k < operands.size() && workPerElement == 1; ++k)
    if (!operands[k].isScalar && !operands[k].rangeStep)
      work.bytes += layout.bytesOf(k, itemSize(operands[k].inMemory()));
  int64_t time = picoseconds(work);
  return hostThreads(time, 2) == 1
             ? 1
             : hostThreads(time, host::ThreadPool::shared().available());
}

/// The dimensions of a kernel's words. One that goes in parts gets all of a
/// loop element as one part, unless a worker says otherwise.
std::vector<int64_t> dimensionWords(const KernelInfo &kernel,
                                    std::span<const int64_t> dims) {
  std::vector<int64_t> words(dims.begin(), dims.end());
  if (kernel.inParts)
    words.insert(words.end(), {0, 1});
  return words;
}

/// Whether one call does it: contiguous whole blocks, or elements that the
/// kernel strides over.
bool isOneCall(const KernelInfo &kernel, const Layout &layout,
               std::span<const KernelOperand> operands) {
  bool isMasked = hasMask(operands);
  if (layout.rank() > 1 ||
      std::ranges::any_of(operands, [&](const KernelOperand &operand) {
        return operand.isMask || passesBuffer(operand, isMasked);
      }))
    return false;
  if (!isBlocked(kernel.form))
    return true;
  return layout.rank() == 1 && layout.extents[0] % kernel.elements == 0 &&
         std::ranges::all_of(operands, [](const KernelOperand &operand) {
           return !operand.isScalar &&
                  operand.loopStrides[0] == int64_t(itemSize(operand.dtype));
         });
}
} // namespace

HostLoop::HostLoop(const KernelInfo &kernel, const Layout &given,
                   std::span<const int64_t> dims,
                   std::span<const KernelOperand> operands,
                   int64_t workPerElement, TileOrder order)
    : layout(inTileOrder(given)), order(order),
      words(hostWords(kernel.form, 0, dimensionWords(kernel, dims), operands)),
      threads(order == TileOrder::Any
                  ? threadsFor(kernel, given, operands, workPerElement)
                  : 1) {
  bool hasBlocks = isBlocked(kernel.form);
  HostTilingFacts facts;
  facts.form = kernel.form;
  facts.elements = kernel.elements;
  facts.workPerElement = std::max<int64_t>(workPerElement, 1);
  facts.threads = threads;
  facts.inParts = kernel.inParts;
  tiling = hostTiling(layout, operands, facts);
  bool packsCores = !hasBlocks && !tiling.walks.empty();
  if (threads == 1 && !packsCores && words.words.size() <= maxWords &&
      isOneCall(kernel, layout, operands)) {
    isOneRun = true;
    words.words[0] = layout.count() / (hasBlocks ? kernel.elements : 1);
    for (size_t at : words.pointerAt)
      words.words[at + 1] *= hasBlocks ? kernel.elements : 1;
  }
  if (threads == 1 && !isOneRun)
    shortRun = ShortRun::of(kernel, layout, operands);
  // Row by row, nothing beyond the current row is read before it is written.
  if (order != TileOrder::Any && !hasBlocks)
    tiling.rows = 1;
  if (hasBlocks) {
    blocks.emplace(kernel, layout, tiling, operands);
    return;
  }
  // What a buffer brings back is all of a loop element.
  bool isBuffered = std::ranges::any_of(operands, [&](const auto &operand) {
    return passesBuffer(operand, hasMask(operands));
  });
  if (kernel.inParts && !isBuffered) {
    parts = hostParts(layout.count(), threads);
    if (parts > 1)
      tiling.columns = tiling.rows = 1;
  }
  rows.emplace(layout, tiling, words, operands, dims.size());
}

void HostLoop::runOnce(HostEntry entry,
                       std::span<std::byte *const> places) const {
  std::array<int64_t, maxWords> row;
  std::ranges::copy(words.words, row.begin());
  for (size_t k = 0; k < places.size(); ++k)
    row[words.pointerAt[k]] = wordOf(places[k]);
  entry(row.data());
}

/// The shared state of a call's threads.
struct HostLoop::Call {
  const HostLoop &loop;
  HostEntry entry;
  std::span<std::byte *const> places;
  std::span<const size_t> scratch;
  CheckRecord *record;
  TileGrid grid;
  std::mutex mutex;
  Status status;

  bool hasFailed() const {
    return record && std::atomic_ref(record->number).load() != 0;
  }

  void fail(Error error) {
    std::lock_guard lock(mutex);
    status = std::move(error);
  }

  void run(int64_t begin, int64_t end) {
    size_t bytes =
        loop.blocks
            ? loop.blocks->bytes
            : loop.rows->bytes(loop.words.words.size() + 1 + scratch.size());
    std::byte *memory = host::threadMemory(bytes);
    if (!memory)
      return fail(
          Error(ErrorCode::out_of_memory, {sizeText(bytes), "the host"}));
    auto runTiles = [&](auto worker) {
      bool isDescending = loop.order == TileOrder::Descending;
      for (int64_t i = begin; i < end && !hasFailed(); ++i)
        worker.run(grid[isDescending ? grid.count() - 1 - i : i]);
    };
    if (loop.blocks)
      return runTiles(BlockWorker(entry, *loop.blocks, places, memory));
    StridedWorker worker(entry, *loop.rows, places, memory);
    if (Status allocated = worker.allocate(scratch, record); !allocated)
      return fail(allocated.error());
    if (loop.parts == 1)
      return runTiles(std::move(worker));
    for (int64_t i = begin; i < end; ++i) {
      worker.setPart(i % loop.parts, loop.parts);
      worker.run(grid[i / loop.parts]);
    }
  }
};

Expected<unsigned> HostLoop::run(HostEntry entry,
                                 std::span<std::byte *const> places,
                                 std::span<const size_t> scratch,
                                 CheckRecord *record) const {
  const bool isPlain = scratch.empty() && !record;
  if (isOneRun && isPlain) {
    runOnce(entry, places);
    return 1u;
  }
  if (shortRun && isPlain && shortRun->run(entry, places))
    return 1u;
  Call call{*this, entry, places, scratch, record, TileGrid(layout, tiling),
            {},    {}};
  unsigned used = 1;
  if (threads > 1) // one pointer, so that std::function does not allocate
    used = host::ThreadPool::shared().run(
        call.grid.count() * parts, threads,
        [&call](int64_t begin, int64_t end) { call.run(begin, end); });
  else
    call.run(0, call.grid.count());
  if (!call.status)
    return call.status.error();
  return used;
}
