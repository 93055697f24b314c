//===- TileValues.h - values of a thread's items ----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopMappings/Tiling.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <functional>
#include <map>

namespace kern::ir::loop {

/// Computes the values of a kernel for several items, each once for all items
/// that share it: what depends on the row alone serves all columns.
class TileValues {
public:
  /// An item of a thread: its row and column among those of the thread.
  struct Item {
    unsigned row = 0, column = 0;
  };
  /// The first item of the whole tile.
  static constexpr Item corner = {~0u, ~0u};

  TileValues(mlir::ImplicitLocOpBuilder &b, const Tiling &tiling)
      : b(b), tiling(tiling), scopes(1) {}

  /// What `get` computes is used until the matching `leave`.
  void enter() { scopes.emplace_back(); }
  void leave() { scopes.pop_back(); }
  void set(mlir::Value original, Item item, mlir::Value value) {
    scopes.back()[keyOf(original, item)] = value;
  }
  /// The value for an item; clones what computes it.
  mlir::Value get(mlir::Value original, Item item);
  /// Reads an element of a tile (TileAccess).
  std::function<mlir::Value(LoadOp, Item)> readTile;

private:
  using Key = std::tuple<void *, unsigned, unsigned>;
  Key keyOf(mlir::Value original, Item item) const;

  mlir::ImplicitLocOpBuilder &b;
  const Tiling &tiling;
  llvm::SmallVector<std::map<Key, mlir::Value>> scopes;
};

} // namespace kern::ir::loop
