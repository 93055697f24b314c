//===- Convert.h - conversion of elements between types ---------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Element conversion on the host, as the language defines it. Float to integer
// truncates and saturates, and NaN becomes 0. Integer to integer wraps. To bool
// is "not zero". Real to complex has imaginary part 0. Complex to real takes
// the real part; only `unsafe` casting asks for it. Integers reach f16 and bf16
// through f32, as in NumPy.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/array/DType.h"

#include <array>
#include <cstddef>

namespace kern::runtime {

/// Converts `n` elements; strides in bytes, any sign. Elements need not be
/// aligned. Source and destination must not overlap, unless they are the same.
using ConvertLoop = void (*)(int64_t n, const std::byte *source,
                             int64_t sourceStride, std::byte *destination,
                             int64_t destinationStride);
ConvertLoop convertLoop(DType from, DType to);

/// The bits of one element, in the low bytes.
using Value = std::array<std::byte, 16>;

Value convertValue(const Value &value, DType from, DType to);

} // namespace kern::runtime
