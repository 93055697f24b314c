//===- HostTiling.cpp - how the CPU walks a layout ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/HostTiling.h"
#include "runtime/plan/Form.h"
#include "runtime/plan/Layout.h"

#include <algorithm>
#include <cstdlib>

using namespace kern::runtime;

namespace {
/// Elements of a tile without buffers: a few operands of this size fit the
/// second-level cache.
constexpr int64_t tileElements = 1 << 15;
/// Bytes of all buffers of a tile: a quarter of a first-level cache, since the
/// packed data passes through it too.
constexpr int64_t bufferBytes = 1 << 13;
/// For a transpose: the least edge of a tile in elements, and the least
/// contiguous run in bytes on the packed side.
constexpr int64_t transposeEdge = 64, transposeRun = 128;
/// Bytes of the buffers of a transpose's tile.
constexpr int64_t transposeBytes = 1 << 15;
/// Rows shorter than this are stacked if they are whole blocks and enough rows
/// are evenly spaced; otherwise they are joined to runs. Below this length, a
/// call and a tail per row cost more than copying it.
constexpr int64_t shortRow = 256, shortStack = 8;
/// Bytes of a gufunc's packed loop elements: with the lines that they come
/// from, they fit a second-level cache. Of longer ones a tile has the width of
/// a few cache lines up to the second limit, as memory gives those of a row
/// sooner, and of one line up to the third.
constexpr int64_t packedCores = 1 << 18, widePackedCores = 1 << 21,
                  mostPackedCores = 1 << 26;
constexpr int64_t wideLines = 4;
/// The fewest loop elements, and the fewest elements of each, that are packed.
constexpr int64_t fewColumns = 8, shortCore = 2;
/// The bytes of a loop element from which on fewer columns go across.
constexpr int64_t longCore = 1 << 16;
constexpr int64_t cacheLine = 64;

int64_t stride(const Layout &layout, size_t operand, size_t dimension) {
  return dimension < layout.rank() ? layout.strides[operand][dimension] : 0;
}

bool isUniform(const Layout &layout, size_t operand, size_t dimensions) {
  for (size_t d = 0; d < dimensions; ++d)
    if (stride(layout, operand, d) != 0)
      return false;
  return true;
}

/// Whether strides are contiguous over the whole layout.
bool isDense(const Layout &layout, size_t operand, int64_t itemSize) {
  int64_t expected = itemSize;
  for (size_t d = 0; d < layout.rank(); ++d) {
    if (stride(layout, operand, d) != expected)
      return false;
    expected *= layout.extents[d];
  }
  return true;
}
} // namespace

size_t kern::runtime::fastestOuterDimension(const Layout &layout) {
  size_t fastest = 0;
  int64_t fastestStride = 0;
  for (const Strides &strides : layout.strides) {
    for (size_t d = 1; d < strides.size(); ++d) {
      int64_t outer = std::abs(strides[d]), inner = std::abs(strides[0]);
      if (outer == 0 || outer >= inner || (fastest && outer >= fastestStride))
        continue;
      fastest = d;
      fastestStride = outer;
    }
  }
  return fastest;
}

bool kern::runtime::isStrided(const Layout &layout,
                              std::span<const KernelOperand> operands,
                              size_t k) {
  const KernelOperand &operand = operands[k];
  if (operand.isScalar || operand.rangeStep)
    return false;
  int64_t inner = stride(layout, k, 0);
  return inner != 0 && inner != int64_t(itemSize(operand.inMemory()));
}

bool kern::runtime::isStrided(const Layout &layout,
                              std::span<const KernelOperand> operands) {
  for (size_t k = 0; k < operands.size(); ++k)
    if (isStrided(layout, operands, k))
      return true;
  return false;
}

/// How rows of blocks form the kernel's runs.
static HostRuns hostRuns(const Layout &layout, const HostTilingFacts &facts) {
  if (!isBlocked(facts.form) || layout.rank() < 2)
    return HostRuns::Rows;
  int64_t n0 = layout.extents[0], n1 = layout.extents[1];
  if (fastestOuterDimension(layout) != 0)
    return n0 >= facts.elements ? HostRuns::Stacked : HostRuns::Rows;
  if (n0 >= shortRow)
    return HostRuns::Rows;
  return n0 % facts.elements == 0 && n1 >= shortStack ? HostRuns::Stacked
                                                      : HostRuns::Joined;
}

static HostWalk hostWalk(const Layout &layout, size_t k,
                         const KernelOperand &operand, HostRuns runs,
                         bool isMasked) {
  int64_t size = int64_t(itemSize(operand.dtype));
  size_t dimensions = runs == HostRuns::Rows     ? 1
                      : runs == HostRuns::Joined ? layout.rank()
                                                 : 2;
  if (operand.isMask) // read in place, with any stride
    return HostWalk::Direct;
  if (operand.isScalar || isUniform(layout, k, dimensions))
    return operand.isOutput ? HostWalk::Packed : HostWalk::Uniform;
  if (passesBuffer(operand, isMasked))
    return HostWalk::Packed;
  bool isDirect = runs == HostRuns::Joined ? isDense(layout, k, size)
                                           : stride(layout, k, 0) == size;
  return isDirect ? HostWalk::Direct : HostWalk::Packed;
}

