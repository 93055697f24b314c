//===- TileValues.cpp - values of a thread's items ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopMappings/TileValues.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace kern::ir::loop;

TileValues::Key TileValues::keyOf(Value original, Item item) const {
  unsigned depends = tiling.dependenceOf(original);
  return {original.getAsOpaquePointer(), depends & rowIndex ? item.row : 0,
          depends & columnIndex ? item.column : 0};
}

Value TileValues::get(Value original, Item item) {
  Key key = keyOf(original, item);
  for (const auto &scope : llvm::reverse(scopes))
    if (auto found = scope.find(key); found != scope.end())
      return found->second;
  Operation *maker = original.getDefiningOp();
  if (!maker)
    return original; // an argument of the kernel
  auto load = dyn_cast<LoadOp>(maker);
  if (load && (tiling.dependenceOf(original) & innerIndex))
    return scopes.back()[key] = readTile(load, item);
  IRMapping map;
  for (Value operand : maker->getOperands())
    map.map(operand, get(operand, item));
  Operation *copy = b.clone(*maker, map);
  for (auto [before, after] :
       llvm::zip(maker->getResults(), copy->getResults()))
    scopes.back()[keyOf(before, item)] = after;
  return scopes.back()[key];
}
