//===- TileStore.cpp - results that threads store themselves --------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopMappings/TileStore.h"

#include "dialects/LoopMappings/Affine.h"
#include "dialects/LoopToLLVM/KernelBuilder.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace kern::ir::loop;
using Predicate = TileBuilder::Predicate;

static constexpr unsigned accessBytes = 16;

StoreOp kern::ir::loop::runStoreOf(KernelOp kernel, Block &old,
                                   const Tiling &tiling,
                                   const TilePlan &shape) {
  // Each result has a copy of this code.
  constexpr unsigned maxOperations = 16;
  unsigned operations = 0;
  StoreOp only;
  for (Operation &op : old.without_terminator()) {
    if (isa<ReduceOp>(op))
      continue;
    if (isa<func::CallOp>(op))
      return {};
    if (auto store = dyn_cast<StoreOp>(op)) {
      if (only)
        return {};
      only = store;
    }
    operations +=
        op.getNumResults() == 0 || tiling.dependenceOf(op.getResult(0)) != 0;
  }
  if (!only || operations > maxOperations || only.getIndices().empty() ||
      storedSize(only.getValue().getType()) * shape.columnRun != accessBytes)
    return {};
  size_t flat = kernel.numFlat(), last = only.getIndices().size() - 1;
  for (auto [d, index] : llvm::enumerate(only.getIndices())) {
    auto steps = stepsOf(kernel, index, nullptr, 0);
    if (!steps || (*steps)[flat - 1] != (d == last))
      return {};
    if (tiling.hasRows && d == last && (*steps)[flat - 2] != 0)
      return {};
  }
  return only;
}

Value kern::ir::loop::canStoreRuns(TileBuilder &b, StoreOp store,
                                   const TilePlan &shape,
                                   const TilePlace &place, TileValues &values) {
  Value isWhole = b.both(
      b.compare(Predicate::eq, place.rowCount, b.i32(shape.rows())),
      b.compare(Predicate::eq, place.columnCount, b.i32(shape.columns())));
  unsigned last = store.getIndices().size() - 1;
  Value isDense = HasChunksOp::create(
      b, b.getI1Type(), store.getArray(),
      SmallVector<Value>(store.getIndices().size(), b.i64(0)), last,
      shape.columnRun);
  Value offset = b.i64(0), places = offset;
  for (auto [d, index] : llvm::enumerate(store.getIndices())) {
    Value stride =
        StrideOp::create(b, b.getI64Type(), store.getArray(), unsigned(d));
    offset =
        b.add(offset, b.mul(values.get(index, TileValues::corner), stride));
    if (d != last)
      places = arith::OrIOp::create(b, places, stride);
  }
  places = arith::OrIOp::create(b, places, offset);
  Value isAligned =
      b.compare(Predicate::eq, b.rem(places, accessBytes), b.i64(0));
  return b.both(isWhole, b.both(isDense, isAligned));
}

Value kern::ir::loop::storesNeighbours(TileBuilder &b, KernelOp kernel,
                                       Block &old) {
  Value all;
  size_t flat = kernel.numFlat();
  for (auto store : old.getOps<StoreOp>()) {
    if (store.getIndices().empty())
      return {};
    unsigned last = store.getIndices().size() - 1;
    for (auto [d, index] : llvm::enumerate(store.getIndices())) {
      auto steps = stepsOf(kernel, index, nullptr, 0);
      if (!steps || (*steps)[flat - 1] != (d == last))
        return {};
    }
    Value stride = StrideOp::create(b, b.getI64Type(), store.getArray(), last);
    Value isNear = b.compare(Predicate::eq, stride,
                             b.i64(storedSize(store.getValue().getType())));
    all = all ? b.both(all, isNear) : isNear;
  }
  return all;
}

void kern::ir::loop::storeRuns(TileBuilder &b, StoreOp store,
                               const TilePlan &shape, TileValues &values) {
  unsigned last = store.getIndices().size() - 1;
  for (unsigned row = 0; row < shape.rowsEach; ++row)
    for (unsigned column = 0; column < shape.columnsEach;
         column += shape.columnRun) {
      SmallVector<Value> run, indices;
      for (unsigned n = 0; n < shape.columnRun; ++n)
        run.push_back(values.get(store.getValue(), {row, column + n}));
      for (Value index : store.getIndices())
        indices.push_back(values.get(index, {row, column}));
      StoreChunkOp::create(b, run, store.getArray(), indices, last);
    }
}
