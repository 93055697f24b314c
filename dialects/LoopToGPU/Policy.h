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

/// Of the kernel's operands.
struct OperandShapes {
  unsigned arrays = 1;        ///< operands in memory: inputs and outputs
  unsigned widest = 4;        ///< bytes of the widest element among them
  bool hasScalarWork = false; ///< dialects/LoopToLLVM/ScalarWork.h
  unsigned widestWithScalars = widest; ///< without inputs after the first
  bool isTiny = false;                 ///< dialects/LoopToLLVM/ScalarWork.h
};

struct ContiguousShape {
  unsigned elements = 1;    ///< per thread, a multiple of both vectors
  unsigned vector = 1;      ///< elements of one access, a power of two
  bool hasFullPath = false; ///< full blocks have a path of their own
  unsigned fullVector = 1;  ///< elements of one access there
  unsigned block = 1;       ///< threads per block, more than `vector`
  bool operator==(const ContiguousShape &) const = default;
};

/// Bytes of the widest access to global memory: 32 from sm_100 on, 16 before.
unsigned widestAccess(unsigned computeCapability);

/// Whether a kernel waits itself for the one before it in its stream, so that
/// it can be launched while that one still runs: GPUs can from sm_90 on.
bool waitsItself(unsigned computeCapability);

/// The widest operand is read and written by the widest accesses there are;
/// where scalars have a path of their own, the widest of the others there.
ContiguousShape contiguousShape(OperandShapes facts,
                                unsigned computeCapability);

struct InnerShape {
  unsigned vector = 1; ///< elements of one chunk, a power of two
  unsigned rows = 1;   ///< chunks per thread, in as many rows
  unsigned block = 1;  ///< threads per block, a power of two
  bool operator==(const InnerShape &) const = default;
};

/// Chunks of 16 bytes on every GPU: rows begin where they do, and few of those
/// that lie for accesses of 16 bytes do so for 32, while an operand that does
/// not is taken element by element. Several for each thread, as far as their
/// registers allow, let one thread's work on indices serve them all.
InnerShape innerShape(OperandShapes facts);

struct StridedShape {
  unsigned elements = 1; ///< per thread
  unsigned block = 1;    ///< threads per block
  bool operator==(const StridedShape &) const = default;
};

/// Enough elements for each thread that about as many bytes are in flight as
/// with vectors.
StridedShape stridedShape(OperandShapes facts);

/// Of the tiled form: a block of a warp's width times `rows` threads works on a
/// square of `edge` times `edge` elements.
struct TileShape {
  unsigned edge = 1; ///< a multiple of 32 and of `rows`
  unsigned rows = 1;
  bool operator==(const TileShape &) const = default;
};

/// Sides of 256 bytes; a tile of wide elements must leave room in shared memory
/// for others.
TileShape tileShape(OperandShapes facts);

/// Threads per block of the general form: for groups up to 32, and the most
/// that a group of a whole block can have.
inline constexpr unsigned generalBlock = 256;
inline constexpr unsigned largestGroup = 1024;

} // namespace kern::loop
