//===- Tile.cpp - kernels that compute tiles ------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopMappings/Tiling.h"

#include "dialects/LoopMappings/Affine.h"
#include "dialects/LoopMappings/CoreExtents.h"
#include "dialects/LoopMappings/MatrixLoops.h"
#include "dialects/LoopMappings/TileLoops.h"
#include "dialects/LoopMappings/TileShapes.h"
#include "dialects/LoopMappings/TileStore.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace kern::ir::loop;
using Predicate = TileBuilder::Predicate;

Value TileBuilder::sharedArray(Type element, unsigned at) {
  return SharedOp::create(*this, ArrayType::get(getContext(), element, 1), at);
}

namespace {

/// Makes the tiled kernel. One class, since each step uses the values that
/// earlier ones made.
class Tiler {
public:
  Tiler(KernelOp kernel, const Tiling &tiling, const TilePlan &shape)
      : kernel(kernel), tiling(arrangedFor(tiling, shape)), shape(shape),
        b(kernel), values(b, this->tiling), exchange(this->tiling, shape) {}
  void run();

private:
  Value extent(Attribute tokens);
  std::pair<Value, Value> inTurns(Value lane);
  std::pair<Value, Value> placeOfThread();
  std::pair<Value, Value> inGroups(Value rows, Value columns);
  void findPlace();
  void setIndices(Value argument, unsigned each, Value thread, Value first,
                  Value count, bool isRow);
  void copyUniform(Block &old);
  void exchangeRows(Block &old, unsigned first);
  void finishWholeRow(Block &old);
  void finishItem(Block &old, Value row, Value column, Value index);
  Value prefersRows(Block &old);
  Value columnPlace(Value column) {
    return exchange.run ? b.add(column, b.div(column, exchange.run)) : column;
  }

  KernelOp kernel;
  const Tiling tiling;
  const TilePlan &shape;
  TileBuilder b;
  TileValues values;
  TileExchange exchange;
  TilePlace place;
  Value rowArgument, columnArgument;
  IRMapping uniform;  ///< what all items share
  Value isTransposed; ///< neighbouring rows lie closer together than columns
  SmallVector<Value> arrays; ///< of the exchange
};

} // namespace

/// The value of an extent in reverse Polish notation.
Value Tiler::extent(Attribute tokens) {
  return dimValue(b, kernel, tokensOf(cast<ArrayAttr>(tokens)));
}

/// The row and the column of a lane among 8 x 4, or 4 x 4, that take turns. A
/// multiprocessor serves 16 lanes together that read 16 bytes each if every
/// second or every fourth one reads the same.
std::pair<Value, Value> Tiler::inTurns(Value lane) {
  auto bit = [&](unsigned n) { return b.rem(b.div(lane, 1u << n), 2); };
  return {b.add(bit(1), b.scale(b.div(lane, 8), 2)),
          b.add(bit(0), b.scale(bit(2), 2))};
}

/// The row and the column of a thread. Matrix units want the lanes of a
/// warp row by row.
std::pair<Value, Value> Tiler::placeOfThread() {
  Value row = b.div(place.lane, shape.columnThreads);
  Value column = b.rem(place.lane, shape.columnThreads);
  if (shape.rowThreads == 4 && shape.columnThreads == 4)
    return inTurns(place.lane);
  if (!shape.hasWarps())
    return {row, column};
  constexpr unsigned warp = TilePlan::rowLanes * TilePlan::columnLanes;
  Value number = b.div(place.lane, warp);
  place.inWarp = b.rem(place.lane, warp);
  place.rowWarp = b.div(number, shape.columnWarps());
  place.columnWarp = b.rem(number, shape.columnWarps());
  row = b.div(place.inWarp, TilePlan::columnLanes);
  column = b.rem(place.inWarp, TilePlan::columnLanes);
  if (!shape.usesMatrixUnits())
    std::tie(row, column) = inTurns(place.inWarp);
  return {b.add(b.scale(place.rowWarp, TilePlan::rowLanes), row),
          b.add(b.scale(place.columnWarp, TilePlan::columnLanes), column)};
}

