//===- ScanEmitter.cpp - the parts of a scan's code -----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/ScanEmitter.h"

#include "dialects/LoopToLLVM/Body.h"
#include "dialects/LoopToLLVM/PartCopy.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace kern::ir::loop;

auto ScanEmitter::emit(Region &part, ValueRange arguments) -> Element {
  bool gives = &part != &op.getWrite();
  return copyPart(b, part, arguments,
                  gives ? TypeRange(op.getInitial().getTypes()) : TypeRange(),
                  after);
}

auto ScanEmitter::combine(const Element &left, const Element &right)
    -> Element {
  SmallVector<Value> pair(left);
  pair.append(right);
  return emit(op.getCombine(), pair);
}

auto ScanEmitter::choose(Value condition, const Element &x, const Element &y)
    -> Element {
  Element chosen;
  for (auto [a, b] : llvm::zip(x, y))
    chosen.push_back(select(condition, a, b));
  return chosen;
}

auto ScanEmitter::ofLane(const Element &element, Value lane) -> Element {
  return llvm::map_to_vector(element, [&](Value value) -> Value {
    return OfLaneOp::create(b, value.getType(), value, lane);
  });
}

auto ScanEmitter::earlierLane(const Element &element, int64_t distance)
    -> Element {
  return llvm::map_to_vector(element, [&](Value value) -> Value {
    return EarlierLaneOp::create(b, value.getType(), value, distance);
  });
}

auto ScanEmitter::ofWarps(const Element &element) -> Element {
  return llvm::map_to_vector(element, [&](Value value) -> Value {
    return OfWarpsOp::create(b, value.getType(), value);
  });
}

auto ScanEmitter::join(const Sum &left, const Sum &right) -> Sum {
  if (matchPattern(left.isAny, m_Zero()))
    return right;
  if (matchPattern(right.isAny, m_Zero()))
    return left;
  Element all = combine(left.value, right.value);
  all = choose(right.isAny, all, left.value);
  return {either(left.isAny, right.isAny),
          choose(left.isAny, all, right.value)};
}

auto ScanEmitter::behind(const Sum &ahead, const Element &element) -> Element {
  return join(ahead, {flag(true), element}).value;
}

