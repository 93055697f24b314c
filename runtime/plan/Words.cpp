//===- Words.cpp - the words of a kernel launch ---------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/Words.h"

#include <bit>
#include <cstring>

using namespace kern::runtime;

void KernelOperand::move(int64_t offset) {
  const int64_t step = rangeStep.value_or(1);
  data = std::bit_cast<std::byte *>(uint64_t(wordOf(data)) +
                                    uint64_t(offset) * uint64_t(step));
}

void KernelWords::appendPointer(const KernelOperand &operand) {
  pointerAt.push_back(words.size());
  valueAt.push_back(none);
  words.push_back(operand.isScalar ? 0 : wordOf(operand.data));
}

void KernelWords::appendValue(const KernelOperand &operand) {
  valueAt.back() = words.size();
  int64_t parts[2] = {};
  size_t size = itemSize(operand.inMemory()); // the size that the kernel reads
  std::memcpy(parts, operand.value.data(), size);
  words.insert(words.end(), parts, parts + (size > 8 ? 2 : 1));
}

/// Whether an operand is an input, and so may be a number.
static bool takesValue(const KernelOperand &operand) {
  return !operand.isOutput && !operand.isMask;
}

/// Bit k is set if input k is a scalar.
static int64_t flagsOf(std::span<const KernelOperand> operands) {
  uint64_t flags = 0;
  for (size_t k = 0; k < operands.size() && k < 64; ++k)
    if (operands[k].isScalar)
      flags |= uint64_t(1) << k;
  return int64_t(flags);
}

static void appendStrides(const KernelOperand &operand,
                          std::vector<int64_t> &words) {
  for (size_t d = 0; d < maxKernelDims; ++d)
    words.push_back(d < operand.loopStrides.size() ? operand.loopStrides[d]
                                                   : 0);
}

static void appendExtents(const Layout &layout, std::vector<int64_t> &words) {
  for (size_t d = 0; d < maxKernelDims; ++d)
    words.push_back(d < layout.rank() ? layout.extents[d] : 1);
}

KernelWords
kern::runtime::contiguousWords(int64_t count,
                               std::span<const KernelOperand> operands) {
  KernelWords out;
  out.words = {count, flagsOf(operands)};
  for (const KernelOperand &operand : operands) {
    out.appendPointer(operand);
    if (takesValue(operand))
      out.appendValue(operand);
  }
  return out;
}

/// The divisors for splitting an index; 1 beyond the layout's rank.
static void appendDivisors(const Layout &layout, size_t first, size_t count,
                           std::vector<int64_t> &words) {
  for (size_t d = first; d < first + count; ++d)
    words.push_back(int64_t(
        divisorWord(d < layout.rank() ? uint32_t(layout.extents[d]) : 1)));
}

/// The flags, and the operands with the layout's strides.
static void appendOperands(const Layout &layout,
                           std::span<const KernelOperand> operands,
                           KernelWords &out) {
  out.words.push_back(flagsOf(operands));
  for (size_t k = 0; k < operands.size(); ++k) {
    out.appendPointer(operands[k]);
    if (takesValue(operands[k]))
      out.appendValue(operands[k]);
    const Strides &strides = layout.strides[k];
    for (size_t d = 0; d < maxKernelDims; ++d)
      out.words.push_back(d < strides.size() ? strides[d] : 0);
  }
}

KernelWords kern::runtime::innerWords(const Rows &rows,
                                      const Geometry &geometry,
                                      std::span<const KernelOperand> operands) {
  KernelWords out;
  const Layout &layout = rows.layout;
  appendExtents(layout, out.words);
  out.words.insert(out.words.end(),
                   {int64_t(layout.rank()), layout.outerCount(1),
                    rows.lastExtent, geometry.tiles,
                    int64_t(divisorWord(uint32_t(geometry.tiles)))});
  appendDivisors(layout, 1, maxKernelDims - 2, out.words);
  appendOperands(layout, operands, out);
  return out;
}

