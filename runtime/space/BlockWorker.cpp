//===- BlockWorker.cpp - a worker for kernels that take contiguous blocks -===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/space/BlockWorker.h"
#include "runtime/array/ElementCopy.h"
#include "runtime/plan/Layout.h"

#include <algorithm>
#include <cstring>

using namespace kern::runtime;

/// A streamed kernel uses streaming stores if its results are aligned to this
/// many bytes (docs/explanation/kernel-abi.md), which is less than a block.
static constexpr size_t streamedAlignment = 64;

/// Parts of the memory are aligned to cache lines.
static size_t padded(int64_t bytes) { return size_t(roundUp(bytes, 64)); }

BlockPlan::BlockPlan(const KernelInfo &kernel, const Layout &layout,
                     const HostTiling &tiling,
                     std::span<const KernelOperand> given)
    : layout(layout), tiling(tiling), isStreamed(kernel.form == Form::Streamed),
      blockElements(kernel.elements),
      words(hostWords(Form::Contiguous, 0, {}, given)),
      isMasked(hasMask(given)) {
  if (isMasked)
    given = given.first(given.size() - 1);
  pitchElements = tiling.runs == HostRuns::Joined
                      ? tiling.columns
                      : roundUp(tiling.columns, blockElements);
  states = padded(int64_t(words.words.size() * sizeof(int64_t)));
  // Four words per operand, as in BlockWorker::State.
  bytes = states + padded(int64_t(given.size() * 4 * sizeof(void *)));
  for (size_t k = 0; k < given.size(); ++k) {
    BlockOperand operand;
    operand.walk = tiling.walks[k];
    operand.isOutput = given[k].isOutput;
    operand.isScalar = given[k].isScalar;
    operand.itemSize = int64_t(itemSize(given[k].dtype));
    operand.pointerAt = words.pointerAt[k];
    operand.transfer = TileTransfer::of(given[k]);
    int64_t blockBytes = blockElements * operand.itemSize;
    operand.buffer = bytes;
    if (operand.walk == HostWalk::Packed) {
      int64_t elements = pitchElements * tiling.rows;
      bytes += padded(elements * operand.itemSize);
      operand.stored = bytes;
      int64_t inner = layout.rank() ? layout.strides[k][0] : 0;
      if (operand.transfer.stops(inner, isMasked && operand.isOutput))
        bytes += padded(elements * operand.transfer.storedSize);
    } else if (operand.walk == HostWalk::Uniform)
      bytes += padded(blockBytes);
    operand.tail = bytes;
    bytes += padded(blockBytes);
    words.words[operand.pointerAt + 1] =
        operand.walk == HostWalk::Uniform ? 0 : blockBytes;
    if (operand.walk == HostWalk::Direct && layout.rank() > 1)
      operand.stackStep = layout.strides[k][1];
    else if (operand.walk == HostWalk::Packed)
      operand.stackStep = pitchElements * operand.itemSize;
    operands.push_back(operand);
  }
}

BlockWorker::BlockWorker(HostEntry entry, const BlockPlan &plan,
                         std::span<std::byte *const> places, std::byte *memory)
    : entry(entry), plan(plan), memory(memory),
      words(reinterpret_cast<int64_t *>(memory)),
      states(reinterpret_cast<State *>(memory + plan.states)) {
  static_assert(sizeof(State) == 4 * sizeof(void *));
  std::copy(plan.words.words.begin(), plan.words.words.end(), words);
  for (size_t k = 0; k < plan.operands.size(); ++k) {
    const BlockOperand &operand = plan.operands[k];
    states[k] = {places[k], nullptr, std::nullopt};
    if (operand.isScalar)
      splat(memory + operand.buffer, places[k], size_t(operand.itemSize),
            plan.blockElements);
  }
  if (plan.isMasked)
    mask = {places.back(), &plan.layout.strides[plan.operands.size()],
            &plan.layout.extents, 1};
}

PackedOperand BlockWorker::array(size_t k) const {
  return {states[k].data, &plan.layout.strides[k], &plan.layout.extents,
          size_t(plan.operands[k].transfer.storedSize)};
}

TileBuffers BlockWorker::buffersOf(const BlockOperand &operand) const {
  return {memory + operand.buffer, memory + operand.stored, plan.pitchElements};
}

void BlockWorker::spread(const BlockOperand &operand,
                         const std::byte *element) {
  Value converted;
  splat(memory + operand.buffer, operand.transfer.element(element, converted),
        size_t(operand.itemSize), plan.blockElements);
}

/// The address in an array of row `row` of a tile.
std::byte *BlockWorker::address(size_t k, const TilePlace &tile,
                                int64_t row) const {
  const Layout &layout = plan.layout;
  std::byte *data = states[k].data + layout.rowOffset(k, tile.row + row);
  return layout.rank() ? data + tile.column * layout.strides[k][0] : data;
}