int64_t kern::runtime::coreBytes(const KernelOperand &operand) {
  int64_t bytes = int64_t(itemSize(operand.dtype));
  for (int64_t extent : operand.coreExtents)
    if (__builtin_mul_overflow(bytes, extent, &bytes))
      return INT64_MAX;
  return bytes;
}

/// Whether a gufunc's loop elements lie side by side in an operand, and the
/// elements of each far apart.
static bool hasCoresAcross(const Layout &layout, size_t k,
                           const KernelOperand &operand) {
  int64_t size = int64_t(itemSize(operand.dtype));
  if (!operand.hasCore || operand.isScalar || passesBuffer(operand, false) ||
      stride(layout, k, 0) != size || coreBytes(operand) < shortCore * size)
    return false;
  for (size_t d = 0; d < operand.coreExtents.size(); ++d)
    if (operand.coreExtents[d] > 1 &&
        std::abs(operand.coreStrides[d]) <
            std::min(fewColumns, layout.extents[0]) * size)
      return false;
  return true;
}

/// Whether all operands have elements of 4 or 8 bytes.
static bool haveWords(std::span<const KernelOperand> operands) {
  return std::ranges::all_of(operands, [](const KernelOperand &operand) {
    size_t size = itemSize(operand.dtype);
    return size == 4 || size == 8;
  });
}

bool kern::runtime::goesAcross(const Layout &layout,
                               std::span<const KernelOperand> operands) {
  bool hasCores = false, isLong = true;
  size_t inputs = 0, shared = 0; // with core dimensions
  for (size_t k = 0; k < operands.size(); ++k) {
    const KernelOperand &operand = operands[k];
    if (operand.isMask)
      return false;
    if (!operand.hasCore)
      continue;
    inputs += !operand.isOutput;
    bool isShared = !operand.isWritten && !operand.isScalar &&
                    stride(layout, k, 0) == 0 && !passesBuffer(operand, false);
    shared += isShared;
    if (isShared)
      continue;
    if (!hasCoresAcross(layout, k, operand))
      return false;
    isLong &= coreBytes(operand) >= longCore;
    hasCores = true;
  }
  // A kernel does not ask whether its only array is the same for all.
  bool isOneForAll = inputs == 1 && shared == 1;
  // Few short ones take less time than the form takes to compile.
  return hasCores && !isOneForAll &&
         (layout.extents[0] >= fewColumns ||
          (layout.extents[0] > 1 && isLong && haveWords(operands)));
}

/// The loop elements in a vector of a kernel that goes across.
static int64_t lanesAcross(int64_t elements) { return elements / 8; }

int64_t kern::runtime::fewestAcross(int64_t elements,
                                    std::span<const KernelOperand> operands) {
  return haveWords(operands) ? 1 : lanesAcross(elements);
}

int64_t kern::runtime::mostAcross(int64_t elements, int64_t columns) {
  return columns < elements / 2 ? std::max(2 * columns, lanesAcross(elements))
                                : elements;
}

/// The tiles of a kernel that goes across loop elements: parts of rows that are
/// whole vectors, so many that threads share them evenly.
static HostTiling acrossTiling(const Layout &layout,
                               const HostTilingFacts &facts) {
  constexpr int64_t tilesOfThread = 4;
  int64_t n0 = layout.extents[0], rows = layout.outerCount(1);
  int64_t wanted =
      facts.threads > 1
          ? ceilDivide(tilesOfThread * int64_t(facts.threads), rows)
          : 1;
  // Half of the most is as fast where there are few.
  int64_t width = n0 >= facts.elements * int64_t(facts.threads) ? facts.elements
                  : n0 >= facts.elements / 2 ? facts.elements / 2
                                             : lanesAcross(facts.elements);
  HostTiling tiling;
  tiling.columns = std::min(n0, roundUp(ceilDivide(n0, wanted), width));
  auto leavesFew = [&] {
    int64_t left = n0 % tiling.columns;
    return left > 0 && left < lanesAcross(facts.elements);
  };
  while (leavesFew())
    tiling.columns = std::min(n0, tiling.columns + width);
  tiling.rows = 1;
  tiling.band = rows;
  return tiling;
}