KernelWords kern::runtime::tiledWords(const Layout &layout,
                                      const Geometry &geometry,
                                      std::span<const KernelOperand> operands) {
  KernelWords out;
  appendExtents(layout, out.words);
  out.words.insert(out.words.end(),
                   {int64_t(layout.rank()), geometry.tiles,
                    geometry.tilesAcross,
                    int64_t(divisorWord(uint32_t(geometry.tiles))),
                    int64_t(divisorWord(uint32_t(geometry.tilesAcross)))});
  appendDivisors(layout, 2, maxKernelDims - 3, out.words);
  out.words.push_back(int64_t(geometry.across));
  appendOperands(layout, operands, out);
  return out;
}

KernelWords
kern::runtime::stridedWords(const Layout &layout,
                            std::span<const KernelOperand> operands) {
  KernelWords out;
  appendExtents(layout, out.words);
  out.words.insert(out.words.end(), {int64_t(layout.rank()), layout.count()});
  appendDivisors(layout, 0, maxKernelDims - 1, out.words);
  appendOperands(layout, operands, out);
  return out;
}

KernelWords kern::runtime::generalWords(
    const KernelInfo &kernel, const Layout &layout, const Geometry &geometry,
    std::span<const int64_t> dims, std::span<const int64_t> flat,
    std::span<const KernelOperand> operands) {
  KernelWords out;
  out.words = {geometry.items};
  appendExtents(layout, out.words);
  out.words.insert(out.words.end(),
                   {int64_t(geometry.group), flagsOf(operands)});
  out.words.insert(out.words.end(), dims.begin(), dims.end());
  if (kernel.mapping.flat)
    out.words.insert(out.words.end(), flat.begin(), flat.end());
  // Of larger ranges there are more items than the words are for.
  constexpr int64_t tooMany = int64_t(1) << 31;
  if (kernel.hasDivisors)
    for (int64_t range : flat)
      out.words.push_back(range > 0 && range < tooMany
                              ? int64_t(divisorWord(uint32_t(range)))
                              : 0);
  if (kernel.mapping.sliced) {
    out.launchAt = out.words.size();
    out.words.insert(out.words.end(),
                     {0, geometry.slices, geometry.blocks / geometry.slices});
  }
  if (kernel.mapping.privatised)
    out.words.push_back(geometry.copies);
  for (const KernelOperand &operand : operands) {
    out.appendPointer(operand);
    if (!operand.isOutput && !operand.hasCore)
      out.appendValue(operand);
    appendStrides(operand, out.words);
    out.words.insert(out.words.end(), operand.coreStrides.begin(),
                     operand.coreStrides.end());
  }
  return out;
}

KernelWords kern::runtime::hostWords(Form form, int64_t count,
                                     std::span<const int64_t> dims,
                                     std::span<const KernelOperand> operands) {
  KernelWords out;
  out.words.push_back(count);
  if (hasCores(form))
    out.words.insert(out.words.end(), dims.begin(), dims.end());
  for (const KernelOperand &operand : operands) {
    if (operand.isMask) {
      out.pointerAt.push_back(KernelWords::none);
      out.valueAt.push_back(KernelWords::none);
      continue;
    }
    out.appendPointer(operand);
    out.words.push_back(operand.loopStrides.empty() ? 0
                                                    : operand.loopStrides[0]);
    if (hasCores(form))
      out.words.insert(out.words.end(), operand.coreStrides.begin(),
                       operand.coreStrides.end());
  }
  return out;
}

uint64_t kern::runtime::divisorWord(uint32_t divisor) {
  auto shift = uint64_t(std::bit_width(divisor - 1)); // ceil(log2(divisor))
  uint64_t excess = (uint64_t(1) << shift) - divisor;
  uint64_t multiplier = (excess << 32) / divisor + 1;
  return shift << 32 | multiplier;
}
