//===- Entry.h - what entry points say of themselves ------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Checks.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace kern::loop {

/// An entry point of a lowered kernel: what a manifest says of it
/// (docs/explanation/kernel-abi.md).
struct Entry {
  std::string symbol;     ///< `<kernel>__<form>`
  std::string kernel;     ///< the symbol of the loop.kernel
  std::string form;       ///< a name of runtime/artefact/Manifest.h's Form
  bool disjoint = false;  ///< made for operands that share no memory
  unsigned block = 0;     ///< threads per block; 0 on the host
  unsigned elements = 1;  ///< elements per thread, or of one chunk
  unsigned rows = 1;      ///< inner form: rows per thread
  unsigned alignment = 1; ///< bytes to which contiguous arrays must be aligned
  unsigned work = 0;      ///< host: about picoseconds for one loop element
  bool waits = false;     ///< GPU: for what is before it in its stream, itself
  /// Reverse Polish notation, as in loop.kernel.
  std::vector<std::vector<std::string>> sharedExtents;
  std::vector<std::vector<std::string>> nonEmpty;
  /// Memory for local arrays, by slot: the bytes of each, a multiple of 16.
  struct Scratch {
    std::vector<std::string> bytes;
    bool isPerLane = false; ///< of each lane, not of each loop element
  };
  std::vector<Scratch> scratch;
  /// By number; if there are any, the last word is the record's address.
  std::vector<CheckSite> checks;
};

/// Attaches `entry` to a function as its attribute `loop.entry`.
void setEntry(mlir::LLVM::LLVMFuncOp function, const Entry &entry);

/// The entry points of a module that LoopToGPU or LoopToHost has lowered, in
/// order.
std::vector<Entry> entries(mlir::ModuleOp module);

/// The strings of an extents attribute; empty for none.
std::vector<std::vector<std::string>>
extentTokens(std::optional<mlir::ArrayAttr> extents);

} // namespace kern::loop
