//===- WindowAccesses.h - loads and stores of a thread's items --*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopMappings/TileBuilder.h"
#include "dialects/LoopMappings/Windows.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

#include <map>

namespace kern::ir::loop {

/// A flat index of which a thread has several.
struct WindowAxis {
  mlir::BlockArgument argument; ///< null: there is none
  unsigned each = 1, run = 1, threads = 1;
  mlir::Value first;  ///< the thread's
  mlir::Value extent; ///< of the iterations
  llvm::SmallVector<mlir::Value> indices;
  /// How far from the first one the thread's index `number` is.
  unsigned placeOf(unsigned number) const {
    return number / run * run * threads + number % run;
  }
};

/// The items of a thread: columns within rows within planes.
struct WindowAxes {
  explicit WindowAxes(const WindowPlan &shape) : shape(shape) {}
  const WindowPlan &shape;
  WindowAxis plane, row, column;
  unsigned planeOf(unsigned item) const {
    return item / (shape.rowsEach * shape.columnsEach);
  }
  unsigned rowOf(unsigned item) const {
    return item / shape.columnsEach % shape.rowsEach;
  }
  unsigned columnOf(unsigned item) const { return item % shape.columnsEach; }
};

/// Emits accesses for all items of a thread together. Elements at constant
/// distances from one another are read once. Where lanes have neighbouring
/// columns, one access reads several.
class WindowAccesses {
public:
  using Value = mlir::Value;

  WindowAccesses(TileBuilder &b, KernelOp kernel, const WindowAxes &axes)
      : b(b), kernel(kernel), axes(axes) {}

  /// Finds the arrays of which lanes access neighbouring elements.
  void findDense(llvm::ArrayRef<mlir::Block *> blocks);
  /// Whether these arrays are contiguous and, if several elements are accessed
  /// at once, aligned.
  Value areDense();
  /// Begins a block of code in which all items go the same way.
  void begin(mlir::Block &block);
  /// Emits a load or a store for the items from number `first` on; false if its
  /// distances depend on data.
  bool emit(mlir::Operation &op, llvm::MutableArrayRef<mlir::IRMapping> items,
            unsigned first);

private:
  using Offsets = llvm::SmallVector<int64_t>;
  /// The elements of an array that are read in one block, at constant distances
  /// along the last dimension from one place.
  struct Row {
    /// What was read, by distance. All that will be read have an entry before
    /// the first of them is read.
    std::map<int64_t, Value> elements;
  };
  /// For a thread's first item: the kernel's value for each index, and a
  /// constant distance from it.
  struct Place {
    llvm::SmallVector<Value> first;
    Offsets offsets;
  };
  using Key = std::vector<int64_t>;

  static Key keyOf(Value array, const Place &place,
                   llvm::ArrayRef<int64_t> offsets);
  Value baseOf(const IndexForm &form);
  std::optional<Place> placeOf(mlir::OperandRange indices);
  Offsets moved(mlir::OperandRange indices, const Offsets &offsets,
                unsigned item);
  unsigned chunkOf(Value array, mlir::OperandRange indices);
  void annotate(mlir::Operation *access, Value array,
                llvm::ArrayRef<int64_t> offsets);
  void read(Row &row, LoadOp load, const Place &place, Offsets offsets);
  void load(LoadOp op, const Place &place,
            llvm::MutableArrayRef<mlir::IRMapping> items, unsigned first);
  void store(StoreOp op, const Place &place,
             llvm::ArrayRef<mlir::IRMapping> items, unsigned first);

  TileBuilder &b;
  KernelOp kernel;
  const WindowAxes &axes;
  llvm::SmallSetVector<Value, 4> dense;
  /// Of dense arrays, the elements that can be accessed at once.
  llvm::DenseMap<Value, unsigned> chunks;
  std::map<std::vector<std::pair<unsigned, int64_t>>, Value> bases;
  std::map<Key, Row> rows; ///< of the present block
};

} // namespace kern::ir::loop
