//===- BlockWorker.cpp - runs of contiguous blocks ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/launch/BlockWorker.h"

#include <algorithm>
#include <cstring>

using namespace kern;

static int64_t wordOf(const std::byte *pointer) {
  return int64_t(reinterpret_cast<uintptr_t>(pointer));
}

BlockWorker::BlockWorker(HostEntry entry, int64_t blockElements,
                         const Layout &layout, const HostTiling &tiling,
                         std::span<const KernelOperand> operands)
    : entry(entry), blockElements(blockElements), layout(layout),
      tiling(tiling), words(hostWords(Form::Contiguous, 0, {}, operands)) {
  pitchElements = tiling.isLinear ? tiling.columns
                                  : (tiling.columns + blockElements - 1) /
                                        blockElements * blockElements;
  // Buffers begin at cache lines.
  auto padded = [](int64_t bytes) { return size_t(bytes + 63) / 64 * 64; };
  size_t bytes = 64;
  auto bufferBytes = [&](size_t k) {
    int64_t size = int64_t(itemSize(operands[k].dtype));
    if (tiling.walks[k] == HostWalk::Packed)
      return padded(pitchElements * tiling.rows * size);
    return tiling.walks[k] == HostWalk::Uniform ? padded(blockElements * size)
                                                : 0;
  };
  for (size_t k = 0; k < operands.size(); ++k)
    bytes += bufferBytes(k) +
             padded(blockElements * int64_t(itemSize(operands[k].dtype)));
  memory.resize(bytes);
  std::byte *next = memory.data() + (-wordOf(memory.data()) & 63);
  for (size_t k = 0; k < operands.size(); ++k) {
    const KernelOperand &operand = operands[k];
    Part part{tiling.walks[k],
              {operand.data, &layout.strides[k], &layout.extents,
               itemSize(operand.dtype)}};
    part.isOutput = operand.isOutput;
    part.buffer = next;
    part.tail = next += bufferBytes(k);
    next += padded(blockElements * int64_t(part.array.itemSize));
    if (operand.isScalar) {
      part.source = operand.value.data();
      splat(part.buffer, part.source, part.array.itemSize, blockElements);
      part.array.data = nullptr;
    }
    words.words[words.pointerAt[k] + 1] =
        part.walk == HostWalk::Uniform
            ? 0
            : blockElements * int64_t(part.array.itemSize);
    parts.push_back(part);
  }
  starts.resize(parts.size());
}

/// Where row `row` of a tile begins in an array.
std::byte *BlockWorker::address(const Part &part, const TilePlace &tile,
                                int64_t row) {
  const Extents &strides = *part.array.strides;
  std::byte *data = part.array.data;
  int64_t rest = tile.row + row;
  for (size_t d = 1; d < layout.rank(); ++d) {
    int64_t index = d + 1 < layout.rank() ? rest % layout.extents[d] : rest;
    rest /= layout.extents[d];
    data += index * strides[d];
  }
  return layout.rank() ? data + tile.column * strides[0] : data;
}

/// Packs an input; not again if no outer dimension moves it.
void BlockWorker::fill(Part &part, const TilePlace &tile) {
  const Extents &strides = *part.array.strides;
  bool staysPut = tile.column == 0 && tile.columns == layout.extents[0] &&
                  std::all_of(strides.begin() + 1, strides.end(),
                              [](int64_t stride) { return stride == 0; });
  if (staysPut && part.source == part.array.data)
    return;
  TilePlace place = tile;
  if (staysPut)
    place.rows = tiling.rows; // a later tile may have more rows than this one
  pack(part.buffer, pitchElements * int64_t(part.array.itemSize), part.array,
       place);
  part.source = staysPut ? part.array.data : nullptr;
}

void BlockWorker::runTail(int64_t first, int64_t count) {
  for (size_t k = 0; k < parts.size(); ++k) {
    const Part &part = parts[k];
    if (part.walk == HostWalk::Uniform)
      continue;
    size_t size = part.array.itemSize;
    if (!part.isOutput) {
      std::memcpy(part.tail, starts[k] + size_t(first) * size,
                  size_t(count) * size);
      // The last element again: nothing that the array does not hold anyway.
      splat(part.tail + size_t(count) * size,
            part.tail + size_t(count - 1) * size, size, blockElements - count);
    }
    words.words[words.pointerAt[k]] = wordOf(part.tail);
  }
  words.words[0] = 1;
  entry(words.words.data());
  for (size_t k = 0; k < parts.size(); ++k)
    if (parts[k].isOutput)
      std::memcpy(starts[k] + size_t(first) * parts[k].array.itemSize,
                  parts[k].tail, size_t(count) * parts[k].array.itemSize);
}

void BlockWorker::runRow(const TilePlace &tile, int64_t row, int64_t count) {
  for (size_t k = 0; k < parts.size(); ++k) {
    Part &part = parts[k];
    size_t size = part.array.itemSize;
    switch (part.walk) {
    case HostWalk::Direct:
      starts[k] = address(part, tile, row);
      break;
    case HostWalk::Packed:
      starts[k] = part.buffer + row * pitchElements * int64_t(size);
      break;
    case HostWalk::Uniform:
      starts[k] = part.buffer;
      if (!part.array.data) // a scalar
        break;
      const std::byte *source = address(part, tile, row);
      if (source != part.source)
        splat(part.buffer, source, size, blockElements);
      part.source = source;
      break;
    }
    words.words[words.pointerAt[k]] = wordOf(starts[k]);
  }
  int64_t blocks = count / blockElements, rest = count % blockElements;
  words.words[0] = blocks;
  if (blocks)
    entry(words.words.data());
  if (rest)
    runTail(blocks * blockElements, rest);
}

void BlockWorker::run(const TilePlace &tile) {
  for (Part &part : parts)
    if (part.walk == HostWalk::Packed && !part.isOutput)
      fill(part, tile);
  if (tiling.isLinear)
    runRow(tile, 0, tile.rows * tile.columns);
  else
    for (int64_t row = 0; row < tile.rows; ++row)
      runRow(tile, row, tile.columns);
  for (const Part &part : parts)
    if (part.walk == HostWalk::Packed && part.isOutput) {
      unpack(part.buffer, pitchElements * int64_t(part.array.itemSize),
             part.array, tile);
    }
}
