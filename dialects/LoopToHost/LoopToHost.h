//===- LoopToHost.h - kernels for the CPU -----------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns each loop.kernel, distributed with one lane, into a body function and
// an entry point `void (const int64_t *words)`, as described in
// docs/explanation/kernel-abi.md. For a ufunc it is `<kernel>__contiguous` or
// `<kernel>__streamed`, or `<kernel>__strided` if its body has loops or checks.
// For a gufunc it is `<kernel>__general` or `<kernel>__across`.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>
#include <vector>

namespace kern::ir::loop {

/// An attribute of a function whose wide stores bypass the caches. A vector of
/// n bytes is stored at a multiple of n, or of 64 if n is larger.
inline constexpr llvm::StringLiteral streamsAttribute = "kern-streams";
/// An attribute of a function that is written in vectors, and stays so.
inline constexpr llvm::StringLiteral vectorsAttribute = "kern-vectors";
/// A constant i8 of a module: whether the CPU has 32 registers of a cache line.
/// It does until the target says.
inline constexpr llvm::StringLiteral largeRegisters = "kern.large_registers";

/// The attribute of a kernel whose last two dimensions are the number of a part
/// and how many parts there are. A call of it runs that part of the outermost
/// range of its one `prange`, so that several threads can work on one loop
/// element.
inline constexpr llvm::StringLiteral partsAttribute = "loop.parts";

/// A part's number, and how many there are.
struct Part {
  mlir::Value number, count;
};
/// Adds the two dimensions and the attribute.
Part addPart(KernelOp kernel);
/// Adds dimensions after the kernel's.
llvm::SmallVector<mlir::Value> addDims(KernelOp kernel,
                                       llvm::ArrayRef<llvm::StringRef> names);

/// The pass loop-map-to-host, before loops are distributed: takes gufuncs for
/// products of matrices (Product.h), or lets the iterations of a `prange` that
/// could be flat on a GPU go in parts. If asked, marks those that have a kernel
/// of the form across (Across.h).
void mapToHost(mlir::ModuleOp module, bool isAcross = false);

struct HostOptions {
  /// Ufuncs get the streamed form instead of the contiguous one where possible.
  bool isStreamed = false;
  /// The elements of a vector in bodies with branches or loops; 0 lets the
  /// policy choose. For tests.
  unsigned lanes = 0;
};

/// How an innermost `prange` with loops inside runs on a CPU.
struct LoopUse {
  mlir::Location where;
  unsigned lanes = 1;         ///< iterations at once
  bool hasVectorSums = false; ///< sums inside are in vectors, where it is one

  /// Why it is one: a text after "one iteration at a time: ", in which "{0}" is
  /// the name at `culprit`.
  std::string obstacle = {};
  std::optional<mlir::Location> culprit = {};
};

/// How a kernel runs on a CPU.
struct VectorUse {
  unsigned lanes = 1; ///< the elements of a vector, or the loop elements

  /// Why a body with branches or loops runs element by element, to go on after
  /// "the body ". Of ufuncs alone.
  std::string obstacle;
  std::vector<LoopUse> loops = {}; ///< of a gufunc
};

/// For a kernel that is not distributed; it is left as it is.
VectorUse vectorUse(KernelOp kernel);

/// The pass loop-to-host: lowers every kernel of a module to llvm.funcs with
/// arith, math, cf and func.call operations.
void lowerToHost(mlir::ModuleOp module, HostOptions options = {});

} // namespace kern::ir::loop
