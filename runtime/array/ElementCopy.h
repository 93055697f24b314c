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

/// Fast where one side's elements lie side by side.
void copyStrided(size_t size, int64_t count, std::byte *to, int64_t toStride,
                 const std::byte *from, int64_t fromStride);

/// Element j of line i of `from` becomes element i of line j of `to`; lines
/// are a pitch apart, elements of a line side by side. `lines` of `from`, each
/// of `length`. All of a few lines is read before the next ones are; with
/// `writesWhole` all of a few lines is written instead.
void transpose(size_t size, int64_t lines, int64_t length, std::byte *to,
               int64_t toPitch, const std::byte *from, int64_t fromPitch,
               bool writesWhole);

/// Copies element i where byte i of `mask` is not 0; nothing else is written.
/// Faster than an element at a time where all but the mask's stride are the
/// size, and the mask's is 1 or 0.
void copyWhere(size_t size, int64_t count, std::byte *to, int64_t toStride,
               const std::byte *from, int64_t fromStride, const std::byte *mask,
               int64_t maskStride);

/// Fills `count` elements with the first one's bytes.
void splat(std::byte *buffer, const std::byte *element, size_t itemSize,
           int64_t count);

} // namespace kern::runtime