/// Packs an input, but only once if no outer dimension moves it.
void BlockWorker::fill(size_t k, const TilePlace &tile) {
  const Strides &strides = plan.layout.strides[k];
  const BlockOperand &operand = plan.operands[k];
  State &state = states[k];
  bool staysPut = tile.column == 0 && tile.columns == plan.layout.extents[0] &&
                  std::all_of(strides.begin() + 1, strides.end(),
                              [](int64_t stride) { return stride == 0; });
  if (staysPut && state.source == state.data)
    return;
  TilePlace place = tile;
  if (staysPut) // a later tile may have more rows than this one
    place.rows = plan.tiling.rows;
  bringTile(operand.transfer, buffersOf(operand), array(k), place);
  state.source = staysPut ? std::optional(state.data) : std::nullopt;
}

/// Runs `count` elements of the current run from `first` on, fewer than a
/// block.
void BlockWorker::runTail(int64_t first, int64_t count) {
  for (size_t k = 0; k < plan.operands.size(); ++k) {
    const BlockOperand &operand = plan.operands[k];
    if (operand.walk == HostWalk::Uniform)
      continue;
    std::byte *tail = memory + operand.tail;
    if (!operand.isOutput) {
      std::memcpy(tail, states[k].start + first * operand.itemSize,
                  size_t(count * operand.itemSize));
      // Fill up with the last element: it introduces no new value.
      splat(tail + count * operand.itemSize,
            tail + (count - 1) * operand.itemSize, size_t(operand.itemSize),
            plan.blockElements - count);
    }
    words[operand.pointerAt] = wordOf(tail);
  }
  words[0] = 1;
  entry(words);
  for (size_t k = 0; k < plan.operands.size(); ++k) {
    const BlockOperand &operand = plan.operands[k];
    if (operand.isOutput)
      std::memcpy(states[k].start + first * operand.itemSize,
                  memory + operand.tail, size_t(count * operand.itemSize));
  }
}

/// Sets the beginning of each operand's run in row `row` of a tile.
void BlockWorker::startRow(const TilePlace &tile, int64_t row) {
  for (size_t k = 0; k < plan.operands.size(); ++k) {
    const BlockOperand &operand = plan.operands[k];
    State &state = states[k];
    state.start = memory + operand.buffer;
    if (operand.walk == HostWalk::Direct) {
      state.start = address(k, tile, row);
    } else if (operand.walk == HostWalk::Packed) {
      state.start += row * plan.pitchElements * operand.itemSize;
    } else if (!operand.isScalar) {
      const std::byte *source = address(k, tile, row);
      if (source != state.source)
        spread(operand, source);
      state.source = source;
    }
    words[operand.pointerAt] = wordOf(state.start);
  }
}

int64_t BlockWorker::lead() const {
  for (size_t k = 0; k < plan.operands.size(); ++k) {
    const BlockOperand &operand = plan.operands[k];
    if (!operand.isOutput)
      continue;
    int64_t bytes = -wordOf(states[k].start) & int64_t(streamedAlignment - 1);
    return bytes % operand.itemSize ? 0 : bytes / operand.itemSize;
  }
  return 0;
}

void BlockWorker::runRow(const TilePlace &tile, int64_t row, int64_t count) {
  startRow(tile, row);
  int64_t first = plan.isStreamed ? std::min(lead(), count) : 0;
  if (first) {
    runTail(0, first);
    for (size_t k = 0; k < plan.operands.size(); ++k) {
      const BlockOperand &operand = plan.operands[k];
      int64_t moved =
          operand.walk == HostWalk::Uniform ? 0 : first * operand.itemSize;
      words[operand.pointerAt] = wordOf(states[k].start + moved);
    }
  }
  int64_t blocks = (count - first) / plan.blockElements;
  int64_t done = first + blocks * plan.blockElements;
  words[0] = blocks;
  if (blocks)
    entry(words);
  if (done < count)
    runTail(done, count - done);
}

void BlockWorker::runStack(const TilePlace &tile) {
  startRow(tile, 0);
  int64_t blocks = tile.columns / plan.blockElements;
  for (const BlockOperand &operand : plan.operands)
    words[operand.pointerAt + 1] = operand.stackStep;
  words[0] = tile.rows;
  for (int64_t block = 0; block < blocks; ++block) {
    entry(words);
    for (const BlockOperand &operand : plan.operands)
      if (operand.walk != HostWalk::Uniform)
        words[operand.pointerAt] += plan.blockElements * operand.itemSize;
  }
  int64_t rest = tile.columns % plan.blockElements;
  for (int64_t row = 0; rest && row < tile.rows; ++row) {
    startRow(tile, row);
    runTail(blocks * plan.blockElements, rest);
  }
}

void BlockWorker::run(const TilePlace &tile) {
  for (size_t k = 0; k < plan.operands.size(); ++k)
    if (plan.operands[k].walk == HostWalk::Packed && !plan.operands[k].isOutput)
      fill(k, tile);
  switch (plan.tiling.runs) {
  case HostRuns::Rows:
    for (int64_t row = 0; row < tile.rows; ++row)
      runRow(tile, row, tile.columns);
    break;
  case HostRuns::Joined:
    runRow(tile, 0, tile.rows * tile.columns);
    break;
  case HostRuns::Stacked:
    runStack(tile);
    break;
  }
  for (size_t k = 0; k < plan.operands.size(); ++k) {
    const BlockOperand &operand = plan.operands[k];
    if (operand.walk == HostWalk::Packed && operand.isOutput)
      takeTile(operand.transfer, buffersOf(operand), array(k), tile,
               plan.isMasked ? &mask : nullptr);
  }
}
