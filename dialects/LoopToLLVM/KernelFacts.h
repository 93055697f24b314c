//===- KernelFacts.h - a kernel seen from its entry points ------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"
#include "dialects/LoopToLLVM/Entry.h"

namespace kern::ir::loop {

struct OperandFacts {
  mlir::Type element;
  unsigned rank;        ///< number of core dimensions
  bool isRange = false; ///< rangesAttribute
};

/// Of a loop.kernel with rows in registers, an integer: how many blocks of 512
/// lanes are to fit on a multiprocessor, if that is not 2.
inline constexpr llvm::StringLiteral blocksAttribute = "loop.blocks";
/// Of a loop.kernel: its groups have at least 32 lanes.
inline constexpr llvm::StringLiteral warpsAttribute = "loop.warps";

/// True if a ufunc gains from a path of its own for calls with an array as the
/// first input and scalars as all others. Most functions with parameters are
/// called like this. Such a path can do some work once for all elements:
/// operations on later inputs alone, and a division's work on its divisor. It
/// can also read more elements at a time if only a later input is wide. False
/// for larger ufuncs, which gain less than a second path costs in code.
bool hasScalarWork(KernelOp kernel);

/// True if another copy of the body costs almost nothing, as for a sum, a
/// product or a comparison.
bool isTiny(KernelOp kernel);

/// True if a thread computes for so long that the work around the body, the
/// indices and tests, should be shared by more elements: a body that calls an
/// elementary function or has much arithmetic. False for bodies with branches
/// or loops.
bool isLong(KernelOp kernel);

/// The facts of a kernel that its entry points need. One record, since they
/// are collected together, before its body is moved.
struct KernelFacts {
  explicit KernelFacts(KernelOp kernel);

  std::string symbol;
  llvm::SmallVector<OperandFacts> inputs;
  llvm::SmallVector<OperandFacts> outputs;
  unsigned dims;
  unsigned tileResults = 0;     ///< of a thread, in a tiled kernel
  unsigned tilePlanes = 1;      ///< of which it computes one after the other
  bool callsFunctions = false;  ///< elementary ones; of a tiled kernel
  bool usesMatrixUnits = false; ///< a tiled kernel
  /// What the code of a tiled kernel without shared memory loads in one block,
  /// in words of 32 bits.
  unsigned loadedWords = 0;
  unsigned storedWords = 0; ///< likewise
  unsigned flatCount = 0;   ///< ranges whose iterations are loop elements
  /// For each slot of local arrays, whether every lane has its own.
  llvm::SmallVector<bool> slots;
  bool hasScalarWork; ///< and no checks
  bool isTiny;
  bool isLong;             ///< and no checks
  bool isMasked;           ///< maskedAttribute
  unsigned blocks = 0;     ///< blocksAttribute
  unsigned arraysRead = 0; ///< arraysReadAttribute
  bool hasWarps;           ///< warpsAttribute
  int64_t operations = 1;  ///< per loop element; filled in for the host
  Entry entry;             ///< the kernel's part of it is filled in
  bool hasChecks() const { return !entry.checks.empty(); }
};

} // namespace kern::ir::loop
