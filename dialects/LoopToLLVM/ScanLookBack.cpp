//===- ScanLookBack.cpp - a scan that several blocks share ----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/ScanLookBack.h"

#include "dialects/LoopToLLVM/Body.h"
#include "dialects/LoopToLLVM/MarkedWords.h"
#include "dialects/LoopToLLVM/ScanEmitter.h"
#include "runtime/artefact/Nest.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace kern::ir::loop;

static constexpr int64_t lanesOfBlock = kern::runtime::cooperatingLanes;
/// Tiles that are being fetched while one is scanned.
static constexpr int64_t stages = 2;

namespace {

/// One class, since the steps of the loop share the values computed before it.
class LookBack : ScanEmitter {
public:
  LookBack(ScanOp op, LoopStyle style) : ScanEmitter(op, style) {
    trips = tripCount(op.getLower(), op.getUpper(), op.getStep());
  }
  void run();

private:
  /// A tile that is scanned, but not yet combined with its prefix.
  struct Scanned {
    Part part;
    Sum earlier; ///< what earlier warps have of it
  };

  /// The kernel's arguments and what follows from them.
  void begin();
  Value tileIsWide(Value tile);
  Part partOf(Value tile) {
    return {add(multiply(tile, constant(tileSize)), ofLaneInTile),
            constant(warp * chunks.size),
            {},
            {},
            {}};
  }
  /// Where a lane has a chunk of a tile in shared memory.
  Value placeInStage(Value stage, unsigned chunk) {
    Value at = add(multiply(stage, constant(kept)), constant(chunk));
    return multiply(add(multiply(at, constant(lanesOfBlock)), lane),
                    constant(chunks.size));
  }
  void fetch(Value tile, Value stage);
  Scanned scan(Value tile, Value stage);
  /// The prefix of a tile, in all lanes of the block.
  Sum prefixOf(Value tile);
  void finish(Value tile, Scanned &scanned);

  void publish(const Element &element, Value place);
  Element await(Value place);

  /// The values of a tile that the loop over tiles carries, and the inverse.
  SmallVector<Value> flat(const Scanned &scanned);
  Scanned unflat(Value tile, ValueRange values);

  KernelOp kernel;
  int64_t tileSize;
  Value slice, slices, tiles, lane, place, number, isWide, ofLaneInTile;
  SmallVector<Value> staged; ///< by load: its chunks in shared memory
};

} // namespace

bool kern::ir::loop::mayFetchTiles(ScanOp op) {
  ScanChunks chunks = scanChunks(op);
  int64_t bytes = int64_t(chunks.loads.size()) * chunks.kept * stages *
                  chunkBytes * lanesOfBlock;
  return chunks.isWide && !chunks.loads.empty() &&
         bytes <= int64_t(kern::runtime::tilesAheadBytes) &&
         llvm::all_of(chunks.loads, [&](ChunkedLoads::Load load) {
           unsigned size = chunks.size * storedSize(load.op.getType());
           return size == 4 || size == 8 || size == 16;
         });
}

void LookBack::begin() {
  kernel = op->getParentOfType<KernelOp>();
  slice = kernel.sliceArguments()[1];
  slices = kernel.sliceArguments()[2];
  int64_t ofPart = warp * chunks.size * kept;
  tileSize = ofPart * (lanesOfBlock / warp);
  tiles = fold<arith::DivUIOp>(add(trips, constant(tileSize - 1)),
                               constant(tileSize));
  lane = LaneOp::create(b, b.getI64Type());
  place = both(lane, constant(warp - 1));
  number = arith::ShRUIOp::create(b, lane, constant(5));
  ofLaneInTile = add(multiply(number, constant(ofPart)),
                     multiply(place, constant(chunks.size)));
  isWide = testChunks();
  if (!kernel.getAhead() || !mayFetchTiles(op))
    return;
  int64_t each = stages * kept * chunkBytes * lanesOfBlock;
  for (auto [k, load] : llvm::enumerate(chunks.loads))
    staged.push_back(SharedOp::create(
        b, ArrayType::get(b.getContext(), load.op.getType(), 1),
        b.getI64IntegerAttr(int64_t(k) * each)));
}

/// Whether all of a tile's chunks are whole, or beyond the end.
Value LookBack::tileIsWide(Value tile) {
  if (!isWide || chunks.size == 1)
    return isWide;
  Value end = multiply(add(tile, constant(1)), constant(tileSize));
  Value left = fold<arith::RemUIOp>(trips, constant(chunks.size));
  Value isWhole = either(compare(Predicate::sle, end, trips),
                         compare(Predicate::eq, left, constant(0)));
  return both(isWide, isWhole);
}

