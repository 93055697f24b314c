//===- TileShapes.cpp - the shapes of a kernel's tiles --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopMappings/TileShapes.h"

#include "dialects/LoopMappings/MatrixProduct.h"
#include "dialects/LoopToLLVM/KernelBuilder.h"
#include "runtime/artefact/Nest.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace kern::ir::loop;

/// The shared memory of a block. That of large tiles leaves room for a second
/// one on every GPU but sm_75's.
static unsigned maxSharedOf(const TilePlan &shape) {
  constexpr unsigned large = 256, most = 56 << 10;
  return shape.hasWarps() && shape.threads() >= large
             ? most
             : kern::runtime::unaskedSharedBytes;
}
static constexpr unsigned accessBytes = 16;

unsigned TilePlan::groups() const {
  constexpr unsigned smallBlock = 128, warp = 32;
  return threads() <= warp ? smallBlock / threads() : 1;
}

unsigned TileAccess::Dimension::extent(const TilePlan &shape) const {
  unsigned lengths[] = {shape.rows(), shape.columns(), shape.depth};
  int64_t sum = 1;
  for (unsigned x = 0; x < 3; ++x)
    sum += std::abs(steps[x]) * (lengths[x] - 1);
  return unsigned(sum);
}

unsigned TileAccess::Dimension::origin(const TilePlan &shape) const {
  unsigned lengths[] = {shape.rows(), shape.columns(), shape.depth};
  int64_t sum = 0;
  for (unsigned x = 0; x < 3; ++x)
    sum += std::max<int64_t>(-steps[x], 0) * (lengths[x] - 1);
  return unsigned(sum);
}

Tiling kern::ir::loop::arrangedFor(Tiling tiling, const TilePlan &shape) {
  constexpr unsigned largest = 256, depth = 2;
  if (shape.threads() < largest || !shape.hasWarps())
    return tiling;
  for (TileAccess &access : tiling.accesses)
    if (access.dimensions.size() == 2 && !access.slides(0) &&
        !access.slides(1) && access.dimensions.back().steps[depth] != 0)
      std::swap(access.dimensions.front(), access.dimensions.back());
  return tiling;
}

bool TileAccess::slides(unsigned index) const {
  return llvm::any_of(dimensions, [&](const Dimension &dimension) {
    return dimension.steps[index] != 0 && dimension.steps[2] != 0;
  });
}

TileLayout::TileLayout(const TileAccess &access, const TilePlan &shape)
    : size(storedSize(access.element)),
      whole(std::max(1u, accessBytes / size)) {
  unsigned width = access.dimensions.back().extent(shape);
  if (access.slides(1) && shape.columnRun * size > accessBytes &&
      shape.unroll % shape.columnRun == 0) {
    run = shape.columnRun;
    gap = whole;
    pitch = unsigned(llvm::alignTo(width, run));
  } else {
    pitch = unsigned(llvm::alignTo(width, whole)) + whole;
  }
  unsigned height = 1;
  unsigned last = access.dimensions.size() - 1;
  for (auto [d, dimension] : llvm::enumerate(access.dimensions)) {
    unsigned scale = d == last ? 1 : pitch;
    if (d != last)
      height = dimension.extent(shape);
    for (unsigned x = 0; x < 3; ++x)
      steps[x] += scale * dimension.steps[x];
    origin += int64_t(scale) * dimension.origin(shape);
  }
  int64_t moves[] = {steps[0] * shape.rowRun, steps[1] * shape.columnRun,
                     steps[2] * shape.unroll, int64_t(whole)};
  int64_t common = 0;
  for (int64_t move : moves)
    common = std::gcd(common, move);
  vector = unsigned(common & -common);
  elements = unsigned(withGaps(
      int64_t(llvm::alignTo(uint64_t(height) * pitch, std::max(run, whole)))));
}

/// The words of 32 bits of the values that a thread keeps for each item.
static unsigned wordsOf(const Tiling &tiling) {
  unsigned words = 0;
  for (ReduceOp reduce : tiling.reductions) {
    SmallVector<ReduceOp> all = {reduce};
    if (innermostOf(reduce) != reduce)
      all.push_back(innermostOf(reduce));
    for (ReduceOp each : all) {
      words += std::max(1u, storedSize(each.getValueType()) / 4);
      if (carriesPosition(each.getKind(), each.getValueType()))
        words += 2;
      if (each.getKept())
        words += 2;
    }
  }
  return words;
}

TileExchange::TileExchange(const Tiling &tiling, const TilePlan &shape) {
  for (ReduceOp reduce : tiling.reductions)
    for (Value result : reduce->getResults())
      values.push_back(result);
  run = shape.columnRun > 1 ? shape.columnRun : 0;
  pitch = shape.columns() + (run ? shape.columns() / run : 0) + 1;
  // Little memory lets a multiprocessor hold more blocks.
  constexpr unsigned wanted = 24 << 10;
  for (rowsAtOnce = shape.rowsEach;; rowsAtOnce /= 2) {
    rows = shape.rowThreads * rowsAtOnce;
    bytes = 0;
    offsets.clear();
    for (Value value : values) {
      offsets.push_back(bytes);
      bytes += unsigned(llvm::alignTo(
          uint64_t(rows) * pitch * storedSize(value.getType()), accessBytes));
    }
    if (bytes * shape.groups() <= wanted || rowsAtOnce == shape.rowRun)
      break;
  }
}

