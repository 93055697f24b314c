//===- CoreTransfer.h - a gufunc's tiles and buffers ------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/plan/Words.h"

#include <vector>

namespace kern::runtime {

/// Copies a gufunc's loop elements that lie side by side in an array into a
/// buffer, where each is dense and one follows the other; or back.
class CoreTransfer {
public:
  /// Of an operand with core dimensions whose loop stride is an element.
  explicit CoreTransfer(const KernelOperand &operand);

  /// From one loop element in the buffer to the next, in bytes.
  int64_t pitch() const { return elementPitch; }
  /// Its core strides in the buffer, as its core dimensions are written.
  const Strides &strides() const { return dense; }

  /// `array` is that of the first of `count` loop elements.
  void bring(std::byte *buffer, const std::byte *array, int64_t count) const;
  void take(const std::byte *buffer, std::byte *array, int64_t count) const;

private:
  /// Core dimensions that are one in the array are one here.
  struct Dimension {
    int64_t extent = 1, stride = 0;
  };

  template <typename Visit>
  void forGroups(const std::byte *array, int64_t width, Visit visit) const;

  size_t itemSize = 1;
  int64_t elementPitch = 0;
  Strides dense;
  Dimension inner;
  std::vector<Dimension> outer; ///< innermost first
};

} // namespace kern::runtime
