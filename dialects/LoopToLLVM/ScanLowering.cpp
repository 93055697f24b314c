//===- ScanLowering.cpp - scans as control flow ---------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/ScanLowering.h"

#include "dialects/LoopToLLVM/ScanLookBack.h"
#include "dialects/LoopToLLVM/ScanLoops.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace kern::ir::loop;

namespace {

class ScanLowering : ScanLoops {
public:
  ScanLowering(ScanOp op, LoopStyle style) : ScanLoops(op, style) {
    // A loop over tiles needs more registers than one tile.
    if (!op.getKept())
      kept = std::max(kept / 2, 1u);
  }
  /// A single lane runs the loop.
  void alone();
  /// The lanes of a group share the loop.
  void shared();

private:
  /// The totals of the parts of earlier warps of a group, and of all of them.
  std::pair<Sum, Element> acrossWarps(const Element &total);
  /// The combined value up to the last element of a tile, in every lane.
  Element upToLast(const Part &part, Value base, Value tile);
  Sum scanTile(Value base, Value tile, const Sum &before, Value isWide,
               bool isLast);

  Value group, width, number;
};

} // namespace

void ScanLowering::alone() {
  Element total = inOrder(trips);
  op.getTotals().replaceAllUsesWith(ValueRange(total));
}

std::pair<ScanEmitter::Sum, ScanEmitter::Element>
ScanLowering::acrossWarps(const Element &total) {
  Value hasWarps = compare(Predicate::sgt, group, constant(warp));
  SmallVector<Value> otherwise(total);
  otherwise.append(total);
  SmallVector<Value> values = runIf(hasWarps, otherwise, [&] {
    Element all = scanWarp({ofWarps(total)}, place)[0];
    SmallVector<Value> both =
        ofLane(all, most(subtract(number, constant(1)), constant(0)));
    Value last =
        arith::ShRUIOp::create(b, subtract(group, constant(1)), constant(5));
    both.append(ofLane(all, last));
    return both;
  });
  Element ahead(ArrayRef(values).take_front(op.width())),
      all(ArrayRef(values).drop_front(op.width()));
  return {{compare(Predicate::sgt, number, constant(0)), ahead}, all};
}

auto ScanLowering::upToLast(const Part &part, Value base, Value tile)
    -> Element {
  Value last = subtract(least(add(base, tile), trips), constant(1));
  Value first = part.first;
  Element mine = part.chunks.front().front();
  for (const Chunk &chunk : part.chunks) {
    for (auto [j, element] : llvm::enumerate(chunk))
      mine = choose(
          compare(Predicate::sle, add(first, constant(int64_t(j))), last),
          element, mine);
    if (&chunk != &part.chunks.back())
      first = add(first, part.stride);
  }
  // The lane that has the last element.
  Value at =
      arith::DivUIOp::create(b, subtract(last, base), constant(chunks.size));
  Value owner = arith::RemUIOp::create(b, at, width);
  Value ofPart = multiply(width, constant(kept));
  Value ownerWarp = arith::DivUIOp::create(b, at, ofPart);
  Element found = ofLane(mine, owner);
  Value hasWarps = compare(Predicate::sgt, group, constant(warp));
  return runIf(hasWarps, found,
               [&] { return ofLane(ofWarps(found), ownerWarp); });
}

/// Returns the combined value up to the tile's end, unless the tile `isLast`.
auto ScanLowering::scanTile(Value base, Value tile, const Sum &before,
                            Value isWide, bool isLast) -> Sum {
  const bool isExact = !op.getTotals().use_empty();
  const bool hasTotal = !isLast && !isExact;
  // Rows that a warp has in fewer chunks than it could keep are short.
  const bool hasWarps = !isLast || kept >= chunks.kept;
  Value ofWarp = multiply(width, constant(int64_t(chunks.size) * kept));
  Part part;
  part.first = add(add(base, multiply(number, ofWarp)),
                   multiply(place, constant(chunks.size)));
  part.stride = multiply(width, constant(chunks.size));
  if (isWide && chunks.size > 1) {
    Value left = fold<arith::RemUIOp>(trips, constant(chunks.size));
    Value isWhole = compare(Predicate::sle, add(base, tile), trips);
    isWide = both(isWide,
                  either(isWhole, compare(Predicate::eq, left, constant(0))));
  }
  load(part, isWide);
  Value lastLane = subtract(width, constant(1));
  scanPart(part, place, lastLane, hasTotal || hasWarps);
  Sum next = {flag(true), part.total}, ahead = before;
  if (hasWarps) {
    auto [earlier, all] = acrossWarps(part.total);
    ahead = join(before, earlier);
    next.value = all;
  }
  apply(part, ahead);
  store(part, isWide);
  if (isExact)
    return {flag(true), upToLast(part, base, tile)};
  return isLast ? none() : join(before, next);
}

void ScanLowering::shared() {
  lane = LaneOp::create(b, b.getI64Type());
  group = GroupSizeOp::create(b, b.getI64Type());
  // Lanes of less than a warp keep one chunk.
  const bool isResident = op.getKept().has_value();
  width =
      isResident && kept > 1 ? constant(warp) : least(group, constant(warp));
  place = both(lane, constant(warp - 1));
  number = arith::ShRUIOp::create(b, lane, constant(5));
  Value isWide = testChunks();
  Value tile = multiply(group, constant(int64_t(chunks.size) * kept));
  Element total(op.getInitial());
  if (isResident) {
    Value isAny = compare(Predicate::sgt, trips, constant(0));
    total = runIf(isAny, total, [&] {
      return scanTile(constant(0), tile, initial(), isWide, true).value;
    });
  } else {
    Carried start = {op.getHasInitial()};
    start.append(total);
    auto carried = overTiles(tile, start, [&](Value base, ValueRange before) {
      Sum sum = {before[0], Element(before.drop_front())};
      Sum next = scanTile(base, tile, sum, isWide, false);
      Carried values = {next.isAny};
      values.append(next.value);
      return values;
    });
    total = Element(ArrayRef(carried).drop_front());
  }
  op.getTotals().replaceAllUsesWith(total);
  cf::BranchOp::create(b, after);
}

void kern::ir::loop::lowerScan(ScanOp op, LoopStyle style) {
  if (!op.getWords().empty())
    lowerLookBack(op, style);
  else if (style.goesAcross)
    lowerScanAcross(op, style);
  else if (style.isShared)
    ScanLowering(op, style).shared();
  else
    ScanLowering(op, style).alone();
}
