//===- Form.h - which kernel form, launched how -----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pure functions from facts about a call to the kernel and the geometry of its
// launch (docs/kernel-abi.md).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/artefact/Manifest.h"
#include "runtime/plan/Layout.h"

#include <optional>
#include <span>

namespace kern {

/// What the choice of a form needs to know of one operand.
struct OperandFacts {
  bool isScalar = false; ///< passed by value
  uint64_t address = 0;  ///< of the first element visited
  size_t itemSize = 1;
};

/// True if one row of unit strides covers the whole layout for every operand
/// that is not a scalar.
bool isContiguous(const Layout &layout, std::span<const OperandFacts> facts);

/// True if every operand in memory starts at a multiple of `alignment` bytes.
bool isAligned(std::span<const OperandFacts> facts, size_t alignment);

/// The alignment that GPU kernels of the contiguous form ask for, at most.
inline constexpr size_t vectorBytes = 16;

/// The form that a call on a GPU wants: contiguous where the layout and the
/// operands' alignment allow it, else strided; general for a gufunc.
Form wantedCudaForm(FunctionKind kind, const Layout &layout,
                    std::span<const OperandFacts> facts);

/// The form on the host: contiguous for a ufunc, whatever the layout (operands
/// are packed where they have to be; HostTiling.h); general for a gufunc.
Form wantedHostForm(FunctionKind kind);

/// How a GPU kernel is launched. Blocks are counted in 64 bits: launches that
/// exceed the hardware's limit are split by the caller.
struct Geometry {
  int64_t blocks = 1;
  unsigned blockX = 1, blockY = 1;
  int64_t tiles = 1;  ///< strided: blocks along the innermost dimension
  unsigned group = 1; ///< general: threads that share one loop element
};

/// The largest grid of one launch.
inline constexpr int64_t maxBlocks = (int64_t(1) << 31) - 1;
/// The most loop dimensions that a kernel takes.
inline constexpr size_t maxKernelDims = 6;

Geometry contiguousGeometry(const KernelInfo &kernel, int64_t count);
/// A block covers tx elements of the innermost dimension, the power of two
/// that wastes fewest threads but is at least a warp where there is as much to
/// do, times ty rows.
Geometry stridedGeometry(const KernelInfo &kernel, const Layout &layout);
/// `sharedExtent` is the product of the kernel's shared extents (0: it has
/// none). Groups grow with it, and beyond a warp when there are too few loop
/// elements to fill `threads`, the GPU's resident threads.
Geometry generalGeometry(const KernelInfo &kernel, int64_t count,
                         int64_t sharedExtent, int64_t threads);

} // namespace kern
