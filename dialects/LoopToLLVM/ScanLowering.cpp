//===- ScanLowering.cpp - scans as control flow ---------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/ScanLowering.h"

#include "dialects/LoopToLLVM/Body.h"
#include "dialects/LoopToLLVM/KernelBuilder.h"
#include "dialects/LoopToLLVM/LoopSkeleton.h"
#include "dialects/LoopToLLVM/PartCopy.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace kern::ir::loop;

namespace {

/// The values of an element.
using Element = SmallVector<Value>;

class ScanLowering : LoopSkeleton {
public:
  ScanLowering(ScanOp op, LoopStyle style)
      : LoopSkeleton(op, style), op(op), chunks(scanChunks(op)),
        isExact(!op.getTotals().use_empty()) {}
  void inOrder();
  void shared();

private:
  /// Emits a copy of a region, and gives its values.
  Element emit(Region &part, ValueRange arguments);
  Element combine(const Element &left, const Element &right) {
    SmallVector<Value> both(left);
    both.append(right);
    return emit(op.getCombine(), both);
  }
  Element choose(Value condition, const Element &x, const Element &y) {
    Element chosen;
    for (auto [a, b] : llvm::zip(x, y))
      chosen.push_back(select(condition, a, b));
    return chosen;
  }
  Value indexAt(Value place) {
    return inductionValue(op.getLower(), op.getStep(), place);
  }
  Value add(Value x, Value y) { return fold<arith::AddIOp>(x, y); }
  Value least(Value x, Value y) { return fold<arith::MinSIOp>(x, y); }
  Value most(Value x, Value y) { return fold<arith::MaxSIOp>(x, y); }
  Element ofLane(const Element &element, Value lane) {
    return llvm::map_to_vector(element, [&](Value value) -> Value {
      return OfLaneOp::create(b, value.getType(), value, lane);
    });
  }

  /// The elements that come before a strip, if there are any.
  struct Before {
    Value isAny;
    Element sum;
  };
  /// The elements of each of a lane's chunks, and of one strip.
  SmallVector<Element> load(Value first, bool isWide);
  void store(Value first, ArrayRef<Element> sums, bool isWide);
  Element scanWarp(Element mine, Value lane);
  /// For each lane's element: the combination of the elements of the lanes
  /// before it, and that of all `valid` lanes.
  std::pair<Element, Element> scanLanes(const Element &mine, Value valid);
  /// Scans a strip that begins at `base`, of which this lane has `elements`
  /// from `first` on.
  void scanStrip(Value base, Value first, SmallVector<Element> &elements,
                 Before &before);
  /// Emits a loop over whole strips, with wide accesses if `count` is several;
  /// or else over all strips that remain.
  Block *strips(unsigned count, Block *rest, Value condition);

  ScanOp op;
  ScanChunks chunks;
  bool isExact; ///< the result is used: strips may have lanes without elements
  Value trips, lane, group;
};

} // namespace

Element ScanLowering::emit(Region &part, ValueRange arguments) {
  bool gives = &part != &op.getWrite();
  return copyPart(b, part, arguments,
                  gives ? TypeRange(op.getInitial().getTypes()) : TypeRange(),
                  after);
}