SmallVector<Value> ScanEmitter::runIf(Value condition, ValueRange otherwise,
                                      function_ref<SmallVector<Value>()> then) {
  Block *inside = newBlock(0), *join = newBlock(0);
  for (Value value : otherwise)
    join->addArgument(value.getType(), op.getLoc());
  cf::CondBranchOp::create(b, condition, inside, ValueRange(), join, otherwise);
  b.setInsertionPointToEnd(inside);
  SmallVector<Value> values = then();
  cf::BranchOp::create(b, join, values);
  join->moveBefore(after);
  b.setInsertionPointToEnd(join);
  return SmallVector<Value>(join->getArguments());
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Value ScanEmitter::testChunks() {
  if (!chunks.isWide)
    return {};
  Value isWide = flag(true);
  auto test = [&](Value array, OperandRange indices, unsigned dimension) {
    Value holds =
        HasChunksOp::create(b, b.getI1Type(), array,
                            chunkIndices(b, indices, dimension, op.getLower()),
                            dimension, chunks.size);
    isWide = both(isWide, holds);
  };
  for (ChunkedLoads::Load load : chunks.loads)
    test(load.op.getArray(), load.op.getIndices(), load.dimension);
  for (auto [store, dimension] : chunks.stores)
    test(store.getArray(), store.getIndices(), dimension);
  return isWide;
}

auto ScanEmitter::loadWide(Value first, ValueRange arrays, Value place)
    -> Chunk {
  llvm::SmallDenseMap<Operation *, LoadChunkOp> loaded;
  for (auto [k, load] : llvm::enumerate(chunks.loads)) {
    SmallVector<Type> types(chunks.size, load.op.getType());
    loaded[load.op] =
        arrays.empty()
            ? LoadChunkOp::create(b, types, load.op.getArray(),
                                  chunkIndices(b, load.op.getIndices(),
                                               load.dimension, indexAt(first)),
                                  load.dimension)
            : LoadChunkOp::create(b, types, arrays[k], ValueRange{place}, 0);
  }
  Chunk elements;
  for (unsigned j = 0; j < chunks.size; ++j) {
    IRMapping map;
    Block &body = op.getElements().front();
    map.map(body.getArgument(0), indexAt(add(first, constant(j))));
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
  return elements;
}

Value ScanEmitter::recompute(const Part &part) {
  return EarlierLaneOp::create(b, part.first.getType(), part.first,
                               /*distance=*/0);
}

/// Places after the end read the last element, which nothing uses.
void ScanEmitter::loadNarrow(Part &part) {
  Value place = recompute(part), last = subtract(trips, constant(1));
  for (unsigned c = 0; c < kept; ++c) {
    SmallVector<Element> &elements = part.chunks.emplace_back();
    for (unsigned j = 0; j < chunks.size; ++j) {
      Value at = least(add(place, constant(j)), last);
      elements.push_back(emit(op.getElements(), indexAt(at)));
    }
    if (c + 1 < kept)
      place = add(place, part.stride);
  }
}

void ScanEmitter::load(Part &part, Value isWide,
                       function_ref<Chunk(unsigned, Value)> read) {
  if (!isWide) {
    loadNarrow(part);
    return;
  }
  auto flat = [&] {
    SmallVector<Value> values;
    for (const Chunk &chunk : part.chunks)
      for (const Element &element : chunk)
        values.append(element);
    part.chunks.clear();
    return values;
  };
  Block *wide = newBlock(0), *narrow = newBlock(0), *join = newBlock(0);
  cf::CondBranchOp::create(b, isWide, wide, narrow);
  b.setInsertionPointToEnd(wide);
  // There are whole chunks; those beyond the end stand for the last one.
  // Each is the lane's first chunk and a constant, if that is known. So no
  // place takes a register.
  Value last = subtract(trips, constant(chunks.size));
  Value mine = least(part.first, last);
  for (unsigned c = 0; c < kept; ++c) {
    Value ahead = multiply(part.stride, constant(c));
    Value isThere = compare(Predicate::slt, part.first, subtract(trips, ahead));
    Value first = add(mine, select(isThere, ahead, constant(0)));
    part.chunks.push_back(read ? read(c, first) : loadWide(first));
  }
  SmallVector<Value> values = flat();
  for (Value value : values)
    join->addArgument(value.getType(), op.getLoc());
  cf::BranchOp::create(b, join, values);
  narrow->moveBefore(after);
  b.setInsertionPointToEnd(narrow);
  loadNarrow(part);
  cf::BranchOp::create(b, join, flat());
  join->moveBefore(after);
  b.setInsertionPointToEnd(join);
  ValueRange all = join->getArguments();
  for (unsigned c = 0; c < kept; ++c) {
    SmallVector<Element> &elements = part.chunks.emplace_back();
    for (unsigned j = 0; j < chunks.size; ++j) {
      elements.push_back(Element(all.take_front(op.width())));
      all = all.drop_front(op.width());
    }
  }
}

void ScanEmitter::storeNarrow(Value first, ArrayRef<Element> sums) {
  for (auto [j, sum] : llvm::enumerate(sums)) {
    Value place = add(first, constant(int64_t(j)));
    runIf(compare(Predicate::slt, place, trips), {}, [&, &sum = sum] {
      SmallVector<Value> written = {indexAt(place)};
      written.append(sum);
      emit(op.getWrite(), written);
      return SmallVector<Value>();
    });
  }
}

void ScanEmitter::storeWide(Value first, int64_t ahead,
                            ArrayRef<Element> sums) {
  llvm::SmallDenseMap<Operation *, SmallVector<Value>> stored;
  for (auto [j, sum] : llvm::enumerate(sums)) {
    IRMapping map;
    Block &body = op.getWrite().front();
    SmallVector<Value> written = {
        indexAt(add(first, constant(ahead + int64_t(j))))};
    written.append(sum);
    map.map(body.getArguments(), written);
    for (Operation &inner : body.without_terminator())
      if (auto store = dyn_cast<StoreOp>(inner))
        stored[store].push_back(map.lookupOrDefault(store.getValue()));
      else
        b.clone(inner, map);
  }
  for (auto [store, dimension] : chunks.stores) {
    auto chunk = StoreChunkOp::create(
        b, stored[store], store.getArray(),
        chunkIndices(b, store.getIndices(), dimension, indexAt(first)),
        b.getI64IntegerAttr(dimension));
    SmallVector<int64_t> offsets(store.getIndices().size());
    offsets[dimension] = ahead;
    if (ahead)
      chunk->setAttr(offsetAttribute, b.getDenseI64ArrayAttr(offsets));
  }
}

void ScanEmitter::store(Part &part, Value isWide) {
  if (op.getWrite().empty())
    return;
  APInt stride;
  const bool isConstant = matchPattern(part.stride, m_ConstantInt(&stride));
  auto storeAll = [&](bool wide) {
    Value narrow = wide ? Value() : recompute(part);
    for (auto [c, sums] : llvm::enumerate(part.chunks)) {
      Value ahead = multiply(part.stride, constant(int64_t(c)));
      if (!wide) {
        storeNarrow(add(narrow, ahead), sums);
        continue;
      }
      Value isThere =
          compare(Predicate::slt, part.first, subtract(trips, ahead));
      runIf(isThere, {}, [&, c = c, &sums = sums] {
        if (isConstant)
          storeWide(part.first, stride.getSExtValue() * int64_t(c), sums);
        else
          storeWide(add(part.first, ahead), 0, sums);
        return SmallVector<Value>();
      });
    }
  };
  if (!isWide) {
    storeAll(false);
    return;
  }
  Block *wide = newBlock(0), *narrow = newBlock(0), *join = newBlock(0);
  cf::CondBranchOp::create(b, isWide, wide, narrow);
  for (Block *block : {wide, narrow}) {
    block->moveBefore(after);
    b.setInsertionPointToEnd(block);
    storeAll(block == wide);
    cf::BranchOp::create(b, join);
  }
  join->moveBefore(after);
  b.setInsertionPointToEnd(join);
}

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

auto ScanEmitter::scanWarp(SmallVector<Element> mine, Value place)
    -> SmallVector<Element> {
  for (int64_t distance : {1, 2, 4, 8, 16}) {
    Value isThere = compare(Predicate::sge, place, constant(distance));
    SmallVector<Element> earlier;
    for (const Element &element : mine)
      earlier.push_back(earlierLane(element, distance));
    for (auto [element, other] : llvm::zip(mine, earlier))
      element = choose(isThere, combine(other, element), element);
  }
  return mine;
}

auto ScanEmitter::scanChunksAlone(Part &part) -> SmallVector<Element> {
  SmallVector<Element> totals;
  for (SmallVector<Element> &chunk : part.chunks) {
    for (size_t j = 1; j < chunk.size(); ++j)
      chunk[j] = combine(chunk[j - 1], chunk[j]);
    totals.push_back(chunk.back());
  }
  return totals;
}

void ScanEmitter::scanPart(Part &part, Value place, Value lastLane,
                           bool hasTotal) {
  scanTotals(part, scanChunksAlone(part), place, lastLane, hasTotal);
}

void ScanEmitter::scanTotals(Part &part, SmallVector<Element> totals,
                             Value place, Value lastLane, bool hasTotal) {
  SmallVector<Element> scanned = scanWarp(std::move(totals), place);
  Value isLater = compare(Predicate::sgt, place, constant(0));
  Sum all = none();
  for (auto [c, element] : llvm::enumerate(scanned)) {
    part.ahead.push_back(join(all, {isLater, earlierLane(element, 1)}));
    if (c + 1 < scanned.size() || hasTotal)
      all = join(all, {flag(true), ofLane(element, lastLane)});
  }
  if (hasTotal)
    part.total = all.value;
}

void ScanEmitter::apply(Part &part, const Sum &before) {
  for (auto [chunk, own] : llvm::zip(part.chunks, part.ahead)) {
    Sum ahead = join(before, own);
    for (Element &element : chunk)
      element = behind(ahead, element);
  }
}
