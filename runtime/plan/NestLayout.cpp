//===- NestLayout.cpp - what one call says of a nest ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/NestLayout.h"

#include <algorithm>
#include <cmath>

using namespace kern::runtime;

int64_t kern::runtime::saturatingProduct(int64_t a, int64_t b) {
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
  if (nest.residentChunks) {
    Expected<int64_t> extent = evaluate(nest.residentExtent, lookup);
    if (!extent)
      return extent.error();
    out.resident = *extent;
  }
  if (!nest.unrolled.tiles.empty()) {
    Expected<int64_t> iterations = evaluate(nest.unrolled.iterations, lookup);
    if (!iterations)
      return iterations.error();
    out.unrolled = *iterations;
    for (const std::string &name : namesIn(nest.unrolled.iterations))
      out.unrolledDim = std::max(out.unrolledDim, lookup(name).value_or(0));
  }
  for (const DimExpr &bytes : nest.privatised) {
    Expected<int64_t> size = evaluate(bytes, lookup);
    if (!size)
      return size.error();
    out.privatised.push_back(std::max<int64_t>(*size, 0));
  }
  out.areStagesConstant = !nest.stages.empty();
  for (const Nest::Stage &stage : nest.stages) {
    out.areStagesConstant &= constantOf(stage.bytes).has_value();
    Expected<int64_t> size = evaluate(stage.bytes, lookup);
    if (!size)
      return size.error();
    out.stages.push_back(std::max<int64_t>(*size, 0));
  }
  return out;
}

/// The bytes that memory moves for an element, if those of neighbouring lanes
/// are this far apart.
static double costOf(int64_t stride, size_t itemSize) {
  constexpr double sector = 32;
  if (stride == 0)
    return 1.0 / 16;
  return std::clamp(double(std::abs(stride)), double(itemSize), sector);
}

static bool isCloserAcross(const Nest &nest, const Layout &layout,
                           std::span<const KernelOperand> operands,
                           const NestExtents &extents) {
  constexpr int64_t fewItems = 8;
  size_t flatCount = extents.flat.size();
  int64_t neighbours = flatCount           ? extents.flat.back()
                       : layout.rank() > 0 ? layout.extents[0]
                                           : 1;
  if (!(nest.isStraight || nest.hasOrderedLoops) || !nest.hasLoops ||
      neighbours < fewItems)
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

/// The core dimension along which an access goes to the next element in the
/// next iteration; nothing if there is none.
static std::optional<size_t> consecutiveDimension(const Nest::Access &access) {
  std::optional<size_t> dimension;
  if (access.steps.empty())
    return dimension;
  const std::vector<int64_t> &inner = access.steps.back();
  for (size_t d = 0; d < inner.size(); ++d) {
    if (inner[d] == 0)
      continue;
    if (inner[d] != 1 || dimension)
      return std::nullopt;
    dimension = d;
  }
  return dimension;
}

static bool hasChunks(const Nest &nest,
                      std::span<const KernelOperand> operands) {
  bool isFound = false;
  for (const Nest::Access &access : nest.accesses) {
    const KernelOperand &operand = operands[access.operand];
    if (access.steps.empty())
      return false; // in a row that depends on data
    std::optional<size_t> dimension = consecutiveDimension(access);
    if (!dimension)
      continue;
    isFound = true;
    auto size = int64_t(itemSize(operand.dtype)), bytes = size * nest.chunk;
    bool fits = operand.coreStrides[*dimension] == size &&
                wordOf(operand.data) % bytes == 0;
    for (size_t d = 0; d < operand.coreStrides.size(); ++d)
      fits &= d == *dimension || operand.coreStrides[d] % bytes == 0;
    for (int64_t stride : operand.loopStrides)
      fits &= stride % bytes == 0;
    if (!fits)
      return false;
  }
  return isFound && nest.chunk > 1;
}

/// Whether the elements of a stage lie closer together than those of
/// neighbouring threads, or threads are so few that each would wait for memory
/// in every iteration of a loop in order: those of a stage are fetched ahead.
static bool needsStaging(const Nest &nest, const Layout &layout,
                         std::span<const KernelOperand> operands) {
  constexpr int64_t fewThreads = 16384;
  if (nest.stages.empty())
    return false;
  if (!nest.hasLoops && layout.count() <= fewThreads)
    return true;
  if (layout.rank() == 0)
    return false;
  double along = 0, across = 0;
  for (const Nest::Stage &stage : nest.stages) {
    if (!stage.operand)
      continue;
    const KernelOperand &operand = operands[*stage.operand];
    size_t size = itemSize(operand.dtype);
    along += costOf(operand.coreStrides[stage.dimension], size);
    across += costOf(layout.strides[*stage.operand][0], size);
  }
  return along * 1.25 < across;
}

static bool isDense(const Nest &nest, std::span<const KernelOperand> operands) {
  if (nest.hasLoops)
    return !nest.unrolled.tiles.empty() &&
           std::ranges::all_of(nest.unrolled.rowOperands, [&](unsigned number) {
             const KernelOperand &operand = operands[number];
             return operand.coreStrides.back() ==
                    int64_t(itemSize(operand.dtype));
           });
  for (const Nest::Access &access : nest.accesses) {
    const KernelOperand &operand = operands[access.operand];
    if (nest.flat.empty())
      return false;
    // Elements whose place depends on data are not neighbours in any case.
    if (!access.steps.empty() && !operand.coreStrides.empty() &&
        access.steps[nest.flat.size() - 1].back() != 0 &&
        operand.coreStrides.back() != int64_t(itemSize(operand.dtype)))
      return false;
  }
  return true;
}

/// The operands of which lanes access neighbouring elements.
static std::vector<unsigned> rowOperands(const Nest &nest) {
  if (nest.hasLoops || nest.flat.empty())
    return nest.unrolled.rowOperands;
  std::vector<unsigned> list;
  for (const Nest::Access &access : nest.accesses)
    if (!access.steps.empty() && !access.steps[nest.flat.size() - 1].empty() &&
        access.steps[nest.flat.size() - 1].back() != 0)
      list.push_back(access.operand);
  return list;
}

/// Whether a wide tile's threads find their columns at multiples of what they
/// access at once.
static bool hasAlignedRows(const Nest &nest,
                           std::span<const KernelOperand> operands) {
  for (unsigned number : rowOperands(nest)) {
    const KernelOperand &operand = operands[number];
    int64_t bytes =
        std::min(wideBytes, wideColumns * int64_t(itemSize(operand.dtype)));
    auto isMultiple = [=](int64_t stride) { return stride % bytes == 0; };
    std::span<const int64_t> core = operand.coreStrides;
    if (!isMultiple(wordOf(operand.data)) ||
        !std::ranges::all_of(core.first(core.size() - 1), isMultiple) ||
        !std::ranges::all_of(operand.loopStrides, isMultiple))
      return false;
  }
  return true;
}

StrideFacts kern::runtime::strideFacts(const Nest &nest, const Layout &layout,
                                       std::span<const KernelOperand> operands,
                                       const NestExtents &extents,
                                       bool disjoint) {
  return {isCloserAcross(nest, layout, operands, extents),
          hasChunks(nest, operands),
          needsStaging(nest, layout, operands),
          disjoint,
          isDense(nest, operands),
          hasAlignedRows(nest, operands)};
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
