//===- Window.cpp - threads that compute neighbouring results -------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopMappings/Windows.h"

#include "dialects/LoopMappings/CoreExtents.h"
#include "dialects/LoopMappings/WindowAccesses.h"
#include "dialects/LoopToLLVM/KernelBuilder.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"

#include <map>

using namespace mlir;
using namespace kern::ir::loop;
using Predicate = TileBuilder::Predicate;

namespace {

/// Makes the kernel. One class, since each step uses the values that earlier
/// ones made.
class Windower {
public:
  Windower(KernelOp kernel, const WindowPlan &shape)
      : kernel(kernel), shape(shape), b(kernel), results(shape.results()),
        axes(shape), accesses(b, kernel, axes), items(results) {}
  void run();

private:
  /// What operations computed together so far, in one block.
  using Copies =
      std::map<std::pair<Operation *, std::vector<void *>>, Operation *>;

  WindowAxis axis(size_t fromLast, unsigned each, unsigned run,
                  unsigned threads, Value thread);
  Value isWhole();
  void emitTogether(Block *original, Block *serial);
  void copyTogether(Operation &op, unsigned first, unsigned count,
                    Copies &copies);
  void branchTogether(Operation *terminator, Block *serial);
  void findBorder();
  Value ownIndex(const WindowAxis &axis, Value &number);
  Value borderIndex(const WindowAxis &axis, Value &number);
  void emitSerial(Block *serial, Block *old);
  void branchToCode(Block *whole, Block *serial);

  KernelOp kernel;
  const WindowPlan &shape;
  TileBuilder b;
  unsigned results;
  WindowAxes axes;
  WindowAccesses accesses;
  SmallVector<Block *> originals;
  llvm::DenseMap<Block *, Block *> together;
  SmallVector<IRMapping> items;
  Block *entry = nullptr;
  Value lane;
  /// Of a shape with a tile for the border.
  struct {
    Value isHere;      ///< this is the border's tile; null: there is none
    Value left, right; ///< where the first columns end, and the last ones begin
    Value columns;     ///< of both
  } border;
};

} // namespace

WindowAxis Windower::axis(size_t fromLast, unsigned each, unsigned run,
                          unsigned threads, Value thread) {
  WindowAxis out;
  out.each = each, out.run = run, out.threads = threads;
  if (fromLast >= kernel.numFlat())
    return out;
  size_t number = kernel.numFlat() - 1 - fromLast;
  out.argument = kernel.flatIndices()[number];
  Attribute extent = kernel.getFlatExtents()->getValue()[number];
  out.extent = dimValue(b, kernel, tokensOf(cast<ArrayAttr>(extent)));
  out.first = b.add(b.scale(out.argument, int64_t(each) * threads),
                    b.scale(thread, run));
  for (unsigned n = 0; n < each; ++n)
    out.indices.push_back(b.plus(out.first, out.placeOf(n)));
  return out;
}

/// Whether all items of the thread exist, and elements lie as the code for all
/// of them together expects.
Value Windower::isWhole() {
  Value whole =
      b.compare(Predicate::slt, axes.column.indices.back(), axes.column.extent);
  for (const WindowAxis *axis : {&axes.row, &axes.plane})
    if (axis->argument && axis->each > 1)
      whole = b.both(
          whole, b.compare(Predicate::slt, axis->indices.back(), axis->extent));
  return b.both(whole, accesses.areDense());
}

/// Emits the copies of an operation for `count` items from `first` on: one for
/// those that compute the same.
void Windower::copyTogether(Operation &op, unsigned first, unsigned count,
                            Copies &copies) {
  auto some = MutableArrayRef(items).slice(first, count);
  if (accesses.emit(op, some, first))
    return;
  bool isShared = isMemoryEffectFree(&op);
  for (IRMapping &map : some) {
    std::vector<void *> operands;
    for (Value operand : op.getOperands())
      operands.push_back(map.lookupOrDefault(operand).getAsOpaquePointer());
    Operation *&copy = copies[{&op, operands}];
    if (!copy || !isShared)
      copy = b.clone(op, map);
    for (auto [before, after] : llvm::zip(op.getResults(), copy->getResults()))
      map.map(before, after);
  }
}

