//===- WindowAccesses.cpp - loads and stores of a thread's items ----------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopMappings/WindowAccesses.h"

#include "dialects/LoopToLLVM/GroupSharing.h"
#include "dialects/LoopToLLVM/KernelBuilder.h"

using namespace mlir;
using namespace kern::ir::loop;
using Predicate = TileBuilder::Predicate;

void WindowAccesses::findDense(ArrayRef<Block *> blocks) {
  using kern::runtime::wideBytes;
  unsigned last = axes.column.argument.getArgNumber();
  for (Block *block : blocks)
    for (Operation &op : *block) {
      Value array = accessedArray(&op);
      if (!array)
        continue;
      auto form = indexForm(kernel, op.getOperands().back());
      if (!form || !form->factorOf(last))
        continue;
      dense.insert(array);
      Type element = cast<ArrayType>(array.getType()).getElementType();
      chunks[array] = unsigned(std::clamp<int64_t>(
          wideBytes / storedSize(element), 1, axes.shape.columnRun));
    }
}

Value WindowAccesses::areDense() {
  Value all = arith::ConstantOp::create(b, b.getBoolAttr(true));
  for (Value array : dense) {
    auto type = cast<ArrayType>(array.getType());
    Value stride =
        StrideOp::create(b, b.getI64Type(), array, type.getRank() - 1);
    int64_t size = storedSize(type.getElementType());
    all = b.both(all, b.compare(Predicate::eq, stride, b.i64(size)));
    unsigned chunk = chunks.lookup(array);
    if (chunk < 2)
      continue;
    SmallVector<Value> origin(type.getRank(), b.i64(0));
    all = b.both(all, HasChunksOp::create(b, b.getI1Type(), array, origin,
                                          uint64_t(type.getRank() - 1), chunk));
    for (unsigned d = 0; d + 1 < type.getRank(); ++d) {
      stride = StrideOp::create(b, b.getI64Type(), array, d);
      all = b.both(
          all, b.compare(Predicate::eq, b.rem(stride, size * chunk), b.i64(0)));
    }
  }
  return all;
}

/// The value of an index's terms for the thread's first item. It is computed at
/// the kernel's start.
Value WindowAccesses::baseOf(const IndexForm &form) {
  Value &base = bases[{form.terms.begin(), form.terms.end()}];
  if (base)
    return base;
  OpBuilder::InsertionGuard guard(b);
  b.at(&kernel.entry());
  for (auto [number, factor] : form.terms) {
    Value value = kernel.entry().getArgument(number);
    for (const WindowAxis *axis : {&axes.plane, &axes.row, &axes.column})
      if (axis->argument == value)
        value = axis->first;
    value = b.scale(value, factor);
    base = base ? b.add(base, value) : value;
  }
  if (!base)
    base = b.i64(0);
  return base;
}

/// Nothing if distances depend on data.
std::optional<WindowAccesses::Place>
WindowAccesses::placeOf(OperandRange indices) {
  if (indices.empty())
    return std::nullopt;
  Place out;
  for (Value index : indices) {
    std::optional<IndexForm> form = indexForm(kernel, index);
    if (!form)
      return std::nullopt;
    out.first.push_back(baseOf(*form));
    out.offsets.push_back(form->constant);
  }
  return out;
}

WindowAccesses::Offsets WindowAccesses::moved(OperandRange indices,
                                              const Offsets &offsets,
                                              unsigned item) {
  Offsets out;
  for (auto [index, offset] : llvm::zip(indices, offsets)) {
    IndexForm form = *indexForm(kernel, index);
    auto step = [&](const WindowAxis &axis, unsigned number) {
      return axis.argument ? form.factorOf(axis.argument.getArgNumber()) *
                                 int64_t(axis.placeOf(number))
                           : 0;
    };
    out.push_back(offset + step(axes.plane, axes.planeOf(item)) +
                  step(axes.row, axes.rowOf(item)) +
                  step(axes.column, axes.columnOf(item)));
  }
  return out;
}

/// How many elements an access can take at once, if it begins at a multiple of
/// that number: its last index depends on the column alone.
unsigned WindowAccesses::chunkOf(Value array, OperandRange indices) {
  std::optional<IndexForm> form = indexForm(kernel, indices.back());
  bool followsColumn =
      form && form->terms.size() == 1 &&
      form->terms[0].first == axes.column.argument.getArgNumber();
  return followsColumn ? std::max(chunks.lookup(array), 1u) : 1;
}

