//===- Window.cpp - threads that compute neighbouring results -------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopMappings/Window.h"

#include "dialects/LoopMappings/CoreExtents.h"
#include "dialects/LoopMappings/TileBuilder.h"
#include "dialects/LoopToLLVM/GroupSharing.h"
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
  Windower(KernelOp kernel, const Windows &windows, const WindowPlan &shape)
      : kernel(kernel), windows(windows), shape(shape), b(kernel),
        results(shape.results()), items(results) {}
  void run();

private:
  /// A flat index of which a thread has several, one after the other.
  struct Axis {
    BlockArgument argument; ///< null: there is none
    unsigned each = 1;
    Value first;  ///< the thread's
    Value extent; ///< of the iterations
    SmallVector<Value> indices;
  };
  /// What operations computed together so far, for each block.
  struct Made {
    std::map<std::pair<Operation *, std::vector<void *>>, Operation *> copies;
    std::map<std::vector<int64_t>, Value> elements;
  };
  using Offsets = SmallVector<int64_t>;

  unsigned planeOf(unsigned item) const { return item / shape.rowsEach; }
  unsigned rowOf(unsigned item) const { return item % shape.rowsEach; }
  Axis axis(size_t fromLast, unsigned each, unsigned inTile, Value thread);
  Value isWhole();
  void emitTogether(Block *original, Block *serial);
  void copyTogether(Operation &op, Made &made);
  void branchTogether(Operation *terminator, Block *serial);
  bool accessTogether(Operation &op, Made &made);
  std::optional<Offsets> place(Operation &op, OperandRange indices,
                               SmallVector<Value> &first);
  Offsets moved(OperandRange indices, const Offsets &offsets, unsigned item);
  Value baseOf(const IndexForm &form);
  void emitSerial(Block *old, Block *header);

  KernelOp kernel;
  const Windows &windows;
  const WindowPlan &shape;
  TileBuilder b;
  unsigned results;
  Axis plane, row, column;
  SmallVector<Block *> originals;
  llvm::SmallSetVector<Value, 4> dense; ///< arrays whose elements must be so
  llvm::DenseMap<Block *, Block *> together;
  SmallVector<IRMapping> items;
  Block *entry = nullptr;
  std::map<std::vector<std::pair<unsigned, int64_t>>, Value> bases;
};

} // namespace

Windower::Axis Windower::axis(size_t fromLast, unsigned each, unsigned inTile,
                              Value thread) {
  Axis out;
  out.each = each;
  if (fromLast >= kernel.numFlat())
    return out;
  size_t number = kernel.numFlat() - 1 - fromLast;
  out.argument = kernel.flatIndices()[number];
  DimTokens tokens;
  for (auto token : cast<ArrayAttr>(kernel.getFlatExtents()->getValue()[number])
                        .getAsRange<StringAttr>())
    tokens.push_back(token.str());
  out.extent = dimValue(b, kernel, tokens);
  out.first = b.add(b.scale(out.argument, inTile), b.scale(thread, each));
  for (unsigned n = 0; n < each; ++n)
    out.indices.push_back(b.plus(out.first, n));
  return out;
}

/// Whether all items of the thread exist, and elements lie as the code for all
/// of them together expects.
Value Windower::isWhole() {
  Value whole = b.compare(Predicate::slt, column.first, column.extent);
  for (const Axis *axis : {&row, &plane})
    if (axis->argument && axis->each > 1)
      whole = b.both(
          whole, b.compare(Predicate::slt, axis->indices.back(), axis->extent));
  for (Value array : dense) {
    auto type = cast<ArrayType>(array.getType());
    Value stride =
        StrideOp::create(b, b.getI64Type(), array, type.getRank() - 1);
    int64_t size = storedSize(type.getElementType());
    whole = b.both(whole, b.compare(Predicate::eq, stride, b.i64(size)));
  }
  return whole;
}