void Windower::branchTogether(Operation *terminator, Block *serial) {
  auto valuesFor = [&](OperandRange operands) {
    SmallVector<Value> values;
    for (IRMapping &map : items)
      for (Value operand : operands)
        values.push_back(map.lookupOrDefault(operand));
    return values;
  };
  if (isa<ReturnOp>(terminator)) {
    ReturnOp::create(b, ValueRange());
    return;
  }
  if (auto branch = dyn_cast<cf::BranchOp>(terminator)) {
    b.branch(together[branch.getDest()], valuesFor(branch.getDestOperands()));
    return;
  }
  auto branch = cast<cf::CondBranchOp>(terminator);
  llvm::SmallSetVector<Value, 8> conditions;
  for (IRMapping &map : items)
    conditions.insert(map.lookupOrDefault(branch.getCondition()));
  Value all = conditions[0], some = all;
  for (Value condition : ArrayRef(conditions.getArrayRef()).drop_front()) {
    all = b.both(all, condition);
    some = b.createOrFold<arith::OrIOp>(some, condition);
  }
  Block *yes = together[branch.getTrueDest()],
        *no = together[branch.getFalseDest()];
  SmallVector<Value> yesValues = valuesFor(branch.getTrueDestOperands()),
                     noValues = valuesFor(branch.getFalseDestOperands());
  if (conditions.size() == 1) {
    b.branch(all, yes, yesValues, no, noValues);
    return;
  }
  Block *others = b.block();
  b.branch(all, yes, yesValues, others);
  b.at(others);
  b.branch(some, serial, {}, no, noValues);
}

void Windower::emitTogether(Block *original, Block *serial) {
  b.at(together[original]);
  size_t next = 0;
  for (IRMapping &map : items)
    for (BlockArgument argument : original->getArguments())
      map.map(argument, together[original]->getArgument(next++));
  Copies copies;
  accesses.begin(*original);
  // Plane after plane: what is read and computed for one has left the registers
  // when the next one's is.
  const unsigned ofPlane = results / shape.planesEach;
  for (unsigned first = 0; first < results; first += ofPlane)
    for (Operation &op : original->without_terminator())
      copyTogether(op, first, ofPlane, copies);
  branchTogether(original->getTerminator(), serial);
}

/// Finds the columns that the border's tile has: the first ones and the last
/// ones, of which each thread's are all in or all out.
void Windower::findBorder() {
  const int64_t width = shape.columnRun;
  Value extent = axes.column.extent;
  border.left = b.least(extent, b.i64(width));
  Value last = b.div(b.most(b.plus(extent, -width), b.i64(0)), width);
  border.right = b.most(border.left, b.scale(last, width));
  border.columns = b.add(border.left, b.sub(extent, border.right));
  Value tiles = b.div(b.plus(extent, shape.columns() - 1), shape.columns());
  border.isHere = b.compare(Predicate::eq, axes.column.argument, tiles);
}

/// The index of a thread's item `number` along an axis, and what is left of
/// the number.
Value Windower::ownIndex(const WindowAxis &axis, Value &number) {
  Value place = b.rem(number, axis.each);
  number = b.div(number, axis.each);
  if (axis.run < axis.each)
    place =
        b.add(b.scale(b.div(place, axis.run), int64_t(axis.run) * axis.threads),
              b.rem(place, axis.run));
  return axis.argument ? b.add(axis.first, place) : Value();
}

/// The same of item `number` of the border's tile.
Value Windower::borderIndex(const WindowAxis &axis, Value &number) {
  if (axis.argument == axes.column.argument) {
    Value place = b.createOrFold<arith::RemUIOp>(number, border.columns);
    number = b.createOrFold<arith::DivUIOp>(number, border.columns);
    Value isLeft = b.compare(Predicate::slt, place, border.left);
    return b.select(isLeft, place,
                    b.add(border.right, b.sub(place, border.left)));
  }
  int64_t each = int64_t(axis.each) * axis.threads;
  Value place = b.rem(number, each);
  number = b.div(number, each);
  return axis.argument ? b.add(b.scale(axis.argument, each), place) : Value();
}