/// Changes the order of tiles: returns the tile to compute for the number in
/// the arguments. Tiles go down groups of rows, so that tiles computed at the
/// same time share more of what they read.
std::pair<Value, Value> Tiler::inGroups(Value rows, Value columns) {
  constexpr int64_t most = 8;
  auto tiles = [&](Value extent, unsigned each) {
    return b.div(b.plus(extent, int64_t(each) - 1), each);
  };
  auto split = [&](Value number, Value by) -> std::pair<Value, Value> {
    Value whole = arith::DivUIOp::create(b, number, by);
    return {whole, b.sub(number, b.mul(whole, by))};
  };
  Value across = tiles(columns, shape.columns());
  Value number = b.add(b.mul(rowArgument, across), columnArgument);
  auto [group, rest] = split(number, b.scale(across, most));
  Value first = b.scale(group, most);
  Value height = b.least(b.sub(tiles(rows, shape.rows()), first), b.i64(most));
  auto [column, row] = split(rest, height);
  return {b.add(first, row), column};
}

void Tiler::findPlace() {
  auto flat = kernel.flatIndices();
  ArrayRef<Attribute> extents = kernel.getFlatExtents()->getValue();
  columnArgument = flat.back();
  Value lane = b.narrow(LaneOp::create(b, b.getI64Type()));
  place.lane = b.rem(lane, shape.threads());
  auto [row, column] = placeOfThread();
  place.rowThread = b.widen(row);
  place.columnThread = b.widen(column);
  auto count = [&](Value first, Value extent, unsigned most) {
    return b.narrow(b.least(b.sub(extent, first), b.i64(most)));
  };
  Value columnTile = columnArgument, columns = extent(extents.back());
  if (tiling.hasRows) {
    rowArgument = flat.drop_back().back();
    Value rowTile = rowArgument, rows = extent(extents.drop_back().back());
    if (shape.usesMatrixUnits())
      std::tie(rowTile, columnTile) = inGroups(rows, columns);
    place.firstRow = b.scale(rowTile, shape.rows());
    place.rowCount = count(place.firstRow, rows, shape.rows());
  } else {
    place.firstRow = b.i64(0);
    place.rowCount = b.i32(1);
  }
  place.firstColumn = b.scale(columnTile, shape.columns());
  place.columnCount = count(place.firstColumn, columns, shape.columns());
}

/// Sets the index of each of a thread's rows or columns. Those beyond the last
/// iteration repeat its index, so that they read nothing outside of arrays.
void Tiler::setIndices(Value argument, unsigned each, Value thread, Value first,
                       Value count, bool isRow) {
  auto item = [&](unsigned number) {
    return isRow ? TileValues::Item{number, 0} : TileValues::Item{0, number};
  };
  Value last = b.plus(b.widen(count), -1);
  unsigned run = isRow ? shape.rowRun : shape.columnRun;
  for (unsigned number = 0; number < each; ++number) {
    unsigned at = isRow ? rowOf(shape, number) : columnOf(shape, number);
    Value inTile = b.plus(b.scale(thread, run), at);
    values.set(argument, item(number), b.add(first, b.least(inTile, last)));
  }
  values.set(argument, TileValues::corner, first);
}

/// Clones what depends on no index of the tile. Each tile has an item, which
/// would run it anyway.
void Tiler::copyUniform(Block &old) {
  for (Operation &op : old.without_terminator()) {
    auto isUniform = [&](Value value) {
      return tiling.dependenceOf(value) == 0;
    };
    if (op.getNumResults() == 0 || isa<LoadOp, ReduceOp>(op) ||
        !llvm::all_of(op.getResults(), isUniform) ||
        !llvm::all_of(op.getOperands(), [&](Value operand) {
          return !operand.getDefiningOp() || uniform.contains(operand);
        }))
      continue;
    b.clone(op, uniform);
    for (Value result : op.getResults())
      values.set(result, {}, uniform.lookup(result));
  }
}