void WindowAccesses::annotate(Operation *access, Value array,
                              ArrayRef<int64_t> offsets) {
  access->setAttr(offsetAttribute, b.getDenseI64ArrayAttr(offsets));
  if (dense.contains(array))
    access->setAttr(denseAttribute, b.getUnitAttr());
}

/// What accesses of the same row have in common.
WindowAccesses::Key WindowAccesses::keyOf(Value array, const Place &place,
                                          ArrayRef<int64_t> offsets) {
  Key key(offsets.begin(), std::prev(offsets.end()));
  key.push_back(int64_t(intptr_t(array.getAsOpaquePointer())));
  for (Value value : place.first)
    key.push_back(int64_t(intptr_t(value.getAsOpaquePointer())));
  return key;
}

void WindowAccesses::begin(Block &block) {
  rows.clear();
  for (auto load : block.getOps<LoadOp>())
    if (auto place = placeOf(load.getIndices()))
      for (unsigned item = 0; item < axes.shape.results(); ++item) {
        Offsets by = moved(load.getIndices(), place->offsets, item);
        rows[keyOf(load.getArray(), *place, by)].elements[by.back()];
      }
}

/// Reads an element, and with it those beside it that can be read at once and
/// are all needed.
void WindowAccesses::read(Row &row, LoadOp load, const Place &place,
                          Offsets offsets) {
  int64_t at = offsets.back();
  auto &elements = row.elements;
  for (int64_t size = chunkOf(load.getArray(), load.getIndices()); size > 1;
       size /= 2) {
    int64_t begin = llvm::divideFloorSigned(at, size) * size;
    auto first = elements.find(begin), last = elements.find(begin + size - 1);
    if (first == elements.end() || last == elements.end() ||
        std::distance(first, last) != size - 1)
      continue;
    offsets.back() = begin;
    auto chunk = LoadChunkOp::create(
        b, SmallVector<Type>(size_t(size), load.getType()), load.getArray(),
        place.first, uint64_t(place.first.size() - 1));
    annotate(chunk, load.getArray(), offsets);
    for (Value value : chunk.getElements())
      (first++)->second = value;
    return;
  }
  auto single = LoadOp::create(b, load.getType(), load.getArray(), place.first);
  annotate(single, load.getArray(), offsets);
  elements[at] = single;
}

/// An element that several items read is loaded once.
void WindowAccesses::load(LoadOp load, const Place &place,
                          MutableArrayRef<IRMapping> items, unsigned first) {
  for (auto [item, map] : llvm::enumerate(items)) {
    Offsets by =
        moved(load.getIndices(), place.offsets, first + unsigned(item));
    Row &row = rows[keyOf(load.getArray(), place, by)];
    Value &element = row.elements[by.back()];
    if (!element)
      read(row, load, place, by);
    map.map(load.getResult(), element);
  }
}

void WindowAccesses::store(StoreOp store, const Place &place,
                           ArrayRef<IRMapping> items, unsigned first) {
  OperandRange indices = store.getIndices();
  Value array = store.getArray();
  unsigned last = axes.column.argument.getArgNumber();
  unsigned chunk = chunkOf(array, indices);
  if (chunk > 1 && (indexForm(kernel, indices.back())->factorOf(last) != 1 ||
                    place.offsets.back() % chunk != 0))
    chunk = 1;
  for (unsigned item = 0; item < items.size(); item += chunk) {
    Offsets by = moved(indices, place.offsets, first + item);
    SmallVector<Value> values;
    for (unsigned k = 0; k < chunk; ++k)
      values.push_back(items[item + k].lookupOrDefault(store.getValue()));
    Operation *access = nullptr;
    if (chunk > 1)
      access = StoreChunkOp::create(b, values, array, place.first,
                                    uint64_t(place.first.size() - 1));
    else
      access = StoreOp::create(b, values[0], array, place.first);
    annotate(access, array, by);
  }
}

bool WindowAccesses::emit(Operation &op, MutableArrayRef<IRMapping> items,
                          unsigned first) {
  auto load = dyn_cast<LoadOp>(op);
  auto store = dyn_cast<StoreOp>(op);
  if (!load && !store)
    return false;
  auto place = placeOf(load ? load.getIndices() : store.getIndices());
  if (!place)
    return false;
  if (load)
    this->load(load, *place, items, first);
  else
    this->store(store, *place, items, first);
  return true;
}
