//===- StridedWorker.cpp - a worker for kernels that take strides ---------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/space/StridedWorker.h"
#include "runtime/device/host/Memory.h"
#include "runtime/plan/Layout.h"

#include <algorithm>

using namespace kern::runtime;

static int64_t innerStride(const Layout &layout, size_t k) {
  return layout.rank() ? layout.strides[k][0] : 0;
}

StridedPlan::StridedPlan(const Layout &layout, const HostTiling &tiling,
                         const KernelWords &words,
                         std::span<const KernelOperand> given, size_t dims)
    : layout(layout), words(words), columns(tiling.columns),
      operands(given.size() - hasMask(given)), partAt(1 + dims),
      isMasked(hasMask(given)) {
  auto place = [&](int64_t bytes) {
    size_t at = end;
    end += size_t(roundUp(bytes, 64)); // whole cache lines
    return at;
  };
  for (size_t k = 0; k < tiling.walks.size(); ++k) {
    if (tiling.walks[k] != HostWalk::Packed)
      continue;
    const KernelOperand &operand = given[k];
    PackedCore core{k, !operand.isNew, operand.isWritten,
                    CoreTransfer(operand)};
    core.at = place(columns * core.transfer.pitch());
    cores.push_back(std::move(core));
  }
  for (size_t k = 0; k < operands; ++k) {
    if (given[k].isScalar || !passesBuffer(given[k], isMasked))
      continue;
    Buffer buffer{k, given[k].isOutput, TileTransfer::of(given[k])};
    buffer.values = place(columns * buffer.transfer.itemSize);
    if (buffer.transfer.stops(innerStride(layout, k),
                              isMasked && buffer.isOutput))
      buffer.stored = place(columns * buffer.transfer.storedSize);
    buffers.push_back(buffer);
  }
}

StridedWorker::StridedWorker(HostEntry entry, const StridedPlan &plan,
                             std::span<std::byte *const> places,
                             std::byte *memory)
    : entry(entry), plan(plan), places(places), memory(memory),
      words(reinterpret_cast<int64_t *>(memory + plan.end)) {
  std::ranges::copy(plan.words.words, words);
  for (const StridedPlan::Buffer &buffer : plan.buffers)
    words[plan.words.pointerAt[buffer.operand] + 1] = buffer.transfer.itemSize;
  for (const StridedPlan::PackedCore &core : plan.cores) {
    int64_t *stride = words + plan.words.pointerAt[core.operand] + 1;
    *stride = core.transfer.pitch();
    std::ranges::copy(core.transfer.strides(), stride + 1);
  }
  if (plan.isMasked)
    mask = array(plan.operands, 1);
}

Status StridedWorker::allocate(std::span<const size_t> scratch,
                               CheckRecord *record) {
  size_t at = plan.words.words.size();
  for (size_t bytes : scratch) {
    auto made = host::allocate(bytes);
    if (!made)
      return made.error();
    words[at++] = wordOf(made->data());
    slots.push_back(std::move(*made));
  }
  words[at] = wordOf(record);
  return {};
}

void StridedWorker::setPart(int64_t part, int64_t parts) {
  words[plan.partAt] = part;
  words[plan.partAt + 1] = parts;
}

void StridedWorker::run(const TilePlace &tile) {
  words[0] = tile.columns;
  for (int64_t row = tile.row; row < tile.row + tile.rows; ++row) {
    auto first = [&](size_t k) {
      return places[k] + plan.layout.rowOffset(k, row) +
             tile.column * innerStride(plan.layout, k);
    };
    for (size_t k = 0; k < plan.operands; ++k)
      words[plan.words.pointerAt[k]] = wordOf(first(k));
    for (const StridedPlan::PackedCore &core : plan.cores) {
      words[plan.words.pointerAt[core.operand]] = wordOf(memory + core.at);
      if (core.isRead)
        core.transfer.bring(memory + core.at, first(core.operand),
                            tile.columns);
    }
    TilePlace place = {tile.column, tile.columns, row, 1};
    for (const StridedPlan::Buffer &buffer : plan.buffers) {
      words[plan.words.pointerAt[buffer.operand]] =
          wordOf(memory + buffer.values);
      if (!buffer.isOutput)
        bringTile(buffer.transfer, buffersOf(buffer),
                  array(buffer.operand, size_t(buffer.transfer.storedSize)),
                  place);
    }
    entry(words);
    for (const StridedPlan::PackedCore &core : plan.cores)
      if (core.isWritten)
        core.transfer.take(memory + core.at, first(core.operand), tile.columns);
    for (const StridedPlan::Buffer &buffer : plan.buffers)
      if (buffer.isOutput)
        takeTile(buffer.transfer, buffersOf(buffer),
                 array(buffer.operand, size_t(buffer.transfer.storedSize)),
                 place, plan.isMasked ? &mask : nullptr);
  }
}
