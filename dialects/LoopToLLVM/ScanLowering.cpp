//===- ScanLowering.cpp - scans as control flow ---------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/ScanLowering.h"

#include "dialects/LoopToLLVM/ScanEmitter.h"
#include "dialects/LoopToLLVM/ScanLookBack.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace kern::ir::loop;

namespace {

class ScanLoops : ScanEmitter {
public:
  ScanLoops(ScanOp op, LoopStyle style) : ScanEmitter(op, style) {
    // A loop over tiles needs more registers than one tile.
    if (!op.getKept() && !style.goesAcross)
      kept = std::max(kept / 2, 1u);
    trips = tripCount(op.getLower(), op.getUpper(), op.getStep());
  }
  /// A single lane runs the loop.
  void alone();
  /// The lanes of a group share the loop.
  void shared();
  /// The rows of a block share the loop, each lane with a scan of its own.
  void across();

private:
  /// Runs the first `count` iterations. Returns their combined value.
  Element inOrder(Value count);
  /// Emits a loop over tiles of `size` iterations. `body` gets the first
  /// iteration and what the loop carries, and returns what it carries on.
  using Carried = SmallVector<Value>;
  Carried overTiles(Value size, const Carried &start,
                    function_ref<Carried(Value, ValueRange)> body);
  /// The totals of the parts of earlier warps of a group, and of all of them.
  std::pair<Sum, Element> acrossWarps(const Element &total);
  /// The combined value up to the last element of a tile, in every lane.
  Element upToLast(const Part &part, Value base, Value tile);
  Sum scanTile(Value base, Value tile, const Sum &before, Value isWide,
               bool isLast);

  Value lane, group, width, number, place;
};

} // namespace

auto ScanLoops::inOrder(Value count) -> Element {
  Block *header = newBlock(1), *body = newBlock(0);
  SmallVector<Value> start = {constant(0)};
  for (Value value : op.getInitial()) {
    header->addArgument(value.getType(), op.getLoc());
    start.push_back(value);
  }
  cf::BranchOp::create(b, header, start);
  b.setInsertionPointToEnd(header);
  Value k = header->getArgument(0);
  Element sum(header->getArguments().drop_front());
  cf::CondBranchOp::create(b, compare(Predicate::slt, k, count), body, after);
  b.setInsertionPointToEnd(body);
  Element element = emit(op.getElements(), indexAt(k));
  if (style.isShared)
    keepBits(element);
  Element next;
  if (matchPattern(op.getHasInitial(), m_One())) {
    next = combine(sum, element);
  } else {
    // The first element is taken as it is.
    Block *join = newBlock(0), *later = newBlock(0);
    for (Value value : element)
      join->addArgument(value.getType(), op.getLoc());
    Value isLater = fold<arith::OrIOp>(op.getHasInitial(),
                                       compare(Predicate::sgt, k, constant(0)));
    cf::CondBranchOp::create(b, isLater, later, ValueRange(), join, element);
    b.setInsertionPointToEnd(later);
    Element both = combine(sum, element);
    cf::BranchOp::create(b, join, both);
    b.setInsertionPointToEnd(join);
    next = Element(join->getArguments());
  }
  if (!op.getWrite().empty()) {
    SmallVector<Value> written = {indexAt(k)};
    written.append(next);
    emit(op.getWrite(), written);
  }
  SmallVector<Value> latch = {add(k, constant(1))};
  latch.append(next);
  cf::BranchOp::create(b, header, latch);
  return sum;
}

void ScanLoops::alone() {
  Element total = inOrder(trips);
  op.getTotals().replaceAllUsesWith(ValueRange(total));
}

//===----------------------------------------------------------------------===//
// The lanes of a group
//===----------------------------------------------------------------------===//

