//===- Schedule.cpp - how a call maps the loops of a gufunc ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/Schedule.h"

#include "runtime/plan/ResidentRows.h"
#include "runtime/plan/ScanRows.h"
#include "runtime/plan/StagedSchedule.h"
#include "runtime/plan/Tiles.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>

using namespace kern::runtime;

/// Measured on an H200 with the norm of rows
/// (docs/explanation/decisions/loops.md).
static uint64_t lanesForExtent(uint64_t extent, unsigned chunk) {
  constexpr uint64_t most = 1024;
  uint64_t root = std::bit_floor(uint64_t(std::sqrt(double(extent))));
  if (chunk == 1)
    return std::clamp<uint64_t>(extent <= 1024 ? root / 2 : root, 1, most);
  // Two to four chunks per lane, in groups of powers of four. For long rows,
  // lanes and iterations grow equally.
  constexpr uint64_t longRow = 1024;
  uint64_t chunks = extent / chunk, lanes = 1;
  if (chunks > longRow)
    return std::min(root, most);
  while (lanes * 4 < chunks)
    lanes *= 4;
  return lanes;
}

unsigned kern::runtime::lanesFor(int64_t extent, unsigned chunk, int64_t items,
                                 int64_t threads) {
  if (extent <= 1)
    return 1;
  uint64_t lanes = lanesForExtent(uint64_t(extent), chunk);
  // Too few items leave the GPU idle: use more lanes while each keeps several
  // iterations.
  while (lanes < 1024 && saturatingProduct(items, int64_t(lanes)) < threads &&
         uint64_t(extent) / (lanes * 2) >= (chunk == 1 ? 4 : 2) * chunk)
    lanes *= 2;
  return unsigned(lanes);
}

/// The most lanes that can share an item. A grid has its limit, and the
/// iterations of a flat nest are not shared out to several grids: a block of at
/// least a warp then takes several items.
static unsigned maxLanes(const Nest &nest, const NestExtents &extents) {
  constexpr unsigned warp = 32;
  unsigned lanes = 1024;
  if (extents.items() > maxBlocks && !nest.flat.empty())
    for (lanes = warp / 2; lanes > 1; lanes /= 2)
      if (ceilDivide(extents.items(), int64_t(warp / lanes)) <= maxBlocks)
        break;
  return lanes;
}

/// The bytes of the arrays with `copies` copies of each. Each array begins at a
/// multiple of 16.
static int64_t privateBytes(const NestExtents &extents, unsigned copies) {
  constexpr int64_t unit = 16;
  int64_t sum = 0;
  for (int64_t bytes : extents.privatised) {
    bytes = saturatingProduct(bytes, copies);
    if (__builtin_add_overflow(sum, bytes, &sum) || sum > INT64_MAX / 2)
      return INT64_MAX;
    sum = ceilDivide(sum, unit) * unit;
  }
  return sum;
}

/// Every GPU has 48 KiB for a block. A reduction in the same kernel
/// needs up to 16.
static constexpr int64_t maxPrivateBytes = 32 << 10;

unsigned kern::runtime::copiesFor(const NestExtents &extents, int64_t slices) {
  constexpr unsigned banks = 32;
  constexpr int64_t word = 4, updatesPerWord = 2;
  if (extents.privatised.empty())
    return 0;
  int64_t updates = extents.shared / std::max<int64_t>(slices, 1);
  unsigned copies = banks;
  for (; copies > 0; copies /= 2) {
    int64_t bytes = privateBytes(extents, copies);
    if (bytes <= maxPrivateBytes && bytes / word * updatesPerWord <= updates)
      break;
  }
  return copies;
}

/// The number of slices of each item's loops; 1 if there are enough items, or
/// loops are short.
static int64_t slicesFor(const NestExtents &extents, unsigned lanes,
                         unsigned chunk, bool isPrivate, int64_t threads) {
  constexpr int64_t most = 1024, iterationsEach = 4;
  int64_t items = std::max<int64_t>(extents.items(), 1);
  // Of lanes across loop elements, which need some of them, a block has fewer.
  // Those of a block that has copies of its own never go across.
  constexpr unsigned few = 32;
  int64_t rows = items < few || isPrivate ? lanes : std::min(lanes, few);
  int64_t busy = saturatingProduct(items, rows);
  if (busy >= threads / 4)
    return 1;
  int64_t wanted = std::min(ceilDivide(threads / 2, busy), most);
  int64_t possible = extents.shared / (int64_t(lanes) * chunk * iterationsEach);
  // Each block clears and adds its copies.
  if (isPrivate)
    possible =
        std::min(possible, extents.shared / (privateBytes(extents, 1) * 2));
  return std::max<int64_t>(std::min(wanted, possible), 1);
}

