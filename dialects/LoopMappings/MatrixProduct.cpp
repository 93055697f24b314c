//===- MatrixProduct.cpp - tiles of matrix units --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopMappings/MatrixProduct.h"

#include "dialects/LoopToLLVM/KernelBuilder.h"

using namespace mlir;
using namespace kern::ir::loop;

//===----------------------------------------------------------------------===//
// Which sums these are
//===----------------------------------------------------------------------===//

/// The load of a factor: of f64, or of a half that is widened.
static LoadOp factorOf(Value value) {
  if (auto wide = value.getDefiningOp<arith::ExtFOp>())
    if (wide.getIn().getType().getIntOrFloatBitWidth() == 16 &&
        wide.getType().isF32())
      return wide.getIn().getDefiningOp<LoadOp>();
  return value.getType().isF64() ? value.getDefiningOp<LoadOp>() : LoadOp();
}

/// Whether an access has an element for each row (0) or column (1) and each
/// iteration, neighbours for neighbours.
static bool serves(const TileAccess &access, unsigned free) {
  constexpr unsigned depth = 2;
  std::array<unsigned, 3> places = {};
  for (const TileAccess::Dimension &dimension : access.dimensions)
    for (unsigned x = 0; x < 3; ++x) {
      if (dimension.steps[x] != 0 && dimension.steps[x] != 1)
        return false;
      places[x] += unsigned(dimension.steps[x]);
    }
  return access.dimensions.size() == 2 && places[free] == 1 &&
         places[1 - free] == 0 && places[depth] == 1 && !access.slides(free);
}

