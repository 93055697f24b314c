//===- Policy.h - the shape of GPU kernels ----------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pure functions from facts about a kernel to how its threads share the work.
//
//===----------------------------------------------------------------------===//
#pragma once

namespace kern::loop {

struct ContiguousFacts {
  unsigned arrays = 1; ///< operands in memory: inputs and outputs
  unsigned widest = 4; ///< bytes of the widest element among them
};

struct ContiguousShape {
  unsigned vector = 1; ///< elements of one chunk, a power of two
  unsigned chunks = 1; ///< chunks per thread
  unsigned block = 1;  ///< threads per block, more than `vector`
  bool operator==(const ContiguousShape &) const = default;
};

/// The widest operand is read and written 16 bytes at a time. One chunk per
/// thread keeps enough bytes in flight on every GPU measured, and blocks of
/// 256 threads write faster than smaller ones.
ContiguousShape contiguousShape(ContiguousFacts facts);

/// Threads per block of the strided form, over both of its dimensions.
inline constexpr unsigned stridedBlock = 256;

/// Threads per block of the general form: for groups up to 32, and the most
/// that a group of a whole block can have.
inline constexpr unsigned generalBlock = 256;
inline constexpr unsigned largestGroup = 1024;

} // namespace kern::loop