/// The fewest lanes of a block that has copies of its own.
static constexpr unsigned minPrivateLanes = 64;

static void setCopies(Schedule &schedule, unsigned copies,
                      const NestExtents &extents) {
  schedule.mapping.privatised = copies > 0;
  schedule.copies = copies;
  schedule.sharedBytes = copies ? unsigned(privateBytes(extents, copies)) : 0;
}

/// The longest loops that are worth unrolling in threads that share a tile.
static constexpr int64_t longestOfTile = 32;

/// The extents up to `longest`, and 0 for others; empty if there are none.
static std::vector<int64_t> smallExtents(const NestExtents &extents,
                                         int64_t longest) {
  std::vector<int64_t> constants;
  for (int64_t extent : extents.dims)
    constants.push_back(extent > 0 && extent <= longest ? extent : 0);
  if (std::ranges::all_of(constants, [](int64_t extent) { return !extent; }))
    constants.clear();
  return constants;
}

std::vector<int64_t> kern::runtime::constantsFor(const NestExtents &extents,
                                                 int64_t longest) {
  // A kernel takes about 100 ms to make.
  constexpr int64_t fewElements = 4096;
  if (extents.elements < fewElements && !extents.wantsConstants)
    return {};
  return smallExtents(extents, longest);
}

unsigned kern::runtime::loopDimsFor(size_t rank, const Mapping &mapping) {
  if (rank > 1 || mapping.tile)
    return maxKernelDims;
  // Lanes that go across have 64 registers. Without a loop dimension ptxas
  // fills them with addresses and waits for each element: 0.79 of the speed.
  return rank == 0 && mapping.flat && !mapping.across ? 0 : 1;
}

Groups kern::runtime::groupsFor(const Schedule &schedule) {
  constexpr unsigned warp = 32;
  // Some launches of slices have smaller groups.
  const Mapping &mapping = schedule.mapping;
  if (mapping.across || mapping.sliced || mapping.staged || mapping.tile)
    return Groups::Any;
  return schedule.lanes == 1     ? Groups::One
         : schedule.lanes > warp ? Groups::Block
                                 : Groups::Any;
}

static void setTile(Schedule &schedule, const Nest &nest,
                    const NestExtents &extents, unsigned columns) {
  const Mapping mapping = {.flat = true, .tile = columns};
  const Nest::Tile &tile = *nest.tileOf(mapping);
  schedule = {.mapping = mapping,
              .lanes = tile.threads,
              .sharedBytes = tile.sharedBytes,
              .constants = nest.hasLoops ? constantsFor(extents, longestOfTile)
                                         : std::vector<int64_t>()};
}

static void setUnrolled(Schedule &schedule, const Nest &nest,
                        const NestExtents &extents, unsigned columns) {
  const Mapping mapping = {.flat = true, .unrolled = true, .tile = columns};
  schedule = {.mapping = mapping,
              .lanes = nest.tileOf(mapping)->threads,
              .constants = smallExtents(extents, longestUnrolled)};
}

/// Whether lanes across loop elements keep the GPU about as busy as lanes along
/// the core: blocks have fewer rows than groups have lanes.
static bool isBusyAcross(const Schedule &schedule, int64_t items,
                         int64_t threads) {
  constexpr int64_t fewer = 4;
  int64_t groups = saturatingProduct(items, schedule.slices);
  int64_t along = saturatingProduct(groups, schedule.lanes);
  int64_t across =
      saturatingProduct(groups, std::min(schedule.lanes, maxRowsAcross));
  return across >= threads / 8 || across >= along / fewer;
}

/// Whether one thread works on each loop element of a nest whose lanes would
/// all run long loops in order. With eight warps a multiprocessor takes some 20
/// cycles for an iteration of all, and so does a thread that has its elements
/// moved.
static bool goesAlone(const Nest &nest, const NestExtents &extents,
                      int64_t threads) {
  constexpr int64_t fewerThanFit = 256;
  return nest.readsTogether && extents.elements >= threads / fewerThanFit;
}

