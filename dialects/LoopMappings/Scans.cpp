//===- Scans.cpp - scans whose rows stay in registers ---------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopMappings/Scans.h"

#include "dialects/LoopMappings/Launches.h"
#include "dialects/LoopToLLVM/KernelFacts.h"
#include "dialects/LoopToLLVM/MarkedWords.h"
#include "dialects/LoopToLLVM/Ranges.h"
#include "dialects/LoopToLLVM/ResidentRows.h"
#include "dialects/LoopToLLVM/ScanLookBack.h"
#include "dialects/LoopToLLVM/ScanLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace kern::ir::loop;

Found<ScanRows> kern::ir::loop::scanRows(KernelOp kernel) {
  if (kernel.isUfunc() || !kernel.getBody().hasOneBlock() ||
      kernel.entry().getOps<ScanOp>().empty())
    return {};
  Launches launches(kernel);
  if (launches.count.obstacle())
    return *launches.count.obstacle();
  if (!launches.count)
    return {};
  std::optional<ScanRows> rows;
  Value upper;
  for (auto [loop, launch] : launches.ofLoop) {
    auto scan = dyn_cast<ScanOp>(loop);
    if (!scan)
      return Obstacle{"there is a loop beside the scan", loop->getLoc()};
    if (launch > 0)
      return Obstacle{"this needs another scan", loop->getLoc()};
    if (scan.getWrite().empty() || !scan.getTotals().use_empty())
      return Obstacle{"a result is needed of the whole scan", loop->getLoc()};
    if (!matchPattern(scan.getLower(), m_Zero()) ||
        !matchPattern(scan.getStep(), m_One()) ||
        (upper && upper != scan.getUpper()))
      return Obstacle{"this range does not begin at 0 as all do",
                      loop->getLoc()};
    upper = scan.getUpper();
    const ScanChunks chunks = scanChunks(scan);
    if (rows && (rows->chunk != chunks.size || rows->kept != chunks.kept))
      return Obstacle{"its elements have another size than the scan's before",
                      loop->getLoc()};
    if (rows)
      continue;
    auto extent =
        tripExpression(kernel, scan.getLower(), upper, scan.getStep());
    if (!extent)
      return Obstacle{"its length does not follow from dimensions",
                      loop->getLoc()};
    rows = ScanRows{chunks.size, chunks.kept, std::move(*extent)};
  }
  return *rows;
}

/// The memory of the words by which blocks exchange one value: a place for each
/// tile, and for each group of tiles.
static Value wordsOf(ImplicitLocOpBuilder &b, Type type,
                     const DimTokens &extent, int64_t tile, int64_t slot) {
  DimTokens bytes(extent);
  using Token = kern::runtime::DimToken::Kind;
  auto then = [&](int64_t number, Token operation) {
    bytes.push_back(kern::runtime::DimToken::integer(number));
    bytes.push_back(operation);
  };
  then(0, Token::Max);
  then(tile - 1, Token::Add);
  then(tile, Token::FloorDivide);
  then(1, Token::Add);
  then(16 * int64_t(markedWords(type)), Token::Multiply);
  Value any = arith::ConstantOp::create(b, b.getI64IntegerAttr(1));
  return LocalOp::create(b, ArrayType::get(b.getContext(), b.getI64Type(), 1),
                         ValueRange{any}, /*zeroed=*/true,
                         attributeOf(b.getContext(), bytes),
                         b.getI64IntegerAttr(slot),
                         /*per_lane=*/false, /*per_slice=*/false,
                         /*shared=*/false);
}

/// Lets the blocks of a cooperative kernel share the scans.
static void lookBack(KernelOp kernel, const ScanRows &rows, bool ahead) {
  for (int i = 0; i < 3; ++i)
    kernel.entry().addArgument(IntegerType::get(kernel.getContext(), 64),
                               kernel.getLoc());
  kernel.setLaunches(1);
  kernel.setSlicedLaunches(1);
  kernel.setCooperative(true);
  int64_t slots = 0;
  bool mayFetch = ahead;
  for (auto scan : kernel.entry().getOps<ScanOp>()) {
    ImplicitLocOpBuilder b(scan.getLoc(), scan);
    b.setInsertionPointToStart(&kernel.entry());
    int64_t tile =
        int64_t(kern::runtime::cooperatingLanes) * rows.kept * rows.chunk;
    SmallVector<Value> words;
    for (Type type : scan.getInitial().getTypes())
      words.push_back(wordsOf(b, type, rows.extent, tile, slots++));
    scan.getWordsMutable().assign(words);
    mayFetch &= mayFetchTiles(scan);
  }
  if (mayFetch)
    fetchAhead(kernel);
}

void kern::ir::loop::keepScans(KernelOp kernel, const ScanRows &rows,
                               kern::runtime::Mapping mapping) {
  if (!kernel.getSharedExtents())
    kernel.setSharedExtentsAttr(sharedExtents(kernel));
  const unsigned chunks = mapping.sliced ? rows.kept : mapping.chunks;
  for (auto scan : kernel.entry().getOps<ScanOp>())
    scan.setKept(chunks);
  kernel.setResident(chunks);
  // A block that looks back keeps two tiles: the one it scans and the one it
  // finishes. Rows of few chunks need many warps to be read at once.
  const unsigned blocks = mapping.sliced ? 1 : chunks <= 2 ? 3 : 2;
  kernel->setAttr(blocksAttribute, OpBuilder(kernel).getI64IntegerAttr(blocks));
  if (chunks > 1)
    kernel->setAttr(warpsAttribute, UnitAttr::get(kernel.getContext()));
  if (mapping.sliced)
    lookBack(kernel, rows, mapping.ahead);
}
