//===- ScanAcross.cpp - scans along the rows of a block ------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/ScanLoops.h"
#include "dialects/LoopToLLVM/ScanLowering.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;
using namespace kern::ir::loop;

namespace {

class AcrossScan : ScanLoops {
public:
  AcrossScan(ScanOp op, LoopStyle style) : ScanLoops(op, style) {}
  void run();

private:
  /// What follows from the parts so far of the scan that a warp works on, and
  /// from its tiles: runs of 32 of these, and groups of runs.
  struct ScansOfTiles {
    Sum before;      ///< of the tile
    Element parts;   ///< lane l: part l of the tile; further lanes as below
    Element tiles;   ///< lane l: tile l of the run
    Element scanned; ///< the parts, each combined with those before it
  };
  /// Lanes of `parts`: what is before the group, and the group's earlier runs.
  static constexpr int64_t groupsPlace = 16, runsPlace = 17;
  ScansOfTiles afterTile(Value tile, const Element &total,
                         const ScansOfTiles &state);
  /// The elements with rows as lanes, or the inverse.
  SmallVector<Element> transposed(ArrayRef<Element> elements);
  /// Reads a part from iteration `base` on, and scans its chunks.
  Part loadPart(Value base);
  /// Combines a part with what is ahead of it, and writes it.
  void storePart(Part &part, const Sum &ahead);
};

} // namespace

auto AcrossScan::transposed(ArrayRef<Element> elements)
    -> SmallVector<Element> {
  SmallVector<Value> values;
  for (const Element &element : elements)
    values.append(element);
  auto transpose =
      TransposeOp::create(b, ValueRange(values).getTypes(), values);
  SmallVector<Element> results;
  for (size_t i = 0; i < elements.size(); ++i)
    results.push_back(Element(transpose.getResults()
                                  .drop_front(i * op.width())
                                  .take_front(op.width())));
  return results;
}

auto AcrossScan::loadPart(Value base) -> Part {
  Part part;
  part.first = add(base, multiply(lane, constant(chunks.size)));
  part.stride = constant(warp * chunks.size);
  load(part, nullptr);
  scanTotals(part, transposed(scanChunksAlone(part)), place, constant(warp - 1),
             /*hasTotal=*/true);
  return part;
}

void AcrossScan::storePart(Part &part, const Sum &ahead) {
  SmallVector<Element> sums;
  for (const Sum &own : part.ahead)
    sums.push_back(join(ahead, own).value);
  sums = transposed(sums);
  Value row = both(lane, constant(warp - 1));
  Value isLater = compare(Predicate::sgt, row, constant(0));
  for (auto [c, own] : llvm::enumerate(part.ahead))
    own = {either(ahead.isAny, c ? flag(true) : isLater), sums[c]};
  apply(part, none());
  store(part, nullptr);
}

auto AcrossScan::afterTile(Value tile, const Element &total,
                           const ScansOfTiles &state) -> ScansOfTiles {
  constexpr int64_t inGroup = tilesOfGroup - 1;
  auto hasPlace = [&](Value at) { return compare(Predicate::eq, place, at); };
  Value inRun = both(tile, constant(warp - 1));
  ScansOfTiles next = state;
  next.tiles = choose(hasPlace(inRun), total, state.tiles);
  Element ofRun = ofLane(scanWarp({next.tiles}, place)[0], inRun);
  Value hasRuns =
      compare(Predicate::sge, both(tile, constant(inGroup)), constant(warp));
  Sum runs = join({hasRuns, ofLane(state.parts, constant(runsPlace))},
                  {flag(true), ofRun});
  Value hasGroups = compare(Predicate::sge, tile, constant(tilesOfGroup));
  Sum groups = {either(hasGroups, op.getHasInitial()),
                ofLane(state.parts, constant(groupsPlace))};
  Value following = add(tile, constant(1));
  auto ends = [&](int64_t mask) {
    return compare(Predicate::eq, both(following, constant(mask)), constant(0));
  };
  Value endsGroup = ends(inGroup);
  Element ofGroups = behind(state.before, total);
  next.before = {flag(true),
                 choose(endsGroup, ofGroups, join(groups, runs).value)};
  next.parts = choose(both(hasPlace(constant(groupsPlace)), endsGroup),
                      ofGroups, state.parts);
  next.parts = choose(both(hasPlace(constant(runsPlace)), ends(warp - 1)),
                      runs.value, next.parts);
  return next;
}

