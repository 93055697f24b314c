//===- Entry.h - the description of an entry point --------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Checks.h"
#include "runtime/artefact/Nest.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace kern::ir::loop {

/// An entry point of a lowered kernel, as the manifest describes it
/// (docs/explanation/kernel-abi.md). One record, since it becomes one
/// attribute.
struct Entry {
  std::string symbol; ///< `<kernel>__<form>`
  std::string kernel; ///< the symbol of the loop.kernel
  runtime::Form form = runtime::Form::General;
  bool disjoint = false; ///< requires outputs disjoint from all inputs
  runtime::Mapping mapping = {};
  /// Of a sliced kernel: how many a call takes, and how many of them are
  /// sliced.
  unsigned launches = 1, slicedLaunches = 0;
  unsigned block = 0; ///< threads per block; 0 on the host
  /// Elements of a thread or a chunk; of a gufunc on the host, the loop
  /// elements that run at once.
  unsigned elements = 1;
  unsigned rows = 1;      ///< inner form: rows per thread
  unsigned alignment = 1; ///< bytes to which contiguous arrays must be aligned
  unsigned work = 0;      ///< host: estimated picoseconds per loop element
  bool inParts = false;   ///< host: takes a part and their number
  bool waits = false;     ///< GPU: waits itself for earlier work in its stream
  /// GPU, of a flat gufunc: takes a divisor's word for each range, too.
  bool hasDivisors = false;
  std::vector<runtime::DimExpr> sharedExtents;
  std::vector<runtime::DimExpr> nonEmpty;
  std::vector<runtime::LeastExtent> leastExtents;
  /// Memory for local arrays, by slot. Bytes are a multiple of 16.
  struct Scratch {
    runtime::DimExpr bytes;
    bool isPerLane = false;  ///< for each lane, not for each loop element
    bool isPerSlice = false; ///< for each slice, and one more
    bool isCleared = false;  ///< 0 at first
  };
  std::vector<Scratch> scratch;
  /// By number. If there are any, the last word is the record's address.
  std::vector<runtime::CheckInfo> checks;
};

/// Attaches `entry` to a function as its attribute `loop.entry`.
void setEntry(mlir::LLVM::LLVMFuncOp function, const Entry &entry);

/// The entry points of a module that LoopToGPU or LoopToHost has lowered, in
/// order.
std::vector<Entry> entries(mlir::ModuleOp module);

/// The expressions of an extents attribute; empty for none.
std::vector<runtime::DimExpr> extentsIn(std::optional<mlir::ArrayAttr> extents);

} // namespace kern::ir::loop