/// The value of an index's terms for the thread's first item. It lies at the
/// kernel's begin.
Value Windower::baseOf(const IndexForm &form) {
  Value &base = bases[{form.terms.begin(), form.terms.end()}];
  if (base)
    return base;
  OpBuilder::InsertionGuard guard(b);
  b.at(entry);
  for (auto [number, factor] : form.terms) {
    Value value = kernel.entry().getArgument(number);
    for (const Axis *axis : {&plane, &row, &column})
      if (axis->argument == value)
        value = axis->first;
    value = b.scale(value, factor);
    base = base ? b.add(base, value) : value;
  }
  if (!base)
    base = b.i64(0);
  return base;
}

/// How far from `first` the element of an access lies for the first item;
/// nothing if distances depend on data.
std::optional<Windower::Offsets> Windower::place(Operation &op,
                                                 OperandRange indices,
                                                 SmallVector<Value> &first) {
  Offsets offsets;
  for (Value index : indices) {
    std::optional<IndexForm> form = indexForm(kernel, index);
    if (!form)
      return std::nullopt;
    first.push_back(baseOf(*form));
    offsets.push_back(form->constant);
  }
  return offsets;
}

Windower::Offsets Windower::moved(OperandRange indices, const Offsets &offsets,
                                  unsigned item) {
  Offsets out;
  for (auto [index, offset] : llvm::zip(indices, offsets)) {
    IndexForm form = *indexForm(kernel, index);
    auto step = [&](const Axis &axis, unsigned by) {
      return axis.argument
                 ? form.factorOf(axis.argument.getArgNumber()) * int64_t(by)
                 : 0;
    };
    out.push_back(offset + step(plane, planeOf(item)) + step(row, rowOf(item)));
  }
  return out;
}

/// Emits a load or store of all items, of elements at constant distances. An
/// element that several items read is loaded once.
bool Windower::accessTogether(Operation &op, Made &made) {
  auto load = dyn_cast<LoadOp>(op);
  auto store = dyn_cast<StoreOp>(op);
  if (!load && !store)
    return false;
  OperandRange indices = load ? load.getIndices() : store.getIndices();
  SmallVector<Value> first;
  auto offsets = place(op, indices, first);
  if (!offsets)
    return false;
  Value array = accessedArray(&op);
  auto annotate = [&](Operation *access, const Offsets &by) {
    access->setAttr(offsetAttribute, b.getDenseI64ArrayAttr(by));
    if (dense.contains(array))
      access->setAttr(denseAttribute, b.getUnitAttr());
  };
  bool mayMeet = windows.addsProducts && load && isa<FloatType>(load.getType());
  for (unsigned item = 0; item < results; ++item) {
    Offsets by = moved(indices, *offsets, item);
    if (store) {
      annotate(StoreOp::create(b, items[item].lookupOrDefault(store.getValue()),
                               array, first),
               by);
      continue;
    }
    std::vector<int64_t> key(by.begin(), by.end());
    key.push_back(int64_t(intptr_t(array.getAsOpaquePointer())));
    for (Value base : first)
      key.push_back(int64_t(intptr_t(base.getAsOpaquePointer())));
    Value &element = made.elements[key];
    bool isNew = !element;
    if (isNew) {
      element = LoadOp::create(b, load.getType(), array, first);
      annotate(element.getDefiningOp(), by);
    }
    // Items that compute the same of an element must not share it.
    items[item].map(load.getResult(),
                    mayMeet && !isNew ? KeepOp::create(b, element).getResult()
                                      : element);
  }
  return true;
}

