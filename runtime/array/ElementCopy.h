//===- ElementCopy.h - copies of strided elements in memory -----*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The inner loops of packing: elements of 1, 2, 4, 8 or 16 bytes, at any
// address, between memory that does not overlap. Strides and pitches are in
// bytes.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstddef>
#include <cstdint>

namespace kern::runtime {

/// Fast if one side's elements are contiguous.
void copyStrided(size_t size, int64_t count, std::byte *to, int64_t toStride,
                 const std::byte *from, int64_t fromStride);

/// Element j of line i of `from` becomes element i of line j of `to`. `from`
/// has `lines` lines of `length` contiguous elements, and lines are a pitch
/// apart. Works in bands: a few whole lines are read before the next ones or,
/// with `writesWhole`, a few whole lines are written before the next ones.
void transpose(size_t size, int64_t lines, int64_t length, std::byte *to,
               int64_t toPitch, const std::byte *from, int64_t fromPitch,
               bool writesWhole);

/// Copies element i where byte i of `mask` is not 0; nothing else is written.
/// Faster than one element at a time if both arrays are contiguous and the
/// mask's stride is 1 or 0.
void copyWhere(size_t size, int64_t count, std::byte *to, int64_t toStride,
               const std::byte *from, int64_t fromStride, const std::byte *mask,
               int64_t maskStride);

/// Fills `count` elements with the first one's bytes.
void splat(std::byte *buffer, const std::byte *element, size_t itemSize,
           int64_t count);

} // namespace kern::runtime