unsigned kern::ir::loop::sharedBytesOf(const Tiling &found,
                                       const TilePlan &shape) {
  const Tiling tiling = arrangedFor(found, shape);
  if (shape.usesMatrixUnits())
    return std::max(matrixBytesOf(*tiling.product, shape),
                    TileExchange(tiling, shape).bytes);
  llvm::MapVector<Operation *, unsigned> staged;
  for (const TileAccess &access : tiling.accesses) {
    TileLayout layout(access, shape);
    staged[access.load->getParentOp()] +=
        unsigned(llvm::alignTo(layout.elements * layout.size, accessBytes)) *
        (shape.isDouble ? 2 : 1);
  }
  unsigned bytes = TileExchange(tiling, shape).bytes;
  for (auto [reduce, sum] : staged)
    bytes = std::max(bytes, sum);
  if (shape.groups() == 1)
    return bytes;
  // The groups of a warp read different banks.
  constexpr unsigned banks = 128, ofThread = 4;
  return unsigned(llvm::alignTo(bytes, banks)) + ofThread * shape.threads();
}

/// The neighbouring rows or columns whose elements a thread reads at once; all
/// of its own where windows slide.
static unsigned runOf(const Tiling &tiling, unsigned index, unsigned each) {
  unsigned run = 1;
  for (const TileAccess &access : tiling.accesses) {
    if (access.slides(index))
      return each;
    unsigned whole = std::max(1u, accessBytes / storedSize(access.element));
    if (access.dimensions.back().steps[index] != 0)
      run = std::max(run, std::min(each, whole));
  }
  return run;
}

/// The operations of an innermost body.
static unsigned operationsOf(const Tiling &tiling) {
  constexpr unsigned ofCall = 16;
  unsigned most = 0;
  for (ReduceOp reduce : tiling.reductions) {
    unsigned sum = 0;
    for (Operation &op : innermostOf(reduce).entry())
      sum += isa<func::CallOp>(op) ? ofCall : 1;
    most = std::max(most, sum);
  }
  return most;
}

std::vector<TilePlan> kern::ir::loop::tileShapes(const Tiling &tiling) {
  static constexpr TilePlan ofRows[] = {{.rowThreads = 2,
                                         .columnThreads = 2,
                                         .rowsEach = 2,
                                         .columnsEach = 2,
                                         .depth = 4,
                                         .unroll = 4},
                                        {.rowThreads = 4,
                                         .columnThreads = 4,
                                         .rowsEach = 4,
                                         .columnsEach = 4,
                                         .depth = 16,
                                         .unroll = 16},
                                        {.rowThreads = 8,
                                         .columnThreads = 4,
                                         .rowsEach = 4,
                                         .columnsEach = 8,
                                         .depth = 32,
                                         .unroll = 8},
                                        {.rowThreads = 16,
                                         .columnThreads = 16,
                                         .rowsEach = 4,
                                         .columnsEach = 4,
                                         .depth = 16,
                                         .unroll = 16,
                                         .isDouble = true},
                                        {.rowThreads = 16,
                                         .columnThreads = 16,
                                         .rowsEach = 8,
                                         .columnsEach = 8,
                                         .depth = 16,
                                         .unroll = 16,
                                         .isDouble = true},
                                        {.rowThreads = 16,
                                         .columnThreads = 16,
                                         .rowsEach = 4,
                                         .columnsEach = 8,
                                         .depth = 16,
                                         .unroll = 8,
                                         .isDouble = true}};
  static constexpr TilePlan ofColumns[] = {{.columnThreads = 128,
                                            .columnsEach = 2,
                                            .depth = 128,
                                            .unroll = 8,
                                            .isDouble = true},
                                           {.columnThreads = 128,
                                            .columnsEach = 4,
                                            .depth = 128,
                                            .unroll = 8,
                                            .isDouble = true},
                                           {.columnThreads = 128,
                                            .columnsEach = 16,
                                            .depth = 256,
                                            .unroll = 32,
                                            .isDouble = true},
                                           {.columnThreads = 128,
                                            .columnsEach = 32,
                                            .depth = 256,
                                            .unroll = 32,
                                            .isDouble = true}};
  constexpr unsigned maxWords = 64, maxOfWindow = 16, maxOperations = 8192;
  std::vector<TilePlan> ofMatrices;
  if (tiling.product)
    ofMatrices = matrixShapes(*tiling.product);
  unsigned words = wordsOf(tiling), operations = operationsOf(tiling);
  std::vector<TilePlan> shapes;
  for (TilePlan shape :
       tiling.hasRows ? ArrayRef(ofRows) : ArrayRef(ofColumns)) {
    unsigned results = shape.rowsEach * shape.columnsEach;
    if (!ofMatrices.empty() && shape.columns() >= ofMatrices.front().columns())
      break;
    const Tiling arranged = arrangedFor(tiling, shape);
    shape.rowRun = runOf(arranged, 0, shape.rowsEach);
    shape.columnRun = runOf(arranged, 1, shape.columnsEach);
    while (shape.unroll > 1 &&
           results * operations * shape.unroll > maxOperations)
      shape.unroll /= 2;
    auto fits = [&] {
      return sharedBytesOf(tiling, shape) * shape.groups() <=
             maxSharedOf(shape);
    };
    while (!fits() && shape.depth > shape.unroll)
      shape.depth /= 2;
    bool isNew = shapes.empty() || shapes.back().columns() < shape.columns();
    // The elements of so many neighbouring results are in registers beside
    // these, and a block of iterations has all of them.
    const bool isLong = shape.columnsEach > maxOfWindow;
    if (isLong && (words > 1 || shape.unroll < shape.columnsEach))
      continue;
    if (isNew && results * words <= maxWords &&
        results * operations * shape.unroll <= maxOperations && fits())
      shapes.push_back(shape);
  }
  llvm::append_range(shapes, ofMatrices);
  return shapes;
}