void ScanLowering::inOrder() {
  trips = tripCount(op.getLower(), op.getUpper(), op.getStep());
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
  cf::CondBranchOp::create(b, compare(Predicate::slt, k, trips), body, after);
  b.setInsertionPointToEnd(body);
  Element element = emit(op.getElements(), indexAt(k));
  Element next;
  if (matchPattern(op.getHasInitial(), m_One())) {
    next = combine(sum, element);
  } else {
    // The first element is not combined with anything.
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
  op.getTotals().replaceAllUsesWith(ValueRange(sum));
}

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

SmallVector<Element> ScanLowering::load(Value first, bool isWide) {
  SmallVector<Element> elements;
  llvm::SmallDenseMap<Operation *, LoadChunkOp> loaded;
  if (isWide)
    for (ChunkedLoads::Load load : chunks.loads)
      loaded[load.op] = LoadChunkOp::create(
          b, SmallVector<Type>(chunks.size, load.op.getType()),
          load.op.getArray(),
          chunkIndices(b, load.op.getIndices(), load.dimension, indexAt(first)),
          load.dimension);
  for (unsigned j = 0; j < chunks.size; ++j) {
    Value place = add(first, constant(j));
    if (!isWide) {
      // Positions past the end read the last element, which nothing uses.
      place = least(place, fold<arith::SubIOp>(trips, constant(1)));
      elements.push_back(emit(op.getElements(), indexAt(place)));
    } else {
      IRMapping map;
      Block &body = op.getElements().front();
      map.map(body.getArgument(0), indexAt(place));
      for (Operation &inner : body.without_terminator()) {
        if (auto chunk = loaded.find(&inner); chunk != loaded.end())
          map.map(inner.getResult(0), chunk->second.getElements()[j]);
        else
          b.clone(inner, map);
      }
      elements.push_back(llvm::map_to_vector(
          body.getTerminator()->getOperands(),
          [&](Value value) { return map.lookupOrDefault(value); }));
    }
    // An element has the same bits, in whichever way it was read.
    for (Value &value : elements.back())
      if (!isa_and_nonnull<LoadChunkOp, LoadOp>(value.getDefiningOp())) {
        auto keep = KeepOp::create(b, value.getType(), value);
        keep->setAttr(roundedAttribute, b.getUnitAttr());
        value = keep;
      }
  }
  return elements;
}

void ScanLowering::store(Value first, ArrayRef<Element> sums, bool isWide) {
  if (op.getWrite().empty())
    return;
  if (!isWide) {
    for (auto [j, sum] : llvm::enumerate(sums)) {
      Value place = add(first, constant(int64_t(j)));
      Block *inside = newBlock(0), *next = newBlock(0);
      cf::CondBranchOp::create(b, compare(Predicate::slt, place, trips), inside,
                               next);
      b.setInsertionPointToEnd(inside);
      SmallVector<Value> written = {indexAt(place)};
      written.append(sum);
      emit(op.getWrite(), written);
      cf::BranchOp::create(b, next);
      b.setInsertionPointToEnd(next);
    }
    return;
  }
  llvm::SmallDenseMap<Operation *, SmallVector<Value>> stored;
  for (auto [j, sum] : llvm::enumerate(sums)) {
    IRMapping map;
    Block &body = op.getWrite().front();
    SmallVector<Value> written = {indexAt(add(first, constant(int64_t(j))))};
    written.append(sum);
    map.map(body.getArguments(), written);
    for (Operation &inner : body.without_terminator())
      if (auto store = dyn_cast<StoreOp>(inner))
        stored[store].push_back(map.lookupOrDefault(store.getValue()));
      else
        b.clone(inner, map);
  }
  for (auto [store, dimension] : chunks.stores)
    StoreChunkOp::create(
        b, stored[store], store.getArray(),
        chunkIndices(b, store.getIndices(), dimension, indexAt(first)),
        b.getI64IntegerAttr(dimension));
}

Element ScanLowering::scanWarp(Element mine, Value place) {
  for (int64_t distance : {1, 2, 4, 8, 16}) {
    Value from = fold<arith::SubIOp>(place, constant(distance));
    Element earlier = ofLane(mine, most(from, constant(0)));
    mine = choose(compare(Predicate::sge, from, constant(0)),
                  combine(earlier, mine), mine);
  }
  return mine;
}

std::pair<Element, Element> ScanLowering::scanLanes(const Element &mine,
                                                    Value valid) {
  constexpr int64_t warp = 32;
  Value place = fold<arith::AndIOp>(lane, constant(warp - 1));
  Value number = arith::ShRUIOp::create(b, lane, constant(5));
  Value previous = most(fold<arith::SubIOp>(place, constant(1)), constant(0));
  Element sums = scanWarp(mine, place);
  Element before = ofLane(sums, previous);
  Value last = fold<arith::SubIOp>(least(group, constant(warp)), constant(1));
  if (isExact) {
    Value left =
        fold<arith::SubIOp>(valid, fold<arith::ShLIOp>(number, constant(5)));
    last =
        most(least(last, fold<arith::SubIOp>(left, constant(1))), constant(0));
  }
  Element ofWarp = ofLane(sums, last);
  // A group of several warps.
  Block *one = newBlock(0), *several = newBlock(0), *join = newBlock(0);
  for (unsigned twice = 0; twice < 2; ++twice)
    for (Value value : mine)
      join->addArgument(value.getType(), op.getLoc());
  SmallVector<Value> results(before);
  results.append(ofWarp);
  cf::CondBranchOp::create(b, compare(Predicate::sgt, group, constant(warp)),
                           several, one);
  b.setInsertionPointToEnd(one);
  cf::BranchOp::create(b, join, results);
  b.setInsertionPointToEnd(several);
  Element warps = llvm::map_to_vector(ofWarp, [&](Value value) -> Value {
    return OfWarpsOp::create(b, value.getType(), value);
  });
  warps = scanWarp(warps, place);
  Element ahead = ofLane(
      warps, most(fold<arith::SubIOp>(number, constant(1)), constant(0)));
  Value count = arith::ShRUIOp::create(
      b, isExact ? add(valid, constant(warp - 1)) : group, constant(5));
  Element all = ofLane(warps, fold<arith::SubIOp>(count, constant(1)));
  Element both = choose(compare(Predicate::sgt, number, constant(0)),
                        combine(ahead, before), before);
  results = choose(compare(Predicate::sgt, place, constant(0)), both, ahead);
  results.append(all);
  cf::BranchOp::create(b, join, results);
  join->moveBefore(after);
  b.setInsertionPointToEnd(join);
  return {Element(join->getArguments().take_front(mine.size())),
          Element(join->getArguments().drop_front(mine.size()))};
}

void ScanLowering::scanStrip(Value base, Value first,
                             SmallVector<Element> &elements, Before &before) {
  for (size_t j = 1; j < elements.size(); ++j)
    elements[j] = combine(elements[j - 1], elements[j]);
  Element mine = elements.back();
  Value valid;
  if (isExact) {
    mine = elements.front();
    for (size_t j = 1; j < elements.size(); ++j)
      mine = choose(
          compare(Predicate::slt, add(first, constant(int64_t(j))), trips),
          elements[j], mine);
    Value size = constant(chunks.size);
    Value left = fold<arith::SubIOp>(trips, base);
    valid = least(
        arith::DivUIOp::create(b, add(left, constant(chunks.size - 1)), size),
        group);
  }
  auto [earlier, all] = scanLanes(mine, valid);
  Value isLater = compare(Predicate::sgt, lane, constant(0));
  Element ahead = choose(
      isLater, choose(before.isAny, combine(before.sum, earlier), earlier),
      before.sum);
  Value hasAhead = fold<arith::OrIOp>(isLater, before.isAny);
  if (!op.getWrite().empty())
    for (Element &element : elements)
      element = choose(hasAhead, combine(ahead, element), element);
  before.sum = choose(before.isAny, combine(before.sum, all), all);
  before.isAny = arith::ConstantOp::create(b, b.getBoolAttr(true));
}

Block *ScanLowering::strips(unsigned count, Block *rest, Value condition) {
  const bool isWide = condition != nullptr;
  Block *header = newBlock(0), *body = newBlock(0);
  for (Type type : rest->getArgumentTypes())
    header->addArgument(type, op.getLoc());
  header->moveBefore(rest);
  body->moveBefore(rest);
  b.setInsertionPointToEnd(header);
  Value base = header->getArgument(0);
  Value strip = fold<arith::MulIOp>(group, constant(chunks.size));
  Value end = add(base, fold<arith::MulIOp>(strip, constant(count)));
  Value more = isWide ? fold<arith::AndIOp>(condition,
                                            compare(Predicate::sle, end, trips))
                      : compare(Predicate::slt, base, trips);
  cf::CondBranchOp::create(b, more, body, ValueRange(), rest,
                           header->getArguments());
  b.setInsertionPointToEnd(body);
  Value mine = fold<arith::MulIOp>(lane, constant(chunks.size));
  Before before{header->getArgument(1),
                Element(header->getArguments().drop_front(2))};
  SmallVector<SmallVector<Element>> loaded;
  SmallVector<Value> bases = {base};
  for (unsigned i = 0; i < count; ++i) {
    loaded.push_back(load(add(bases.back(), mine), isWide));
    bases.push_back(add(bases.back(), strip));
  }
  for (unsigned i = 0; i < count; ++i) {
    Value first = add(bases[i], mine);
    scanStrip(bases[i], first, loaded[i], before);
    store(first, loaded[i], isWide);
  }
  SmallVector<Value> next = {bases.back(), before.isAny};
  next.append(before.sum);
  cf::BranchOp::create(b, header, next);
  return header;
}

void ScanLowering::shared() {
  constexpr unsigned together = 4;
  trips = tripCount(op.getLower(), op.getUpper(), op.getStep());
  lane = LaneOp::create(b, b.getI64Type());
  group = GroupSizeOp::create(b, b.getI64Type());
  Value isWide;
  if (chunks.isWide) {
    isWide = arith::ConstantOp::create(b, b.getBoolAttr(true));
    auto test = [&](Value array, OperandRange indices, unsigned dimension) {
      Value holds = HasChunksOp::create(
          b, b.getI1Type(), array,
          chunkIndices(b, indices, dimension, op.getLower()), dimension,
          chunks.size);
      isWide = fold<arith::AndIOp>(isWide, holds);
    };
    for (ChunkedLoads::Load load : chunks.loads)
      test(load.op.getArray(), load.op.getIndices(), load.dimension);
    for (auto [store, dimension] : chunks.stores)
      test(store.getArray(), store.getIndices(), dimension);
  }
  SmallVector<Value> start = {constant(0), op.getHasInitial()};
  start.append(op.getInitial().begin(), op.getInitial().end());
  Block *from = b.getInsertionBlock(), *done = newBlock(0);
  for (Value value : start)
    done->addArgument(value.getType(), op.getLoc());
  Block *first = strips(1, done, nullptr);
  if (isWide)
    first = strips(together, first, isWide);
  b.setInsertionPointToEnd(from);
  cf::BranchOp::create(b, first, start);
  b.setInsertionPointToEnd(done);
  op.getTotals().replaceAllUsesWith(done->getArguments().drop_front(2));
  cf::BranchOp::create(b, after);
}

void kern::ir::loop::lowerScan(ScanOp op, LoopStyle style) {
  ScanLowering lowering(op, style);
  if (style.isShared)
    lowering.shared();
  else
    lowering.inOrder();
}
