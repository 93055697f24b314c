//===- Words.h - the words of a kernel's arguments --------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fills in a kernel's 64-bit words (docs/explanation/kernel-abi.md).
// Pure.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/array/Convert.h"
#include "runtime/array/IntegerRange.h"
#include "runtime/plan/Geometry.h"

#include <cstdint>
#include <optional>
#include <span>

namespace kern::runtime {

/// One operand as a kernel sees it. One record, since the choice of a form, the
/// geometry and the words read it together.
struct KernelOperand {
  DType dtype = DType::F64;
  bool isOutput = false;
  bool isWritten = false;    ///< an output, or a gufunc's inout parameter
  bool hasCore = false;      ///< its parameter has core dimensions
  bool isScalar = false;     ///< `value` is used instead of `data`
  std::byte *data = nullptr; ///< of the first element visited
  Value value = {};
  /// Ufuncs: the type of the array's elements, if they are converted to or from
  /// the kernel's type.
  std::optional<DType> stored;
  /// Ufuncs: this is not an operand of the function but the mask, always last.
  bool isMask = false;
  bool isCleared = false; ///< a result that is 0 where the mask is false
  /// An input that shares memory with results at an offset: a tile reads all of
  /// its elements before it writes any.
  bool isOverwritten = false;
  /// An input of a ufunc that is a range, with this step. `data` is its first
  /// number that is visited, not an address, strides count positions, and
  /// `value` is the step.
  std::optional<int64_t> rangeStep = std::nullopt;
  Strides loopStrides; ///< innermost first; missing dimensions are 0
  Strides coreStrides; ///< as its core dimensions are written
  Extents coreExtents; ///< the same
  bool isNew = false;  ///< an output whose elements are undefined so far

  DType inMemory() const { return stored.value_or(dtype); }
  /// The stride of a row without gaps.
  int64_t denseStride() const {
    return rangeStep ? 1 : int64_t(itemSize(inMemory()));
  }
  /// Moves it to the element `offset` bytes or positions further.
  void move(int64_t offset);
};

inline bool hasMask(std::span<const KernelOperand> operands) {
  return !operands.empty() && operands.back().isMask;
}

/// Whether an operand's elements go through a buffer on the host whatever its
/// strides are: they are converted, computed, overwritten, or written under a
/// mask.
inline bool passesBuffer(const KernelOperand &operand, bool isMasked) {
  return operand.stored || operand.isOverwritten || operand.rangeStep ||
         (isMasked && operand.isOutput);
}

/// An address as a kernel takes it.
inline int64_t wordOf(const void *address) {
  return int64_t(reinterpret_cast<uintptr_t>(address));
}

/// A kernel's words, with the positions of each operand's pointer and value, so
/// that another run or call can replace them.
struct KernelWords {
  /// For an operand that is never passed so.
  static constexpr size_t none = SIZE_MAX;

  std::vector<int64_t> words;
  std::vector<size_t> pointerAt;
  std::vector<size_t> valueAt; ///< a c128 takes two words
  size_t launchAt = none;      ///< the number of the launch, of a sliced kernel
  /// Offsets in the memory for local arrays, to which its address is added.
  std::vector<size_t> scratchAt;

  void appendPointer(const KernelOperand &operand);
  void appendValue(const KernelOperand &operand);
};

/// GPU: inputs before outputs, and a mask last, in `operands`. The forms of
/// ufuncs other than contiguous take the strides from the layout.
KernelWords contiguousWords(int64_t count,
                            std::span<const KernelOperand> operands);
KernelWords innerWords(const Rows &rows, const Geometry &geometry,
                       std::span<const KernelOperand> operands);
KernelWords tiledWords(const Layout &layout, const Geometry &geometry,
                       std::span<const KernelOperand> operands);
KernelWords stridedWords(const Layout &layout,
                         std::span<const KernelOperand> operands);
/// `flat` are the extents of a flat kernel.
KernelWords generalWords(const KernelInfo &kernel, const Layout &layout,
                         const Geometry &geometry,
                         std::span<const int64_t> dims,
                         std::span<const int64_t> flat,
                         std::span<const KernelOperand> operands);

/// Host: the words for one run along the innermost dimension; words[0] is its
/// length in elements or, of the contiguous form, in blocks. Scalars are passed
/// by pointer. Behind each pointer stands its operand's stride. A mask has no
/// words.
KernelWords hostWords(Form form, int64_t count, std::span<const int64_t> dims,
                      std::span<const KernelOperand> operands);

/// The word with which a kernel divides numbers below 2^31 by `divisor`, which
/// is from 1 to 2^31 - 1: a multiplier in the low half and a shift in the high
/// half, such that `n / divisor == (n + high half of (n * multiplier)) >>
/// shift` (Granlund and Montgomery, Division by Invariant Integers using
/// Multiplication, 1994).
uint64_t divisorWord(uint32_t divisor);

} // namespace kern::runtime
