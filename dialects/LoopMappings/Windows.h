//===- Windows.h - iterations whose neighbours read the same ----*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Flat kernels whose iterations read elements at constant distances from one
// another, such as stencils: a thread that computes several neighbouring
// results reads each element once.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"
#include "runtime/artefact/Nest.h"

#include <optional>

namespace kern::ir::loop {

/// The results of a thread, and how threads share a tile. The planes and rows
/// of a thread are neighbours, and its columns in runs of `columnRun`; threads,
/// and the runs of all threads, lie side by side.
struct WindowPlan {
  unsigned planesEach = 1, rowsEach = 1, columnsEach = 1;
  unsigned columnRun = 1; ///< which are accessed at once
  unsigned rowThreads = 1, columnThreads = 1;
  /// The first and the last columns, where branches differ, are not in the
  /// tiles but in one more at the end of each row of tiles.
  bool hasBorder = false;
  unsigned results() const { return planesEach * rowsEach * columnsEach; }
  unsigned threads() const { return rowThreads * columnThreads; }
  unsigned rows() const { return rowThreads * rowsEach; }
  unsigned columns() const { return columnThreads * columnsEach; }
  kern::runtime::Nest::Tile tile() const {
    return {.rows = rows(),
            .columns = columns(),
            .threads = threads(),
            .planes = planesEach,
            .isWide = columnRun > 1};
  }
};

/// An index as a sum of multiples of a kernel's arguments and a constant.
struct IndexForm {
  /// The arguments' numbers, rising, with their factors.
  llvm::SmallVector<std::pair<unsigned, int64_t>, 4> terms;
  int64_t constant = 0;
  int64_t factorOf(unsigned argument) const;
};

/// Nothing for an index that is not such a sum.
std::optional<IndexForm> indexForm(KernelOp kernel, mlir::Value index);

/// A kernel whose threads can compute several results each.
struct Windows {
  std::vector<WindowPlan> shapes; ///< with rising columns
};

/// Nothing for a kernel that is not flat or has loops, or if neighbouring
/// iterations have no element in common.
std::optional<Windows> windowsOf(KernelOp flattened);

/// The windows of a kernel whose reductions are written out (Unroll.h).
Windows windowsOfUnrolled(KernelOp flattened);

//===--- Window.cpp -----------------------------------------------------===//
/// Makes each thread of a group compute a few neighbouring items: the last flat
/// indices of the kernel then number tiles. As long as branches go the same way
/// for all of a thread's items, it runs their code together and reads each
/// element once. Otherwise it runs them one after the other, from the
/// beginning.
void window(KernelOp flattened, const WindowPlan &shape);

} // namespace kern::ir::loop
