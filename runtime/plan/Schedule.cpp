//===- Schedule.cpp - how a call maps the loops of a gufunc ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/Schedule.h"

#include "runtime/plan/Tiles.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>

using namespace kern::runtime;

static int64_t saturatingProduct(int64_t a, int64_t b) {
  int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

int64_t NestExtents::items() const {
  int64_t product = elements;
  for (int64_t extent : flat)
    product = saturatingProduct(product, extent);
  return product;
}

Expected<NestExtents> kern::runtime::extentsOf(const Nest &nest,
                                               int64_t elements,
                                               const DimLookup &lookup) {
  NestExtents out;
  out.elements = elements;
  for (const DimExpr &dim : nest.flat) {
    Expected<int64_t> extent = evaluate(dim, lookup);
    if (!extent)
      return extent.error();
    out.flat.push_back(std::max<int64_t>(*extent, 0));
  }
  for (const DimExpr &dim : nest.sharedExtents) {
    Expected<int64_t> extent = evaluate(dim, lookup);
    if (!extent)
      return extent.error();
    out.shared = std::max(out.shared, *extent);
  }
  return out;
}

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

/// The rows of a block whose lanes go across.
static constexpr int64_t maxRows = 32;

/// In how many slices the loops of each item are cut; 1 if there are items
/// enough, or loops are short.
static int64_t slicesFor(const NestExtents &extents, unsigned lanes,
                         unsigned chunk, int64_t threads) {
  constexpr int64_t most = 1024, iterationsEach = 4;
  int64_t items = std::max<int64_t>(extents.items(), 1);
  // Lanes across loop elements need some of them.
  int64_t rows = items < 32 ? lanes : std::min<int64_t>(lanes, maxRows);
  int64_t busy = saturatingProduct(items, rows);
  if (busy >= threads / 4)
    return 1;
  int64_t wanted = std::min(ceilDivide(threads / 2, busy), most);
  int64_t possible = extents.shared / (int64_t(lanes) * chunk * iterationsEach);
  return std::max<int64_t>(std::min(wanted, possible), 1);
}

Schedule kern::runtime::scheduleOf(const Nest &nest, const NestExtents &extents,
                                   bool goesAcross, int64_t threads) {
  Schedule schedule;
  schedule.mapping.flat = !nest.flat.empty();
  if (nest.isElementwise || !nest.hasLoops)
    return schedule;
  if (unsigned columns = tileFor(nest, extents, threads)) {
    schedule.mapping.tile = columns;
    schedule.lanes = nest.tileOf(columns)->threads;
    return schedule;
  }
  schedule.lanes =
      lanesFor(extents.shared, nest.chunk, extents.items(), threads);
  if (nest.launches) {
    constexpr unsigned mostOfSlice = 256;
    unsigned lanes = std::min(schedule.lanes, mostOfSlice);
    int64_t slices = slicesFor(extents, lanes, nest.chunk, threads);
    if (slices > 1) {
      schedule.mapping.sliced = true;
      schedule.lanes = lanes;
      schedule.slices = slices;
    }
  }
  schedule.mapping.across = goesAcross && nest.isStraight;
  return schedule;
}

std::optional<Mapping> kern::runtime::parseMapping(std::string_view text) {
  Mapping mapping;
  if (text == kern::runtime::text(mapping))
    return mapping;
  for (;;) {
    size_t comma = text.find(',');
    std::string_view word = text.substr(0, comma);
    auto at = std::ranges::find(mappingWords, word, &MappingWord::name);
    if (word == "tiled")
      mapping.tile = anyTile;
    else if (std::optional<unsigned> columns = tileOfWord(word))
      mapping.tile = *columns;
    else if (at == std::end(mappingWords))
      return std::nullopt;
    else
      mapping.*at->member = true;
    if (comma == text.npos)
      return mapping;
    text.remove_prefix(comma + 1);
  }
}

Schedule kern::runtime::forced(Schedule schedule, Mapping wanted,
                               const Nest &nest, const NestExtents &extents) {
  if (nest.isElementwise || !nest.hasLoops)
    return schedule;
  if (wanted.tile && !nest.tiles.empty()) {
    unsigned columns = schedule.mapping.tile;
    const Nest::Tile &tile =
        columns ? *nest.tileOf(columns) : nest.tiles.front();
    return {.mapping = {.flat = true, .tile = tile.columns},
            .lanes = tile.threads};
  }
  schedule.mapping.across = wanted.across && nest.isStraight;
  schedule.mapping.sliced = wanted.sliced && nest.launches > 0;
  constexpr int64_t several = 3;
  if (!schedule.mapping.sliced)
    schedule.slices = 1;
  else if (schedule.slices == 1)
    schedule.slices = std::clamp<int64_t>(extents.shared, 1, several);
  return schedule;
}

/// The bytes that memory moves for an element, if neighbouring lanes' elements
/// lie so far apart.
static double costOf(int64_t stride, size_t itemSize) {
  constexpr double sector = 32;
  if (stride == 0)
    return 1.0 / 16;
  return std::clamp(double(std::abs(stride)), double(itemSize), sector);
}

bool kern::runtime::isCloserAcross(const Nest &nest, const Layout &layout,
                                   std::span<const KernelOperand> operands,
                                   const NestExtents &extents) {
  constexpr int64_t fewItems = 8;
  size_t flatCount = extents.flat.size();
  int64_t neighbours = flatCount           ? extents.flat.back()
                       : layout.rank() > 0 ? layout.extents[0]
                                           : 1;
  if (!nest.isStraight || !nest.hasLoops || neighbours < fewItems)
    return false;
  double along = 0, across = 0;
  for (const Nest::Access &access : nest.accesses) {
    const KernelOperand &operand = operands[access.operand];
    size_t size = itemSize(operand.dtype);
    if (access.steps.empty()) {
      along += costOf(INT32_MAX, size);
      across += costOf(INT32_MAX, size);
      continue;
    }
    auto strideOf = [&](size_t index) {
      int64_t stride = 0;
      for (size_t d = 0; d < operand.coreStrides.size(); ++d)
        stride += access.steps[index][d] * operand.coreStrides[d];
      return stride;
    };
    along += costOf(strideOf(flatCount), size);
    across += costOf(flatCount           ? strideOf(flatCount - 1)
                     : layout.rank() > 0 ? layout.strides[access.operand][0]
                                         : 0,
                     size);
  }
  return across * 1.25 < along;
}

Expected<FlatLoop> kern::runtime::flatLoop(
    const Nest &nest, const NestExtents &extents, const Layout &layout,
    std::span<const KernelOperand> operands, const DimLookup &lookup) {
  FlatLoop out;
  Extents shape(layout.extents.rbegin(), layout.extents.rend());
  shape.insert(shape.end(), extents.flat.begin(), extents.flat.end());
  std::vector<Strides> strides;
  for (const Nest::Access &access : nest.accesses) {
    KernelOperand operand = operands[access.operand];
    operand.isOutput = access.isWrite;
    operand.hasCore = false;
    const Strides &loop = layout.strides[access.operand];
    Strides own(loop.rbegin(), loop.rend());
    for (const std::vector<int64_t> &step : access.steps) {
      int64_t stride = 0;
      for (size_t d = 0; d < step.size(); ++d)
        stride += step[d] * operand.coreStrides[d];
      own.push_back(stride);
    }
    for (size_t d = 0; d < access.start.size(); ++d) {
      Expected<int64_t> index = evaluate(access.start[d], lookup);
      if (!index)
        return index.error();
      operand.data += *index * operand.coreStrides[d];
    }
    operand.coreStrides.clear();
    strides.push_back(std::move(own));
    out.operands.push_back(std::move(operand));
  }
  out.layout = planLayout(shape, strides);
  for (size_t k = 0; k < out.operands.size(); ++k) {
    KernelOperand &operand = out.operands[k];
    if (out.layout.isEmpty)
      break;
    operand.loopStrides = out.layout.strides[k];
    if (!operand.isScalar)
      operand.data += out.layout.offsets[k];
  }
  return out;
}
