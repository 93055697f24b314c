//===- Words.cpp - the words of a kernel's arguments ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/Words.h"

#include <cstring>

using namespace kern;

void kern::appendValue(const Value &value, DType dtype,
                       std::vector<int64_t> &words) {
  int64_t parts[2] = {};
  std::memcpy(parts, value.data(), itemSize(dtype));
  words.push_back(parts[0]);
  if (itemSize(dtype) > 8)
    words.push_back(parts[1]);
}

static int64_t pointerWord(const KernelOperand &operand) {
  return operand.isScalar ? 0
                          : int64_t(reinterpret_cast<uintptr_t>(operand.data));
}

/// Bit k says that input k is a scalar.
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

std::vector<int64_t>
kern::contiguousWords(int64_t count, std::span<const KernelOperand> operands) {
  std::vector<int64_t> words = {count, flagsOf(operands)};
  for (const KernelOperand &operand : operands) {
    words.push_back(pointerWord(operand));
    if (!operand.isOutput)
      appendValue(operand.value, operand.dtype, words);
  }
  return words;
}

std::vector<int64_t>
kern::stridedWords(const Layout &layout, const Geometry &geometry,
                   std::span<const KernelOperand> operands) {
  std::vector<int64_t> words;
  appendExtents(layout, words);
  words.insert(words.end(),
               {layout.outerCount(1), geometry.tiles, flagsOf(operands)});
  for (const KernelOperand &operand : operands) {
    words.push_back(pointerWord(operand));
    if (!operand.isOutput)
      appendValue(operand.value, operand.dtype, words);
    appendStrides(operand, words);
  }
  return words;
}

std::vector<int64_t>
kern::generalWords(const Layout &layout, const Geometry &geometry,
                   std::span<const int64_t> dims,
                   std::span<const KernelOperand> operands) {
  std::vector<int64_t> words = {layout.count()};
  appendExtents(layout, words);
  words.insert(words.end(), {int64_t(geometry.group), flagsOf(operands)});
  words.insert(words.end(), dims.begin(), dims.end());
  for (const KernelOperand &operand : operands) {
    words.push_back(pointerWord(operand));
    if (!operand.isOutput && !operand.hasCore)
      appendValue(operand.value, operand.dtype, words);
    appendStrides(operand, words);
    words.insert(words.end(), operand.coreStrides.begin(),
                 operand.coreStrides.end());
  }
  return words;
}

HostWords kern::hostWords(Form form, int64_t count,
                          std::span<const int64_t> dims,
                          std::span<const KernelOperand> operands) {
  HostWords out;
  out.words.push_back(count);
  if (form == Form::General)
    out.words.insert(out.words.end(), dims.begin(), dims.end());
  for (const KernelOperand &operand : operands) {
    out.pointerAt.push_back(out.words.size());
    out.words.push_back(int64_t(reinterpret_cast<uintptr_t>(operand.data)));
    if (form == Form::Contiguous)
      continue;
    out.words.push_back(operand.loopStrides.empty() ? 0
                                                    : operand.loopStrides[0]);
    if (form == Form::General)
      out.words.insert(out.words.end(), operand.coreStrides.begin(),
                       operand.coreStrides.end());
  }
  return out;
}