/// Lets a gufunc's operands pass buffers where that saves more than it costs: a
/// loop element by itself would take one element of each cache line that it
/// touches, from as many pages.
static void packCores(HostTiling &tiling, const Layout &layout,
                      std::span<const KernelOperand> operands,
                      unsigned threads) {
  int64_t bytes = 0, narrowest = 16;
  std::vector<HostWalk> walks(operands.size(), HostWalk::Direct);
  for (size_t k = 0; k < operands.size(); ++k) {
    if (!hasCoresAcross(layout, k, operands[k]))
      continue;
    walks[k] = HostWalk::Packed;
    narrowest = std::min(narrowest, int64_t(itemSize(operands[k].dtype)));
    if (__builtin_add_overflow(bytes, coreBytes(operands[k]), &bytes))
      return;
  }
  int64_t line = cacheLine / narrowest;
  if (bytes == 0 || layout.extents[0] < fewColumns ||
      bytes > mostPackedCores / line)
    return;
  int64_t share = ceilDivide(layout.extents[0], int64_t(threads));
  int64_t lines =
      std::max({packedCores / bytes / line, int64_t(1),
                std::min(widePackedCores / bytes / line, wideLines)});
  tiling.columns = std::min(roundUp(share, fewColumns), lines * line);
  tiling.columns = std::min(tiling.columns, layout.extents[0]);
  tiling.rows = 1;
  tiling.walks = std::move(walks);
}

HostTiling kern::runtime::hostTiling(const Layout &layout,
                                     std::span<const KernelOperand> operands,
                                     const HostTilingFacts &facts) {
  if (facts.form == Form::Across)
    return acrossTiling(layout, facts);
  int64_t n0 = layout.rank() ? layout.extents[0] : 1;
  int64_t allRows = layout.outerCount(1);
  bool isTransposed = fastestOuterDimension(layout) != 0;
  bool hasBlocks = isBlocked(facts.form);
  HostTiling tiling;
  tiling.runs = hostRuns(layout, facts);
  tiling.band = allRows;
  if (isTransposed || tiling.runs == HostRuns::Stacked)
    tiling.band = layout.extents[1];

  int64_t packedBytes = 0, narrowest = 16;
  bool isMasked = hasMask(operands);
  for (size_t k = 0; k < operands.size(); ++k) {
    const KernelOperand &operand = operands[k];
    if (hasBlocks)
      tiling.walks.push_back(
          hostWalk(layout, k, operand, tiling.runs, isMasked));
    if (hasBlocks ? tiling.walks.back() != HostWalk::Packed
                  : !passesBuffer(operand, isMasked))
      continue;
    int64_t size = int64_t(itemSize(operand.dtype)),
            stored = int64_t(itemSize(operand.inMemory()));
    bool stops =
        operand.stored && !operand.rangeStep &&
        (stride(layout, k, 0) != stored || (isMasked && operand.isOutput));
    packedBytes += stops ? size + stored : size;
    narrowest = std::min(narrowest, size);
  }

  if (isTransposed && (!hasBlocks || packedBytes > 0)) {
    int64_t edge = std::max(transposeEdge, transposeRun / narrowest);
    tiling.columns =
        std::min(n0, roundUp(transposeEdge, hasBlocks ? facts.elements : 1));
    int64_t rowBytes = std::max<int64_t>(packedBytes, 1) * tiling.columns;
    tiling.rows = std::min(
        tiling.band, std::clamp<int64_t>(transposeBytes / rowBytes, 8, edge));
    return tiling;
  }
  // Enough tiles for every thread, each large enough to be worth a call.
  int64_t maxElements = packedBytes > 0 ? bufferBytes / packedBytes
                                        : tileElements / facts.workPerElement;
  int64_t perThread =
      facts.threads > 1 ? ceilDivide(layout.count(), int64_t(facts.threads) * 8)
                        : layout.count();
  int64_t elements =
      std::clamp<int64_t>(perThread, 1, std::max<int64_t>(maxElements, 1));
  if (hasBlocks)
    elements = roundUp(elements, facts.elements);
  tiling.columns =
      tiling.runs == HostRuns::Joined ? n0 : std::min(n0, elements);
  tiling.rows = std::clamp<int64_t>(elements / tiling.columns, 1, tiling.band);
  if (facts.form == Form::General && facts.elements == 1 && !facts.inParts &&
      layout.rank() > 0)
    packCores(tiling, layout, operands, facts.threads);
  return tiling;
}

/// Whether addresses rise with the elements, and no element lies inside
/// another's extent.
static bool rises(const Layout &layout, const Strides &strides) {
  int64_t reach = 1;
  for (size_t d = 0; d < strides.size(); ++d) {
    if (strides[d] < reach)
      return false;
    reach = strides[d] * layout.extents[d];
  }
  return true;
}

std::optional<TileOrder>
kern::runtime::walkOrder(const Layout &layout,
                         std::span<const OverlappingPair> pairs) {
  TileOrder order = TileOrder::Any;
  if (layout.rank() == 0 || fastestOuterDimension(layout) != 0)
    return std::nullopt;
  for (const OverlappingPair &pair : pairs) {
    const Strides &strides = layout.strides[pair.written];
    if (strides != layout.strides[pair.read] || !rises(layout, strides))
      return std::nullopt;
    // What an element overwrites must have been read before: by earlier
    // elements in ascending order, by later ones in descending order.
    TileOrder own =
        pair.distance >= 0 ? TileOrder::Ascending : TileOrder::Descending;
    bool isWithin = pair.readSize > strides[0];
    if ((order != TileOrder::Any && order != own) ||
        (own == TileOrder::Descending && isWithin))
      return std::nullopt;
    order = own;
  }
  return order;
}
