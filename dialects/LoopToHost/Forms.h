//===- Forms.h - the forms of host kernels ----------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToHost/Policy.h"
#include "dialects/LoopToLLVM/Body.h"
#include "dialects/LoopToLLVM/KernelFacts.h"

namespace kern::loop {

/// Where host kernels find their operands: wherever their owner put them.
inline constexpr Memory hostMemory = {/*addressSpace=*/0, /*isAligned=*/false};

/// An entry point `<symbol>__<form>` at the builder's place, for blocks of
/// `elements`, of which `lanes` are computed at once; the builder goes on in
/// it.
mlir::LLVM::LLVMFuncOp startEntry(KernelBuilder &b, const KernelFacts &kernel,
                                  mlir::StringRef form, unsigned elements,
                                  unsigned lanes);

/// Hands out the words of an entry point one by one.
class EntryWords {
public:
  EntryWords(KernelBuilder &b, mlir::LLVM::LLVMFuncOp function)
      : b(b), words(function.getArgument(0)) {}
  mlir::Value integer() { return next(b.getI64Type()); }
  mlir::Value pointer() { return next(b.pointerType()); }

private:
  mlir::Value next(mlir::Type type);

  KernelBuilder &b;
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
/// one element at a time for a body with loops; streamed if that is asked for
/// and all results' blocks are whole cache lines. Gufuncs: the general form.
void emitUfunc(KernelBuilder &b, const KernelFacts &kernel,
               mlir::LLVM::LLVMFuncOp body, bool isStreamed);
void emitGufunc(KernelBuilder &b, const KernelFacts &kernel,
                mlir::LLVM::LLVMFuncOp body);

} // namespace kern::loop