/// Whether neighbouring rows of the first result lie closer together than
/// neighbouring columns.
Value Tiler::prefersRows(Block &old) {
  Value none = arith::ConstantOp::create(b, b.getBoolAttr(false));
  auto stores = old.getOps<StoreOp>();
  if (!tiling.hasRows || stores.empty())
    return none;
  StoreOp store = *stores.begin();
  size_t flat = kernel.numFlat();
  Value row = b.i64(0), column = row;
  for (auto [d, index] : llvm::enumerate(store.getIndices())) {
    auto steps = stepsOf(kernel, index, nullptr, 0);
    if (!steps)
      return none;
    Value stride =
        StrideOp::create(b, b.getI64Type(), store.getArray(), unsigned(d));
    row = b.add(row, b.scale(stride, (*steps)[flat - 2]));
    column = b.add(column, b.scale(stride, (*steps)[flat - 1]));
  }
  return b.compare(Predicate::slt, b.absolute(row), b.absolute(column));
}

/// Runs what follows the reductions for one item: its row and column in the
/// tile, and where its results lie in the exchange.
void Tiler::finishItem(Block &old, Value row, Value column, Value index) {
  IRMapping map(uniform);
  map.map(columnArgument, b.add(place.firstColumn, column));
  if (rowArgument)
    map.map(rowArgument, b.add(place.firstRow, row));
  for (auto [value, array] : llvm::zip(exchange.values, arrays))
    map.map(value, LoadOp::create(b, value.getType(), array, index));
  for (Operation &op : old.without_terminator())
    if (!isa<ReduceOp>(op) &&
        !(op.getNumResults() && uniform.contains(op.getResult(0))))
      b.clone(op, map);
}

/// Runs what follows for all of a thread's items in a tile of one whole row, at
/// constant distances from one another.
void Tiler::finishWholeRow(Block &old) {
  unsigned threads = shape.threads();
  Value column = b.widen(place.lane), index = b.widen(columnPlace(place.lane));
  unsigned step = threads + (exchange.run ? threads / exchange.run : 0);
  for (unsigned n = 0; n < shape.columnsEach; ++n)
    finishItem(old, Value(), b.plus(column, int64_t(n) * threads),
               b.plus(index, int64_t(n) * step));
}

/// Exchanges the results of some rows of each thread, from its row `first` on,
/// and finishes their items in the order of memory.
void Tiler::exchangeRows(Block &old, unsigned first) {
  unsigned rows = exchange.rows, columns = shape.columns();
  for (unsigned n = 0; n < exchange.rowsAtOnce; ++n) {
    Value row = b.plus(b.scale(place.rowThread, shape.rowRun), rowOf(shape, n));
    for (unsigned m = 0; m < shape.columnsEach; ++m) {
      Value column = b.plus(b.scale(place.columnThread, shape.columnRun),
                            columnOf(shape, m));
      Value index = b.add(b.scale(row, exchange.pitch), columnPlace(column));
      for (auto [value, array] : llvm::zip(exchange.values, arrays))
        StoreOp::create(b, values.get(value, {first + n, m}), array, index);
    }
  }
  BarrierOp::create(b);
  Block *whole = nullptr;
  if (!tiling.hasRows &&
      (!exchange.run || shape.threads() % exchange.run == 0)) {
    Block *part = b.block();
    whole = b.block();
    Value isWhole = b.compare(Predicate::eq, place.columnCount, b.i32(columns));
    if (Value areNear = storesNeighbours(b, kernel, old))
      isWhole = b.both(isWhole, areNear);
    b.branch(isWhole, whole, {}, part);
    b.at(part);
  }

  // Lanes go along the dimension in which results lie closer together.
  unsigned threads = shape.threads();
  Value lane = place.lane;
  bool isWide = columns > threads; // then there is one row
  Value row = isWide ? b.i32(0) : b.div(lane, columns);
  Value column = isWide ? lane : b.rem(lane, columns);
  Value rowStep = b.i32(isWide ? 0 : threads / columns);
  Value columnStep = b.i32(isWide ? threads : 0);
  if (tiling.hasRows) {
    row = b.select(isTransposed, b.rem(lane, rows), row);
    column = b.select(isTransposed, b.div(lane, rows), column);
    rowStep = b.select(isTransposed, b.i32(0), rowStep);
    columnStep = b.select(isTransposed, b.i32(threads / rows), columnStep);
  }
  Value rowsLeft = b.least(
      b.plus(place.rowCount, -int64_t(rowOf(shape, first))), b.i32(rows));
  SmallVector<Value> start = {row, column};
  Block *header = b.block(ValueRange(start).getTypes()), *body = b.block(),
        *inside = b.block(), *latch = b.block(), *done = b.block();
  b.branch(header, start);
  b.at(header);
  row = header->getArgument(0), column = header->getArgument(1);
  Value isRow = b.compare(Predicate::slt, row, rowsLeft);
  Value isColumn = b.compare(Predicate::slt, column, place.columnCount);
  // A lane that goes along columns is done after the last column, another one
  // after the last row.
  Value more = b.select(isTransposed, isColumn, isRow);
  b.branch(isWide ? isColumn : more, body, {}, done);
  b.at(body);
  b.branch(b.both(isRow, isColumn), inside, {}, latch);
  b.at(inside);
  Value index = b.add(b.scale(row, exchange.pitch), columnPlace(column));
  finishItem(old, b.widen(b.plus(row, rowOf(shape, first))), b.widen(column),
             b.widen(index));
  b.branch(latch);
  b.at(latch);
  b.branch(header, {b.add(row, rowStep), b.add(column, columnStep)});
  if (whole) {
    b.at(whole);
    finishWholeRow(old);
    b.branch(done);
  }
  b.at(done);
}