auto ScanLoops::overTiles(Value size, const Carried &start,
                          function_ref<Carried(Value, ValueRange)> body)
    -> Carried {
  Block *header = newBlock(1), *inside = newBlock(0), *done = newBlock(0);
  for (Value value : start)
    header->addArgument(value.getType(), op.getLoc());
  SmallVector<Value> first = {constant(0)};
  first.append(start);
  cf::BranchOp::create(b, header, first);
  b.setInsertionPointToEnd(header);
  Value base = header->getArgument(0);
  Carried carried(header->getArguments().drop_front());
  cf::CondBranchOp::create(b, compare(Predicate::slt, base, trips), inside,
                           done);
  b.setInsertionPointToEnd(inside);
  SmallVector<Value> next = {add(base, size)};
  next.append(body(base, carried));
  cf::BranchOp::create(b, header, next);
  done->moveBefore(after);
  b.setInsertionPointToEnd(done);
  return carried;
}

std::pair<ScanEmitter::Sum, ScanEmitter::Element>
ScanLoops::acrossWarps(const Element &total) {
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

auto ScanLoops::upToLast(const Part &part, Value base, Value tile) -> Element {
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
auto ScanLoops::scanTile(Value base, Value tile, const Sum &before,
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

void ScanLoops::shared() {
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

//===----------------------------------------------------------------------===//
// The rows of a block
//===----------------------------------------------------------------------===//

/// The block's rows are the lanes of a scan, one scan for each column. The
/// totals of chunks are transposed, so that a warp has those of one scan, and
/// continues as the warps of a group do, one part after the other. So the bits
/// are the same.
void ScanLoops::across() {
  constexpr int64_t warpsOfTile = 16;
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
  auto transposed = [&](ArrayRef<Element> elements) {
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
  };
  Value row = both(lane, constant(warp - 1));
  place = TransposeOp::create(b, TypeRange{b.getI64Type()}, ValueRange{row})
              .getResult(0);
  int64_t ofChunks = warp * chunks.size, ofPart = ofChunks * kept;
  // The prefix of the tile; the totals of its parts so far, that of part l in
  // lane l; and the same, combined with all parts before.
  const Element any(op.getInitial());
  Carried start = {op.getHasInitial()};
  for (unsigned times = 0; times < 3; ++times)
    start.append(any);
  overTiles(constant(ofPart), start, [&](Value base, ValueRange carried) {
    auto taken = [&](unsigned i) {
      return Element(
          carried.drop_front(1 + i * op.width()).take_front(op.width()));
    };
    Sum before = {carried[0], taken(0)};
    Element parts = taken(1), scanned = taken(2);
    Value turn = both(fold<arith::DivUIOp>(base, constant(ofPart)),
                      constant(warpsOfTile - 1));
    Part part;
    part.first = add(base, multiply(lane, constant(chunks.size)));
    part.stride = constant(ofChunks);
    load(part, nullptr);
    scanTotals(part, transposed(scanChunksAlone(part)), place,
               constant(warp - 1),
               /*hasTotal=*/true);
    Value previous = most(subtract(turn, constant(1)), constant(0));
    Sum ahead = join(before, {compare(Predicate::sgt, turn, constant(0)),
                              ofLane(scanned, previous)});
    SmallVector<Element> sums;
    for (const Sum &own : part.ahead)
      sums.push_back(join(ahead, own).value);
    sums = transposed(sums);
    Value isLater = compare(Predicate::sgt, row, constant(0));
    for (auto [c, own] : llvm::enumerate(part.ahead))
      own = {either(ahead.isAny, c ? flag(true) : isLater), sums[c]};
    apply(part, none());
    store(part, nullptr);
    parts = choose(compare(Predicate::eq, place, turn), part.total, parts);
    scanned = scanWarp({parts}, place)[0];
    Value isEnd = compare(Predicate::eq, turn, constant(warpsOfTile - 1));
    Sum all =
        join(before, {flag(true), ofLane(scanned, constant(warpsOfTile - 1))});
    Carried next = {either(isEnd, before.isAny)};
    next.append(choose(isEnd, all.value, before.value));
    next.append(parts);
    next.append(scanned);
    return next;
  });
  op.getTotals().replaceAllUsesWith(op.getInitial());
  cf::BranchOp::create(b, after);
}

void kern::ir::loop::lowerScan(ScanOp op, LoopStyle style) {
  if (!op.getWords().empty())
    lowerLookBack(op, style);
  else if (style.goesAcross)
    ScanLoops(op, style).across();
  else if (style.isShared)
    ScanLoops(op, style).shared();
  else
    ScanLoops(op, style).alone();
}