void LookBack::fetch(Value tile, Value stage) {
  Value isThere = both(compare(Predicate::slt, tile, tiles), tileIsWide(tile));
  Part part = partOf(tile);
  for (auto [load, target] : llvm::zip(chunks.loads, staged)) {
    LoadOp op = load.op;
    Value first = part.first;
    for (unsigned c = 0; c < kept; ++c) {
      Value bytes = constant(0);
      for (auto [d, index] : llvm::enumerate(chunkIndices(
               b, op.getIndices(), load.dimension, indexAt(first)))) {
        Value step = d == load.dimension
                         ? constant(storedSize(op.getType()))
                         : StrideOp::create(b, b.getI64Type(), op.getArray(),
                                            unsigned(d));
        bytes = add(bytes, multiply(index, step));
      }
      Value isIn = both(isThere, compare(Predicate::slt, first, trips));
      auto fetched = FetchOp::create(b, op.getArray(), bytes, target,
                                     placeInStage(stage, c), isIn);
      fetched->setAttr(fetchedElements, b.getI64IntegerAttr(chunks.size));
      first = add(first, part.stride);
    }
  }
}

auto LookBack::scan(Value tile, Value stage) -> Scanned {
  Part part = partOf(tile);
  Value wide = tileIsWide(tile);
  if (staged.empty())
    load(part, wide);
  else
    load(part, wide, [&](unsigned c, Value first) {
      return loadWide(first, staged, placeInStage(stage, c));
    });
  scanPart(part, place, constant(warp - 1), /*hasTotal=*/true);
  Element all = scanWarp({ofWarps(part.total)}, place)[0];
  Value previous = most(subtract(number, constant(1)), constant(0));
  Sum earlier = {compare(Predicate::sgt, number, constant(0)),
                 ofLane(all, previous)};
  part.total = ofLane(all, constant(lanesOfBlock / warp - 1));
  publish(part.total, tile);
  return {std::move(part), std::move(earlier)};
}

void LookBack::publish(const Element &element, Value place) {
  Value isFirst = compare(Predicate::eq, lane, constant(0));
  runIf(isFirst, {}, [&] {
    for (auto [value, array] : llvm::zip(element, op.getWords())) {
      SmallVector<Value> words = toMarkedWords(b, value);
      Value at = multiply(place, constant(int64_t(words.size())));
      for (auto [k, word] : llvm::enumerate(words))
        PublishOp::create(b, word, array, add(at, constant(int64_t(k))));
    }
    return SmallVector<Value>();
  });
}

auto LookBack::await(Value place) -> Element {
  Element element;
  for (auto [type, array] :
       llvm::zip(op.getInitial().getTypes(), op.getWords())) {
    int64_t count = markedWords(type);
    Value at = multiply(place, constant(count));
    SmallVector<Value> words;
    for (int64_t k = 0; k < count; ++k)
      words.push_back(AwaitWordOp::create(b, array, add(at, constant(k))));
    element.push_back(fromMarkedWords(b, type, words));
  }
  return element;
}

/// Four warps read the totals of the tiles before this one in its group, and
/// one warp reads the prefix of the group.
auto LookBack::prefixOf(Value tile) -> Sum {
  constexpr int64_t readers = tilesOfGroup / warp;
  const Element any(op.getInitial());
  Value before = both(tile, constant(tilesOfGroup - 1));
  Value group = arith::DivUIOp::create(b, tile, constant(tilesOfGroup));
  Value hasGroups = compare(Predicate::sgt, group, constant(0));
  Value isReader = compare(Predicate::slt, number, constant(readers));
  Value isOfGroup = compare(Predicate::eq, number, constant(readers));
  Value isThere = select(isReader, compare(Predicate::slt, lane, before),
                         both(isOfGroup, hasGroups));
  Value at =
      select(isReader, add(subtract(tile, before), lane), add(tiles, group));
  Element mine = runIf(isThere, any, [&] { return await(at); });
  mine = runIf(isReader, mine, [&] {
    Value count = subtract(before, multiply(number, constant(warp)));
    Value last = least(most(subtract(count, constant(1)), constant(0)),
                       constant(warp - 1));
    return ofLane(scanWarp({mine}, place)[0], last);
  });
  Element ofAll = ofWarps(mine);
  Sum tilesBefore = none();
  for (int64_t k = 0; k < readers; ++k)
    tilesBefore =
        join(tilesBefore, {compare(Predicate::sgt, before, constant(k * warp)),
                           ofLane(ofAll, constant(k))});
  Sum groupsBefore = {either(hasGroups, op.getHasInitial()),
                      choose(hasGroups, ofLane(ofAll, constant(readers)), any)};
  return join(groupsBefore, tilesBefore);
}