void AcrossScan::run() {
  constexpr int64_t partsOfTile = 16;
  lane = LaneOp::create(b, b.getI64Type());
  Value lanes = LaneCountOp::create(b, b.getI64Type());
  Block *single = newBlock(0), *several = newBlock(0);
  cf::CondBranchOp::create(b, compare(Predicate::eq, lanes, constant(1)),
                           single, several);
  b.setInsertionPointToEnd(single);
  Value isFirst = compare(Predicate::eq, lane, constant(0));
  inOrder(select(isFirst, trips, constant(0)));
  several->moveBefore(after);
  b.setInsertionPointToEnd(several);
  Value row = both(lane, constant(warp - 1));
  place = TransposeOp::create(b, TypeRange{b.getI64Type()}, ValueRange{row})
              .getResult(0);
  int64_t ofChunks = warp * chunks.size, ofPart = ofChunks * kept;
  // Rows of a few chunks have one in each lane.
  Block *few = newBlock(0), *many = newBlock(0);
  cf::CondBranchOp::create(
      b, compare(Predicate::sle, trips, constant(ofChunks)), few, many);
  b.setInsertionPointToEnd(few);
  const unsigned most = std::exchange(kept, 1);
  Part only = loadPart(constant(0));
  storePart(only, initial());
  cf::BranchOp::create(b, after);
  kept = most;
  many->moveBefore(after);
  b.setInsertionPointToEnd(many);

  const Element any(op.getInitial());
  auto flat = [](const ScansOfTiles &state) {
    Carried values = {state.before.isAny};
    for (const Element *each :
         {&state.before.value, &state.parts, &state.tiles, &state.scanned})
      values.append(*each);
    return values;
  };
  auto unflat = [&](ValueRange values) {
    auto taken = [&](unsigned i) {
      return Element(
          values.drop_front(1 + i * op.width()).take_front(op.width()));
    };
    return ScansOfTiles{{values[0], taken(0)}, taken(1), taken(2), taken(3)};
  };
  const ScansOfTiles start = {initial(), any, any, any};
  overTiles(constant(ofPart), flat(start), [&](Value base, ValueRange carried) {
    ScansOfTiles state = unflat(carried);
    Value number = fold<arith::DivUIOp>(base, constant(ofPart));
    Value turn = both(number, constant(partsOfTile - 1));
    Part part = loadPart(base);
    Value previous =
        ScanEmitter::most(subtract(turn, constant(1)), constant(0));
    storePart(part,
              join(state.before, {compare(Predicate::sgt, turn, constant(0)),
                                  ofLane(state.scanned, previous)}));
    state.parts =
        choose(compare(Predicate::eq, place, turn), part.total, state.parts);
    state.scanned = scanWarp({state.parts}, place)[0];
    constexpr int64_t last = partsOfTile - 1;
    return runIf(
        compare(Predicate::eq, turn, constant(last)), flat(state), [&] {
          Value tile = fold<arith::DivUIOp>(number, constant(partsOfTile));
          return flat(
              afterTile(tile, ofLane(state.scanned, constant(last)), state));
        });
  });
  op.getTotals().replaceAllUsesWith(op.getInitial());
  cf::BranchOp::create(b, after);
}

void kern::ir::loop::lowerScanAcross(ScanOp op, LoopStyle style) {
  AcrossScan(op, style).run();
}
