//===- Policy.h - the shape of GPU kernels ----------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pure functions from facts about a kernel to the way its threads share the
// work.
//
//===----------------------------------------------------------------------===//
#pragma once

namespace kern::ir::loop {

/// The facts about a kernel's operands.
struct OperandShapes {
  unsigned arrays = 1;        ///< operands in memory: inputs and outputs
  unsigned widest = 4;        ///< bytes of the widest element among them
  bool hasScalarWork = false; ///< dialects/LoopToLLVM/KernelFacts.h
  unsigned widestWithScalars = widest; ///< without inputs after the first
  bool isTiny = false;                 ///< dialects/LoopToLLVM/KernelFacts.h
  bool isLong = false;                 ///< dialects/LoopToLLVM/KernelFacts.h
  unsigned widestResult = widest;      ///< among the outputs
  bool isMasked = false;               ///< dialects/LoopToLLVM/KernelFacts.h
};

struct ContiguousShape {
  unsigned elements = 1;    ///< per thread, a multiple of both vectors
  unsigned vector = 1;      ///< elements of one access, a power of two
  bool hasFullPath = false; ///< full blocks have a fast path
  unsigned fullVector = 1;  ///< elements of one access in the fast path
  unsigned block = 1;       ///< threads per block, more than `vector`
  bool operator==(const ContiguousShape &) const = default;
};

/// The bytes of the widest access to global memory: 32 from sm_100 on, 16
/// before.
unsigned widestAccess(unsigned computeCapability);

/// Whether a kernel waits itself for the one before it in its stream, which
/// allows an early launch. GPUs support this from sm_90 on.
bool waitsItself(unsigned computeCapability);

/// Whether there is an fma of bf16: from sm_80 on. All GPUs have one of f16.
bool hasFmaOfBF16(unsigned computeCapability);

/// The widest accesses read and write the widest operand. In the path for
/// scalars, operands that may be scalars do not count.
ContiguousShape contiguousShape(OperandShapes facts,
                                unsigned computeCapability);

struct InnerShape {
  unsigned vector = 1; ///< elements of one chunk, a power of two
  unsigned rows = 1;   ///< chunks per thread, in as many rows
  unsigned block = 1;  ///< threads per block, a power of two
  bool operator==(const InnerShape &) const = default;
};

/// Chunks of 16 bytes on every GPU. Few rows that are aligned to 16 bytes are
/// also aligned to 32, and unaligned operands are accessed element by element.
/// A thread takes several rows if registers allow, so that they share the index
/// arithmetic.
InnerShape innerShape(OperandShapes facts);

struct StridedShape {
  unsigned elements = 1; ///< per thread
  unsigned block = 1;    ///< threads per block
  bool operator==(const StridedShape &) const = default;
};

/// Enough elements per thread to keep about as many bytes in flight as vectors
/// do.
StridedShape stridedShape(OperandShapes facts);

/// The tiled form: a block of 32 times `rows` threads works on a tile of `edge`
/// times `edge` elements.
struct TileShape {
  unsigned edge = 1; ///< a multiple of 32 and of `rows`
  unsigned rows = 1;
  bool operator==(const TileShape &) const = default;
};

/// Tiles are at most 256 bytes wide for elements of up to 4 bytes. Tiles of
/// wider elements have fewer elements, so that several fit into shared memory.
TileShape tileShape(OperandShapes facts);

/// Threads per block of the general form: for groups of up to 32 lanes, and the
/// maximum for a group of a whole block.
inline constexpr unsigned generalBlock = 256;
inline constexpr unsigned largestGroup = 1024;
/// Of rows in registers.
inline constexpr unsigned largestResidentGroup = 512;
/// The largest block of a spread kernel, as Schedule.cpp makes it.
inline constexpr unsigned spreadBlock = 128;

} // namespace kern::ir::loop