std::optional<MatrixProduct>
kern::ir::loop::matrixProductOf(const Tiling &tiling) {
  if (!tiling.hasRows || tiling.reductions.size() != 1 ||
      tiling.accesses.size() != 2)
    return std::nullopt;
  ReduceOp reduce = tiling.reductions.front();
  auto yielded = reduce.entry().getTerminator()->getOperands();
  if (innermostOf(reduce) != reduce || reduce.getKind() != ReduceKind::Sum ||
      reduce.getKept() || reduce.getInOrder() || yielded.size() != 1)
    return std::nullopt;
  auto product = yielded[0].getDefiningOp<arith::MulFOp>();
  if (!product || !arith::bitEnumContainsAll(product.getFastmath(),
                                             arith::FastMathFlags::contract))
    return std::nullopt;
  LoadOp loads[] = {factorOf(product.getLhs()), factorOf(product.getRhs())};
  if (!loads[0] || !loads[1] || loads[0].getType() != loads[1].getType())
    return std::nullopt;
  MatrixProduct found{.element = loads[0].getType()};
  for (unsigned left = 0; left < 2; ++left) {
    const TileAccess &rows = tiling.accesses[left],
                     &columns = tiling.accesses[1 - left];
    bool areFactors = llvm::is_contained(loads, rows.load) &&
                      llvm::is_contained(loads, columns.load);
    if (areFactors && serves(rows, 0) && serves(columns, 1)) {
      found.left = left;
      found.right = 1 - left;
      return found;
    }
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// A tile of `rowWarps` times `columnWarps` warps, each of which computes
/// `rows` times `columns` results.
static TilePlan plan(unsigned rowWarps, unsigned columnWarps, unsigned rows,
                     unsigned columns, unsigned depth) {
  constexpr unsigned stages = 3;
  return {.rowThreads = rowWarps * TilePlan::rowLanes,
          .columnThreads = columnWarps * TilePlan::columnLanes,
          .rowsEach = rows / TilePlan::rowLanes,
          .columnsEach = columns / TilePlan::columnLanes,
          .rowRun = 1,
          .columnRun = 2,
          .depth = depth,
          .unroll = matrixDepth,
          .isDouble = true,
          .stages = stages};
}

std::vector<TilePlan>
kern::ir::loop::matrixShapes(const MatrixProduct &product) {
  // With 128 registers of sums, a thread reads little for each product.
  if (product.element.isF64())
    return {plan(2, 2, 32, 32, 16), plan(2, 4, 64, 32, 16)};
  return {plan(2, 2, 32, 32, 64), plan(2, 2, 64, 64, 64),
          plan(2, 4, 64, 64, 64)};
}

std::optional<TilePlan>
kern::ir::loop::warpgroupShape(const MatrixProduct &product) {
  if (product.element.isF64())
    return std::nullopt;
  TilePlan shape = plan(8, 1, 16, 256, 64);
  shape.byWarpgroups = true;
  return shape;
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

/// Eight lines of halves at the same place, or four of f64, then lie in
/// different banks.
static unsigned paddingOf(Type element) { return element.isF64() ? 4 : 8; }

MatrixLayout::MatrixLayout(Type element, unsigned length, unsigned depth,
                           bool isTransposed)
    : size(storedSize(element)), inner(isTransposed ? length : depth),
      outer(isTransposed ? depth : length), pitch(inner + paddingOf(element)),
      isTransposed(isTransposed) {}

/// The elements of a swizzled column, and the lines after which it repeats.
static constexpr unsigned swizzledInner = 64, swizzledLines = 8;
/// Rows that one instruction multiplies.
static constexpr unsigned rowsTogether = 64;

MatrixLayout MatrixLayout::swizzled(Type element, unsigned length,
                                    unsigned depth, bool isTransposed,
                                    bool isLeft) {
  MatrixLayout layout(element, length, depth, isTransposed);
  layout.pitch = swizzledInner;
  layout.isSwizzled = true;
  layout.isInterleaved = isLeft;
  return layout;
}

/// Where a row goes. Warp w computes the rows 8 w … 8 w + 7 of each half of
/// 128, which the instruction has as 16 neighbours.
static Value interleaved(TileBuilder &b, Value row) {
  Value group = b.div(row, swizzledLines);
  Value warp = b.rem(group, rowsTogether / swizzledLines);
  Value half = b.div(group, rowsTogether / swizzledLines);
  return b.add(b.scale(b.add(b.scale(warp, 2), half), swizzledLines),
               b.rem(row, swizzledLines));
}

Value MatrixLayout::place(TileBuilder &b, Value line, Value column) const {
  if (!isSwizzled)
    return b.add(b.scale(line, pitch), column);
  if (isInterleaved)
    (isTransposed ? column : line) =
        interleaved(b, isTransposed ? column : line);
  const unsigned whole = 16 / size;
  Value inColumn = b.rem(column, swizzledInner);
  Value chunk = arith::XOrIOp::create(b, b.div(inColumn, whole),
                                      b.rem(line, swizzledLines));
  Value at = b.add(b.scale(line, swizzledInner), b.scale(chunk, whole));
  at = b.add(at, b.rem(inColumn, whole));
  return b.add(at,
               b.scale(b.div(column, swizzledInner), swizzledInner * outer));
}

int64_t MatrixLayout::after(unsigned lines) const {
  if (isInterleaved && !isTransposed) {
    unsigned group = lines / swizzledLines,
             warps = rowsTogether / swizzledLines;
    lines = (group % warps * 2 + group / warps) * swizzledLines;
  }
  return int64_t(lines) * pitch;
}

unsigned kern::ir::loop::stageElements(Type element, unsigned length,
                                       unsigned depth) {
  return std::max(MatrixLayout(element, length, depth, false).elements(),
                  MatrixLayout(element, length, depth, true).elements());
}

unsigned kern::ir::loop::matrixBytesOf(const MatrixProduct &product,
                                       const TilePlan &shape) {
  if (shape.byWarpgroups)
    return shape.stages * storedSize(product.element) * shape.depth *
           (shape.rows() + shape.columns());
  return shape.stages * storedSize(product.element) *
         (stageElements(product.element, shape.rows(), shape.depth) +
          stageElements(product.element, shape.columns(), shape.depth));
}
