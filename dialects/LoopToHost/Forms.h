//===- Forms.h - the forms of host kernels ----------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Body.h"
#include "dialects/Loop/KernelFacts.h"
#include "dialects/LoopToHost/Policy.h"

namespace kern::loop {

/// Where host kernels find their operands: wherever their owner put them.
inline constexpr Memory hostMemory = {/*addressSpace=*/0, /*isAligned=*/false};

/// Starts an entry point at the builder's place and hands out its words.
class EntryWords {
public:
  /// `<symbol>__<form>`, for blocks of `elements`.
  EntryWords(Emitter &b, const KernelFacts &kernel, mlir::StringRef form,
             unsigned elements);
  mlir::Value integer() { return next(b.getI64Type()); }
  mlir::Value pointer() { return next(b.pointerType()); }

private:
  mlir::Value next(mlir::Type type);

  Emitter &b;
  mlir::Value words;
  int32_t position = 0;
};

/// Facts about a body that moveBody has made.
VectorFacts vectorFacts(mlir::LLVM::LLVMFuncOp body);
/// Facts about one iteration of a loop in it; the first block is the loop's
/// header. Integers count where they come from memory or are carried, but not
/// where they may be indices.
VectorFacts vectorFacts(mlir::ArrayRef<mlir::Block *> loop);

/// Each makes one entry point that calls `body`. Ufuncs: contiguous blocks, or
/// one element at a time for a body with loops. Gufuncs: the general form.
void emitUfunc(Emitter &b, const KernelFacts &kernel,
               mlir::LLVM::LLVMFuncOp body);
void emitGufunc(Emitter &b, const KernelFacts &kernel,
                mlir::LLVM::LLVMFuncOp body);

} // namespace kern::loop