void Tiler::run() {
  Block &entry = kernel.entry();
  Block *old = entry.splitBlock(entry.begin());
  b.at(&entry);
  findPlace();
  copyUniform(*old);
  setIndices(columnArgument, shape.columnsEach, place.columnThread,
             place.firstColumn, place.columnCount, /*isRow=*/false);
  if (rowArgument)
    setIndices(rowArgument, shape.rowsEach, place.rowThread, place.firstRow,
               place.rowCount, /*isRow=*/true);
  if (shape.usesMatrixUnits()) {
    MatrixLoops(b, tiling, shape, place, values).reduce();
  } else {
    TileLoops loops(b, tiling, shape, place, values);
    values.readTile = [&](LoadOp load, TileValues::Item item) {
      return loops.read(load, item);
    };
    for (ReduceOp reduce : tiling.reductions)
      loops.reduce(reduce);
  }
  Block *direct = nullptr;
  if (StoreOp store = runStoreOf(kernel, *old, tiling, shape)) {
    direct = b.block();
    Block *exchanged = b.block();
    b.branch(canStoreRuns(b, store, shape, place, values), direct, {},
             exchanged);
    b.at(direct);
    values.enter();
    storeRuns(b, store, shape, values);
    values.leave();
    b.at(exchanged);
  }
  isTransposed = prefersRows(*old);
  for (auto [value, at] : llvm::zip(exchange.values, exchange.offsets))
    arrays.push_back(b.sharedArray(value.getType(), at));
  for (unsigned row = 0; row < shape.rowsEach; row += exchange.rowsAtOnce) {
    if (row > 0)
      BarrierOp::create(b);
    exchangeRows(*old, row);
  }
  Block *end = b.block();
  b.branch(end);
  if (direct) {
    b.at(direct);
    b.branch(end);
  }
  b.at(end);
  ReturnOp::create(b, ValueRange());

  kernel->setAttr(
      tileAttribute,
      b.getDenseI64ArrayAttr({shape.rows(), shape.columns(), shape.threads(),
                              sharedBytesOf(tiling, shape), 1}));
  kernel.setSharedExtentsAttr(b.getArrayAttr({}));
  while (!old->empty()) {
    old->back().dropAllUses();
    old->back().erase();
  }
  old->erase();
}

void kern::ir::loop::tile(KernelOp flattened, const Tiling &tiling,
                          const TilePlan &shape) {
  Tiler(flattened, tiling, shape).run();
}
