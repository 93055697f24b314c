//===- Words.h - the words of a kernel's arguments --------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fills the row of 64-bit words that docs/kernel-abi.md describes. Pure.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/array/Convert.h"
#include "runtime/plan/Form.h"

namespace kern {

/// One operand as a kernel sees it.
struct KernelOperand {
  DType dtype = DType::F64;
  bool isOutput = false;
  bool hasCore = false;      ///< its parameter has core dimensions
  bool isScalar = false;     ///< `value` is used instead of `data`
  std::byte *data = nullptr; ///< of the first element visited
  Value value = {};
  Extents loopStrides; ///< innermost first; missing dimensions are 0
  Extents coreStrides; ///< as its core dimensions are written
};

/// The operand's bits: one word, or two for c128.
void appendValue(const Value &value, DType dtype, std::vector<int64_t> &words);

/// GPU: inputs before outputs in `operands`.
std::vector<int64_t> contiguousWords(int64_t count,
                                     std::span<const KernelOperand> operands);
std::vector<int64_t> stridedWords(const Layout &layout,
                                  const Geometry &geometry,
                                  std::span<const KernelOperand> operands);
std::vector<int64_t> generalWords(const Layout &layout,
                                  const Geometry &geometry,
                                  std::span<const int64_t> dims,
                                  std::span<const KernelOperand> operands);

/// Host: the words for one run along the innermost dimension, and where in
/// them each operand's pointer stands, so that the next run replaces it.
struct HostWords {
  std::vector<int64_t> words; ///< words[0] is the length of the run
  std::vector<size_t> pointerAt;
};
HostWords hostWords(Form form, int64_t count, std::span<const int64_t> dims,
                    std::span<const KernelOperand> operands);

} // namespace kern
