//===- Geometry.h - how a kernel is launched -------------------*- C++ -*--===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pure functions from a kernel and a layout to the geometry of a launch on a
// GPU (docs/explanation/kernel-abi.md).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/artefact/KernelVariant.h"
#include "runtime/plan/Transposition.h"

namespace kern::runtime {

/// Blocks are counted in 64 bits. The caller splits what exceeds the hardware's
/// limit (SubLayout.h). One record, since a launch reads it whatever the form.
struct Geometry {
  int64_t blocks = 1;
  unsigned blockX = 1, blockY = 1;
  /// Inner: blocks along dimension 0. Tiled: tiles along dimensions 0 and 1.
  int64_t tiles = 1, tilesAcross = 1;
  unsigned group = 1;       ///< general: lanes that share one item
  int64_t items = 1;        ///< general: loop elements, or their iterations
  int64_t slices = 1;       ///< general: of each item, in `blocks` too
  unsigned copies = 0;      ///< general: of each privatised array
  unsigned sharedBytes = 0; ///< of shared memory, for each block
  uint64_t across = 0;      ///< tiled: inputs that go through shared memory
};

/// The largest grid of one launch.
inline constexpr int64_t maxBlocks = (int64_t(1) << 31) - 1;
/// The most rows of a block whose lanes go across: half as many as a warp has
/// lanes.
inline constexpr unsigned maxRowsAcross = 16;

Geometry contiguousGeometry(const KernelInfo &kernel, int64_t count);

/// The loop as the inner form walks it. A single row is split into many, so
/// that each thread has work in several rows. The last row may be shorter than
/// the others.
struct Rows {
  Layout layout;
  int64_t lastExtent = 1;
  bool isAligned = true; ///< the outputs' rows begin where chunks do
};
Rows rowsOf(const KernelInfo &kernel, const Layout &layout,
            std::span<const OperandFacts> facts);
/// A block covers tx chunks of dimension 0 in several rows. tx is the power of
/// two that wastes the fewest threads, and at least a warp if there are enough
/// chunks. The remaining threads take other rows.
Geometry innerGeometry(const KernelInfo &kernel, const Rows &rows);

/// `layout` is arranged for `transposition`. Inputs whose tiles do not fit into
/// shared memory are read directly.
Geometry tiledGeometry(const KernelInfo &kernel, const Layout &layout,
                       const Transposition &transposition,
                       std::span<const OperandFacts> facts);

Geometry stridedGeometry(const KernelInfo &kernel, int64_t count);

/// How a call maps the loops of a gufunc (Schedule.h).
struct Schedule {
  Mapping mapping = {};
  /// Among how many lanes the iterations of a reduction are divided. A group
  /// has as many threads; across, at most 32.
  unsigned lanes = 1;
  int64_t slices = 1;
  int64_t teams = 0;   ///< cooperative: items at the same time, at most
  unsigned copies = 0; ///< privatised: of each array
  /// Of staged kernels, and of scans across, the threads of a block; 0: as many
  /// as lanes want.
  unsigned block = 0;
  unsigned sharedBytes = 0; ///< of a block, for copies or tiles
  /// Of each dimension: the extent that is a constant in the kernel, or 0.
  /// Empty if none is.
  std::vector<int64_t> constants = {};
  bool operator==(const Schedule &) const = default;
};

/// The block of a general kernel's threads across loop elements: lanes up to a
/// warp, and as many loop elements as make memory accesses whole.
Geometry generalGeometry(const KernelInfo &kernel, int64_t items,
                         const Schedule &schedule);

/// The blocks of a sliced kernel's launches that combine what slices have left.
/// Of recentred slices, a warp does so for an item, where it has few of them to
/// read: the grid then has fewer blocks than items, which tells the kernel.
int64_t combiningBlocks(const Geometry &geometry, const Mapping &mapping);

} // namespace kern::runtime
