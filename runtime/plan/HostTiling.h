//===- HostTiling.h - how the CPU walks a layout ----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pure functions from a layout to the tiles in which the CPU visits it. Rows
// are runs of dimension 0; a tile is `columns` of each of `rows` of them.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/plan/Words.h"

namespace kern::runtime {

/// How a kernel accesses an operand within a tile.
enum class HostWalk : uint8_t {
  Direct,  ///< in place: unit strides throughout
  Uniform, ///< one element for a whole row, splat over a block; for all rows of
           ///< a tile if they are joined or stacked
  Packed,  ///< through a buffer that holds the tile with unit strides; of a
           ///< gufunc, one dense loop element after the other
};

/// Which part of a tile one call of a kernel of contiguous blocks covers.
enum class HostRuns : uint8_t {
  Rows,    ///< each row
  Joined,  ///< all of its rows, which are whole and contiguous
  Stacked, ///< each column of blocks, from row to row
};

/// The order in which tiles must be visited.
enum class TileOrder : uint8_t {
  Any,
  Ascending, ///< one after the other, as they are numbered
  Descending,
};

struct HostTiling {
  int64_t columns = 1, rows = 1;
  /// A tile never crosses a multiple of this many rows.
  int64_t band = 1;
  HostRuns runs = HostRuns::Rows;
  std::vector<HostWalk> walks; ///< empty: the kernel takes strides itself
  bool operator==(const HostTiling &) const = default;
};

/// What the tiling depends on, besides the layout and its operands.
struct HostTilingFacts {
  Form form = Form::Contiguous;
  int64_t elements = 1;       ///< of a block; general form: that run at once
  int64_t workPerElement = 1; ///< elements touched by one loop element
  unsigned threads = 1;
  bool inParts = false; ///< threads share each loop element
};

/// The outer dimension along which some operand has the smallest stride, if
/// that is smaller than its stride along dimension 0; else 0. It should be next
/// to dimension 0, so that tiles are small along both.
size_t fastestOuterDimension(const Layout &layout);

/// Whether operand `k` is an array without runs of unit stride along dimension
/// 0.
bool isStrided(const Layout &layout, std::span<const KernelOperand> operands,
               size_t k);
/// Whether some operand is.
bool isStrided(const Layout &layout, std::span<const KernelOperand> operands);

/// Whether a gufunc's call wants the form across: loop elements lie side by
/// side along dimension 0 in every operand with core dimensions, but for inputs
/// that are the same for all of them (not the only one), and the elements of
/// each far apart, so that rows are read across loop elements. A kernel of that
/// form takes any other layout, too, if these lie side by side.
bool goesAcross(const Layout &layout, std::span<const KernelOperand> operands);
/// The fewest loop elements of a row that a kernel of the form takes, of which
/// `elements` run at once in long rows: a vector, or one if all operands have
/// elements of 4 or 8 bytes, of which CPUs load and store some lanes.
int64_t fewestAcross(int64_t elements, std::span<const KernelOperand> operands);
/// For how many loop elements a kernel of the form needs memory, in rows of
/// `columns`: the halves of those that run at once may share elements.
int64_t mostAcross(int64_t elements, int64_t columns);
/// The most bytes of a thread's local arrays for which that form is worth it.
inline constexpr size_t mostScratchAcross = size_t(1) << 27;

/// The bytes of a loop element of a gufunc's operand if it is dense.
int64_t coreBytes(const KernelOperand &operand);

/// `layout` is not empty, with its fastest outer dimension next to the
/// innermost. `operands` are as Words.h says.
HostTiling hostTiling(const Layout &layout,
                      std::span<const KernelOperand> operands,
                      const HostTilingFacts &facts);

/// An input that shares memory with an operand that is written, both numbers
/// of operands of a layout.
struct OverlappingPair {
  size_t read = 0, written = 0;
  int64_t distance = 0; ///< bytes from the written one's first element visited
  int64_t readSize = 1; ///< bytes of an element
};

/// The order of tiles in which every element is read before it is overwritten.
/// Assumes that all of a tile is read before any of it is written, and that a
/// tile is a range of the layout's elements, counted with dimension 0 fastest.
/// Nothing if there is no such order: the addresses of the written operand must
/// rise with the elements, and those of the read one must be the same distance
/// away. Pure.
std::optional<TileOrder> walkOrder(const Layout &layout,
                                   std::span<const OverlappingPair> pairs);

} // namespace kern::runtime