/// Emits the copies of an operation for all items: one for those that compute
/// the same.
void Windower::copyTogether(Operation &op, Made &made) {
  if (accessTogether(op, made))
    return;
  bool isShared = isMemoryEffectFree(&op);
  for (IRMapping &map : items) {
    std::vector<void *> operands;
    for (Value operand : op.getOperands())
      operands.push_back(map.lookupOrDefault(operand).getAsOpaquePointer());
    Operation *&copy = made.copies[{&op, operands}];
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
  Made made;
  for (Operation &op : original->without_terminator())
    copyTogether(op, made);
  branchTogether(original->getTerminator(), serial);
}

/// Runs the items that exist one after the other, in the kernel's own blocks.
void Windower::emitSerial(Block *old, Block *header) {
  Block *check = b.block(), *latch = b.block(), *done = b.block();
  b.at(header);
  Value item = header->getArgument(0);
  b.branch(b.compare(Predicate::slt, item, b.i64(results)), check, {}, done);
  b.at(check);
  Value exists = b.compare(Predicate::slt, column.first, column.extent);
  auto set = [&](Axis &axis, Value number) {
    if (!axis.argument)
      return;
    Value index = b.add(axis.first, number);
    exists = b.both(exists, b.compare(Predicate::slt, index, axis.extent));
    axis.argument.replaceUsesWithIf(index, [&](OpOperand &use) {
      return llvm::is_contained(originals, use.getOwner()->getBlock());
    });
  };
  column.argument.replaceUsesWithIf(column.first, [&](OpOperand &use) {
    return llvm::is_contained(originals, use.getOwner()->getBlock());
  });
  set(plane, b.div(item, shape.rowsEach));
  set(row, b.rem(item, shape.rowsEach));
  b.branch(exists, old, {}, latch);
  for (Block *block : originals)
    if (auto ret = dyn_cast<ReturnOp>(block->getTerminator())) {
      b.at(block);
      b.branch(latch);
      ret.erase();
    }
  b.at(latch);
  b.branch(header, {b.plus(item, 1)});
  b.at(done);
  ReturnOp::create(b, ValueRange());
}

void Windower::run() {
  entry = &kernel.entry();
  Block *old = entry->splitBlock(entry->begin());
  b.at(entry);
  Value lane = b.rem(LaneOp::create(b, b.getI64Type()), shape.threads());
  Value zero = b.i64(0);
  column = axis(0, 1, shape.columns(), b.rem(lane, shape.columnThreads));
  row = axis(1, shape.rowsEach, shape.rows(), b.div(lane, shape.columnThreads));
  plane = axis(2, shape.planesEach, shape.planesEach, zero);
  b.branch(old); // for the order of the blocks
  llvm::ReversePostOrderTraversal<Region *> order(&kernel.getBody());
  for (Block *block : order)
    if (block != entry)
      originals.push_back(block);
  entry->getTerminator()->erase();

  // Lanes go along the last dimension, and offsets along it are constants.
  unsigned last = column.argument.getArgNumber();
  for (Block *block : originals)
    for (Operation &op : *block)
      if (Value array = accessedArray(&op)) {
        Value index = op.getOperands().back();
        auto form = indexForm(kernel, index);
        if (form && form->factorOf(last))
          dense.insert(array);
      }
  for (unsigned item = 0; item < results; ++item) {
    items[item].map(column.argument, column.first);
    items[item].map(row.argument, row.indices[rowOf(item)]);
    if (plane.argument)
      items[item].map(plane.argument, plane.indices[planeOf(item)]);
  }
  for (Block *block : originals) {
    SmallVector<Type> types;
    for (unsigned item = 0; item < results; ++item)
      llvm::append_range(types, block->getArgumentTypes());
    together[block] = b.block(types);
  }
  Block *serial = b.block(), *header = b.block({b.getI64Type()});
  for (Block *block : originals)
    emitTogether(block, serial);
  b.at(serial);
  b.branch(header, {zero});
  b.at(entry);
  b.branch(isWhole(), together[old], {}, serial);
  emitSerial(old, header);

  kernel->setAttr(tileAttribute, b.getDenseI64ArrayAttr(
                                     {shape.rows(), shape.columns(),
                                      shape.threads(), 1, shape.planesEach}));
  kernel.setSharedExtentsAttr(b.getArrayAttr({}));
}

void kern::ir::loop::window(KernelOp flattened, const Windows &windows,
                            const WindowPlan &shape) {
  Windower(flattened, windows, shape).run();
}