/// Runs the items that exist one after the other, in the kernel's own blocks:
/// the thread's, or its share of the border's.
void Windower::emitSerial(Block *serial, Block *old) {
  Block *header = b.block({b.getI64Type()}), *check = b.block(),
        *latch = b.block(), *done = b.block();
  b.at(serial);
  Value start = b.i64(0), step = b.i64(1), limit = b.i64(results);
  if (border.isHere) {
    unsigned rows = shape.rows() * shape.planesEach;
    start = b.select(border.isHere, lane, start);
    step = b.select(border.isHere, b.i64(shape.threads()), step);
    limit = b.select(border.isHere, b.scale(border.columns, rows), limit);
  }
  b.branch(header, {start});
  b.at(header);
  Value item = header->getArgument(0);
  b.branch(b.compare(Predicate::slt, item, limit), check, {}, done);
  b.at(check);
  Value exists, own = item, ofBorder = item;
  for (const WindowAxis *axis : {&axes.column, &axes.row, &axes.plane}) {
    Value index = ownIndex(*axis, own);
    if (border.isHere)
      if (Value other = borderIndex(*axis, ofBorder))
        index = b.select(border.isHere, other, index);
    if (!index)
      continue;
    Value inside = b.compare(Predicate::slt, index, axis->extent);
    exists = exists ? b.both(exists, inside) : inside;
    BlockArgument argument = axis->argument;
    argument.replaceUsesWithIf(index, [&](OpOperand &use) {
      return llvm::is_contained(originals, use.getOwner()->getBlock());
    });
  }
  b.branch(exists, old, {}, latch);
  for (Block *block : originals)
    if (auto ret = dyn_cast<ReturnOp>(block->getTerminator())) {
      b.at(block);
      b.branch(latch);
      ret.erase();
    }
  b.at(latch);
  b.branch(header, {b.add(item, step)});
  b.at(done);
  ReturnOp::create(b, ValueRange());
}

/// Sends threads to their code: all items together, one after the other, or, of
/// items that the border's tile has, to the end.
void Windower::branchToCode(Block *whole, Block *serial) {
  b.at(entry);
  if (border.isHere) {
    Block *own = b.block(), *inner = b.block(), *end = b.block();
    b.branch(border.isHere, serial, {}, own);
    b.at(own);
    Value first = axes.column.first;
    Value past = b.plus(axes.column.indices.back(), 1);
    b.branch(b.both(b.compare(Predicate::sge, first, border.left),
                    b.compare(Predicate::sle, past, border.right)),
             inner, {}, end);
    b.at(end);
    ReturnOp::create(b, ValueRange());
    b.at(inner);
  }
  b.branch(isWhole(), whole, {}, serial);
}

void Windower::run() {
  entry = &kernel.entry();
  Block *old = entry->splitBlock(entry->begin());
  b.at(entry);
  lane = b.rem(LaneOp::create(b, b.getI64Type()), shape.threads());
  axes.column = axis(0, shape.columnsEach, shape.columnRun, shape.columnThreads,
                     b.rem(lane, shape.columnThreads));
  axes.row = axis(1, shape.rowsEach, shape.rowsEach, shape.rowThreads,
                  b.div(lane, shape.columnThreads));
  axes.plane = axis(2, shape.planesEach, shape.planesEach, 1, b.i64(0));
  if (shape.hasBorder)
    findBorder();
  b.branch(old); // for the order of the blocks
  llvm::ReversePostOrderTraversal<Region *> order(&kernel.getBody());
  for (Block *block : order)
    if (block != entry)
      originals.push_back(block);
  entry->getTerminator()->erase();

  accesses.findDense(originals);
  for (unsigned item = 0; item < results; ++item) {
    items[item].map(axes.column.argument,
                    axes.column.indices[axes.columnOf(item)]);
    if (axes.row.argument)
      items[item].map(axes.row.argument, axes.row.indices[axes.rowOf(item)]);
    if (axes.plane.argument)
      items[item].map(axes.plane.argument,
                      axes.plane.indices[axes.planeOf(item)]);
  }
  for (Block *block : originals) {
    SmallVector<Type> types;
    for (unsigned item = 0; item < results; ++item)
      llvm::append_range(types, block->getArgumentTypes());
    together[block] = b.block(types);
  }
  Block *serial = b.block();
  for (Block *block : originals)
    emitTogether(block, serial);
  branchToCode(together[old], serial);
  emitSerial(serial, old);

  kernel->setAttr(tileAttribute, b.getDenseI64ArrayAttr(
                                     {shape.rows(), shape.columns(),
                                      shape.threads(), 1, shape.planesEach}));
  kernel.setSharedExtentsAttr(b.getArrayAttr({}));
}

void kern::ir::loop::window(KernelOp flattened, const WindowPlan &shape) {
  Windower(flattened, shape).run();
}
