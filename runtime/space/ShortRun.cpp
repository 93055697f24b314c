//===- ShortRun.cpp - few contiguous elements -----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/space/ShortRun.h"
#include "runtime/array/ElementCopy.h"
#include "runtime/device/host/Memory.h"

#include <cstring>

using namespace kern::runtime;

std::optional<ShortRun> ShortRun::of(const KernelInfo &kernel,
                                     const Layout &layout,
                                     std::span<const KernelOperand> operands) {
  if (kernel.form != Form::Contiguous || layout.rank() != 1)
    return std::nullopt;
  ShortRun run;
  run.blockElements = kernel.elements;
  run.blocks = layout.extents[0] / kernel.elements;
  run.rest = layout.extents[0] % kernel.elements;
  const KernelWords words = hostWords(kernel.form, 0, {}, operands);
  run.words = words.words;
  auto lineUp = [](size_t bytes) {
    return size_t(roundUp(int64_t(bytes), int64_t(host::alignment)));
  };
  run.bytes = lineUp(words.words.size() * sizeof(int64_t));
  for (size_t k = 0; k < operands.size(); ++k) {
    const KernelOperand &given = operands[k];
    if (given.isMask || passesBuffer(given, /*isMasked=*/false))
      return std::nullopt;
    Operand operand;
    operand.isOutput = given.isOutput;
    operand.itemSize = itemSize(given.dtype);
    const int64_t stride = given.isScalar ? 0 : layout.strides[k][0];
    operand.isUniform = stride == 0;
    if (!operand.isUniform && stride != int64_t(operand.itemSize))
      return std::nullopt;
    operand.pointerAt = words.pointerAt[k];
    operand.block = run.bytes;
    const size_t block = size_t(kernel.elements) * operand.itemSize;
    run.words[operand.pointerAt + 1] = operand.isUniform ? 0 : int64_t(block);
    run.bytes += lineUp(block);
    run.operands.push_back(operand);
  }
  return run;
}

bool ShortRun::run(HostEntry entry, std::span<std::byte *const> places) const {
  std::byte *memory = host::threadMemory(bytes);
  if (!memory)
    return false;
  auto *row = reinterpret_cast<int64_t *>(memory);
  std::memcpy(row, words.data(), words.size() * sizeof row[0]);
  for (size_t k = 0; k < operands.size(); ++k) {
    const Operand &operand = operands[k];
    std::byte *start = places[k];
    if (operand.isUniform) {
      start = memory + operand.block;
      splat(start, places[k], operand.itemSize, blockElements);
    }
    row[operand.pointerAt] = wordOf(start);
  }
  if (blocks) {
    row[0] = blocks;
    entry(row);
  }
  if (!rest)
    return true;
  const auto restElements = size_t(rest), done = size_t(blocks * blockElements);
  for (size_t k = 0; k < operands.size(); ++k) {
    const Operand &operand = operands[k];
    if (operand.isUniform)
      continue;
    std::byte *block = memory + operand.block;
    row[operand.pointerAt] = wordOf(block);
    if (operand.isOutput)
      continue;
    const size_t size = operand.itemSize, filled = restElements * size;
    std::memcpy(block, places[k] + done * size, filled);
    // The last element introduces no new value.
    splat(block + filled, block + filled - size, size, blockElements - rest);
  }
  row[0] = 1;
  entry(row);
  for (size_t k = 0; k < operands.size(); ++k) {
    const Operand &operand = operands[k];
    if (operand.isOutput)
      std::memcpy(places[k] + done * operand.itemSize, memory + operand.block,
                  restElements * operand.itemSize);
  }
  return true;
}
