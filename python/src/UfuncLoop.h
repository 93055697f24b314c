//===- UfuncLoop.h - an inner loop of NumPy's as calls ----------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// NumPy passes addresses, a count and strides in bytes to an inner loop. If a
// call accepts these, one call processes all elements. Otherwise there is one
// call for each element, in order: reductions and accumulations read what the
// previous element wrote, and strides need not be whole elements (a complex
// field in a record).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "kern/options.h"

#include <array>
#include <cstddef>
#include <memory>
#include <span>

namespace kern::python {

/// An operand of an inner loop: `extent` and strides, in bytes, of its core
/// dimensions after those of the loop.
struct LoopOperand {
  char *data;
  kern_dtype type;
  int64_t stride; ///< from one element of the loop to the next
  int rank;       ///< core dimensions
  std::array<int64_t, KERN_MAX_NDIM> extent, coreStride;
};

/// Runs `count` elements on the CPU. Inputs come before outputs. May be called
/// without the GIL; leaves the thread's floating-point flags as they were.
kern_status runLoop(kern_function *function, std::span<LoopOperand> operands,
                    size_t inputCount, int64_t count);

} // namespace kern::python