/// The lanes that share the pranges of such a nest. All of them run the loops
/// in order, too, 2.4 cycles an iteration for each warp of a multiprocessor: so
/// there is one for each unit that issues instructions.
static unsigned lanesBesideOrder(const Nest &nest, const NestExtents &extents,
                                 unsigned lanes, int64_t threads) {
  constexpr unsigned warp = 32, most = 128;
  constexpr int64_t warpsOfUnit = 16; // that fit
  if (!nest.readsTogether)
    return lanes;
  const auto fewEach =
      uint64_t(threads / warpsOfUnit / std::max<int64_t>(extents.items(), 1));
  const auto each = unsigned(std::min<uint64_t>(std::bit_floor(fewEach), most));
  return std::max(std::min(lanes, each), warp);
}

Schedule kern::runtime::scheduleOf(const Nest &nest, const NestExtents &extents,
                                   StrideFacts strides, int64_t threads) {
  Schedule schedule;
  schedule.mapping.flat = !nest.flat.empty();
  if (nest.isElementwise)
    return schedule;
  if (!nest.hasLoops) {
    unsigned columns =
        strides.isDense && strides.mayStage
            ? windowFor(nest.tiles, extents, strides.isAligned, threads)
            : 0;
    if (columns)
      setTile(schedule, nest, extents, columns);
    else if (strides.needsStaging && strides.mayStage)
      setStaged(schedule, nest, extents, threads);
    return schedule;
  }
  if (goesAlone(nest, extents, threads) && strides.mayStage)
    setStaged(schedule, nest, extents, threads);
  if (schedule.mapping.staged)
    return schedule;
  if (nest.isScan)
    return scheduleOfScan(schedule, nest, extents, strides,
                          {threads, maxLanes(nest, extents)});
  const unsigned columns = tileFor(nest, extents, threads);
  // Whether each result is summed in the order of a single lane, as in a tile.
  const bool isInOrder = columns || lanesFor(extents.shared, nest.chunk,
                                             extents.items(), threads) == 1;
  if (isInOrder && strides.needsStaging && strides.mayStage &&
      isSmall(nest, extents)) {
    setStaged(schedule, nest, extents, threads);
    return schedule;
  }
  if (isInOrder)
    if (unsigned wide = unrolledFor(nest, extents, strides, threads)) {
      setUnrolled(schedule, nest, extents, wide);
      return schedule;
    }
  if (columns) {
    setTile(schedule, nest, extents, columns);
    return schedule;
  }
  unsigned most = maxLanes(nest, extents);
  std::optional<unsigned> ofRows = lanesForRows(nest, extents, threads);
  if (ofRows > most)
    ofRows.reset();
  schedule.lanes = ofRows ? *ofRows
                          : std::min(most, lanesFor(extents.shared, nest.chunk,
                                                    extents.items(), threads));
  // Columns, of which neighbouring lanes then take neighbouring elements.
  constexpr int64_t columnsThatFill = 16;
  if (nest.hasOrderedLoops && strides.goesAcross &&
      extents.items() >= threads / columnsThatFill)
    schedule.lanes = 1;
  schedule.lanes = lanesBesideOrder(nest, extents, schedule.lanes, threads);
  // A group that has copies of its own is a block.
  bool isPrivate = most >= minPrivateLanes && copiesFor(extents, 1) > 0;
  if (isPrivate)
    schedule.lanes = std::max(schedule.lanes, minPrivateLanes);
  bool keepsParts = false;
  if (nest.launches) {
    constexpr unsigned maxLanesOfSlice = 256;
    unsigned lanes = std::min(schedule.lanes, maxLanesOfSlice);
    int64_t slices = slicesFor(extents, lanes, nest.chunk, isPrivate, threads);
    std::optional<RowParts> ofParts;
    if (!isPrivate && most >= cooperatingLanes && (!ofRows || slices > 1))
      ofParts = partsOfRows(nest, extents, busySlices(nest, extents, threads),
                            threads, recentres(nest, extents));
    keepsParts = ofParts && ofParts->slices > 1;
    if (keepsParts) {
      slices = ofParts->slices;
      lanes = ofParts->lanes;
      schedule.mapping.recentred = recentres(nest, extents);
    }
    if (slices > 1) {
      schedule.mapping.sliced = true;
      schedule.lanes = lanes;
      schedule.slices = slices;
    }
  }
  setCopies(schedule, isPrivate ? copiesFor(extents, schedule.slices) : 0,
            extents);
  schedule.mapping.across = strides.goesAcross && nest.isStraight &&
                            !schedule.mapping.privatised &&
                            isBusyAcross(schedule, extents.items(), threads);
  if (ofRows && strides.hasChunks && !schedule.mapping.sliced &&
      !schedule.mapping.across && !schedule.mapping.privatised)
    keepRows(schedule, nest, extents);
  if (keepsParts && strides.hasChunks && !schedule.mapping.across)
    keepParts(schedule, nest, extents, threads);
  if (strides.needsStaging && strides.mayStage && !strides.hasChunks &&
      schedule.lanes == 1 && schedule.slices == 1)
    setStaged(schedule, nest, extents, threads);
  return schedule;
}