void LookBack::finish(Value tile, Scanned &scanned) {
  Sum before = prefixOf(tile);
  Value next = add(tile, constant(1));
  Value isEnd = compare(Predicate::eq, both(next, constant(tilesOfGroup - 1)),
                        constant(0));
  runIf(isEnd, {}, [&] {
    Value group = arith::DivUIOp::create(b, next, constant(tilesOfGroup));
    publish(behind(before, scanned.part.total), add(tiles, group));
    return SmallVector<Value>();
  });
  apply(scanned.part, join(before, scanned.earlier));
  store(scanned.part, tileIsWide(tile));
}

SmallVector<Value> LookBack::flat(const Scanned &scanned) {
  SmallVector<Value> values(scanned.part.total);
  values.append(scanned.earlier.value);
  for (const Sum &ahead : scanned.part.ahead)
    values.append(ahead.value);
  for (const Chunk &chunk : scanned.part.chunks)
    for (const Element &element : chunk)
      values.append(element);
  return values;
}

auto LookBack::unflat(Value tile, ValueRange values) -> Scanned {
  auto take = [&] {
    Element element(values.take_front(op.width()));
    values = values.drop_front(op.width());
    return element;
  };
  Scanned scanned;
  scanned.part = partOf(tile);
  scanned.part.total = take();
  scanned.earlier = {compare(Predicate::sgt, number, constant(0)), take()};
  Value isLater = compare(Predicate::sgt, place, constant(0));
  for (unsigned c = 0; c < kept; ++c)
    scanned.part.ahead.push_back({c ? flag(true) : isLater, take()});
  for (unsigned c = 0; c < kept; ++c) {
    Chunk &chunk = scanned.part.chunks.emplace_back();
    for (unsigned j = 0; j < chunks.size; ++j)
      chunk.push_back(take());
  }
  return scanned;
}

void LookBack::run() {
  begin();
  const size_t count = 2 + size_t(kept) * (1 + chunks.size);
  SmallVector<Value> nothing;
  for (size_t i = 0; i < count; ++i)
    nothing.append(op.getInitial().begin(), op.getInitial().end());
  // Each wait begins a group of fetches, and waits for those before the last.
  auto waitForStage = [&] {
    StageWaitOp::create(b)->setAttr(aheadAttribute, b.getI64IntegerAttr(1));
  };
  if (!staged.empty()) {
    fetch(slice, constant(0));
    waitForStage();
  }
  // Its arguments: the tile to scan, its stage, the tile to finish, and the
  // values of that one.
  Block *header = newBlock(3), *done = newBlock(0);
  for (Value value : nothing)
    header->addArgument(value.getType(), op.getLoc());
  SmallVector<Value> start = {slice, constant(0), constant(-1)};
  start.append(nothing);
  cf::BranchOp::create(b, header, start);
  b.setInsertionPointToEnd(header);
  Value tile = header->getArgument(0), stage = header->getArgument(1),
        last = header->getArgument(2);
  ValueRange lastValues = header->getArguments().drop_front(3);
  Value following = add(tile, slices);
  Value otherStage = subtract(constant(1), stage);
  Value hasTile = compare(Predicate::slt, tile, tiles);
  SmallVector<Value> values = runIf(hasTile, lastValues, [&] {
    if (!staged.empty()) {
      fetch(following, otherStage);
      waitForStage();
    }
    return flat(scan(tile, stage));
  });
  runIf(compare(Predicate::sge, last, constant(0)), {}, [&] {
    Scanned scanned = unflat(last, lastValues);
    finish(last, scanned);
    return SmallVector<Value>();
  });
  SmallVector<Value> next = {following, otherStage, tile};
  next.append(values);
  cf::CondBranchOp::create(b, hasTile, header, next, done, ValueRange());
  done->moveBefore(after);
  b.setInsertionPointToEnd(done);
  op.getTotals().replaceAllUsesWith(op.getInitial());
  cf::BranchOp::create(b, after);
}

void kern::ir::loop::lowerLookBack(ScanOp op, LoopStyle style) {
  LookBack(op, style).run();
}