Schedule kern::runtime::forced(Schedule schedule, Mapping wanted,
                               const Nest &nest, const NestExtents &extents,
                               StrideFacts strides, int64_t threads) {
  if (nest.isElementwise)
    return schedule;
  if (wanted.staged && strides.mayStage) {
    setStaged(schedule, nest, extents, threads,
              wanted.spread && nest.canSpread());
    return schedule;
  }
  if (wanted.unrolled && canUnroll(nest, extents, strides)) {
    bool isChosen = schedule.mapping.unrolled;
    setUnrolled(schedule, nest, extents,
                isChosen ? schedule.mapping.tile
                         : nest.unrolled.tiles.front().columns);
    return schedule;
  }
  if (wanted.tile && !nest.tiles.empty() &&
      (nest.hasLoops || strides.mayStage)) {
    unsigned columns = schedule.mapping.tile;
    setTile(schedule, nest, extents,
            columns ? columns : nest.tiles.front().columns);
    return schedule;
  }
  if (schedule.mapping.staged || !nest.hasLoops)
    schedule = {{.flat = !nest.flat.empty()}};
  if (!nest.hasLoops)
    return schedule;
  schedule.lanes = lanesBesideOrder(nest, extents, schedule.lanes, threads);
  if (nest.isScan)
    return forcedScan(schedule, wanted, nest, extents,
                      {threads, maxLanes(nest, extents)});
  schedule.mapping.across = wanted.across && nest.isStraight;
  // A call of this many items is never sliced, since each would need records of
  // its own.
  const bool fitGrid = maxLanes(nest, extents) >= minPrivateLanes;
  schedule.mapping.sliced = wanted.sliced && nest.launches > 0 && fitGrid;
  schedule.mapping.recentred =
      wanted.recentred && nest.recentres && schedule.mapping.sliced;
  schedule.mapping.resident = false;
  schedule.mapping.chunks = 0;
  if (wanted.resident && strides.hasChunks && !schedule.mapping.across &&
      !schedule.mapping.sliced && fitRows(nest, extents, schedule.lanes))
    keepRows(schedule, nest, extents);
  constexpr int64_t several = 3;
  if (!schedule.mapping.sliced)
    schedule.slices = 1;
  else if (schedule.slices == 1)
    schedule.slices = std::clamp<int64_t>(extents.shared, 1, several);
  unsigned copies = 0;
  if (wanted.privatised && !extents.privatised.empty() && fitGrid &&
      privateBytes(extents, 1) <= maxPrivateBytes) {
    copies = std::max(copiesFor(extents, schedule.slices), 1u);
    schedule.lanes = std::max(schedule.lanes, minPrivateLanes);
    schedule.mapping.across = false;
  }
  setCopies(schedule, copies, extents);
  std::optional<RowParts> ofParts;
  if (wanted.resident && schedule.mapping.sliced && !copies &&
      maxLanes(nest, extents) >= cooperatingLanes)
    ofParts = partsOfRows(nest, extents, several, threads,
                          schedule.mapping.recentred);
  if (ofParts) {
    schedule.lanes = ofParts->lanes;
    schedule.slices = ofParts->slices;
    if (strides.hasChunks && !schedule.mapping.across)
      keepParts(schedule, nest, extents, threads);
  }
  return schedule;
}
