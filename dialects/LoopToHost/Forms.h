//===- Forms.h - the forms of host kernels ----------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToHost/LoopToHost.h"
#include "dialects/LoopToHost/Policy.h"
#include "dialects/LoopToLLVM/Body.h"
#include "dialects/LoopToLLVM/KernelFacts.h"

namespace kern::ir::loop {

/// The core extents of each operand of a gufunc, the inputs' first.
using CoreShapes = llvm::SmallVector<llvm::SmallVector<int64_t>>;

/// The memory of host operands, which need not be aligned.
inline constexpr Memory hostMemory = {/*addressSpace=*/0, /*isAligned=*/false};

/// Adds an entry point `<symbol>__<form>` at the builder's insertion point, for
/// blocks of `elements`, of which `lanes` are computed at once. The builder
/// continues in it.
mlir::LLVM::LLVMFuncOp startEntry(KernelBuilder &b, const KernelFacts &kernel,
                                  runtime::Form form, unsigned elements,
                                  unsigned lanes);

/// Reads the words of an entry point in order.
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

/// The estimated number of simple operations of a distributed kernel for one
/// loop element, at least 1. Divisions and library calls count as several. A
/// loop's body counts once for each iteration. If the number of iterations is
/// not constant, a ufunc's loop counts as a fixed number of them. A gufunc's
/// loop then counts as one: it mostly runs along core dimensions, which are
/// known at the call.
int64_t operationsOf(KernelOp kernel);

/// Whether an integer is only widened to be compared with constants, as u32 are
/// with whole numbers of any type. LLVM compares what it was, so its width does
/// not count.
bool isWidenedToCompare(mlir::Operation &op);

/// Facts about a body that moveBody() has made.
VectorFacts vectorFacts(mlir::LLVM::LLVMFuncOp body);
/// Facts about one iteration of a loop in such a body. The first block is the
/// loop's header. Integers count if they are loaded, stored or loop-carried;
/// others may be indices and do not count.
VectorFacts vectorFacts(mlir::ArrayRef<mlir::Block *> loop);

/// Writes out saturating conversions of f32 and f64 to integers, but for bool:
/// LLVM would convert the elements of a vector one by one.
void clampConversions(mlir::LLVM::LLVMFuncOp body);

/// Lets ways that end with stores to the same element meet before one store, of
/// a choice: two masked stores take longer.
void joinStores(mlir::LLVM::LLVMFuncOp body);

/// Each emits one entry point that calls `body`. A ufunc works on contiguous
/// blocks, or on one element at a time if the body has checks, or loops that
/// cannot run in vectors across elements. It has the streamed form if the
/// options ask for it, the body has one block, and each result's blocks are
/// whole cache lines. A gufunc has the general form; with few constant
/// constant `shapes` it runs in vectors across loop elements where it can.
void emitUfunc(KernelBuilder &b, const KernelFacts &kernel,
               mlir::LLVM::LLVMFuncOp body, HostOptions options);
void emitGufunc(KernelBuilder &b, const KernelFacts &kernel,
                mlir::LLVM::LLVMFuncOp body,
                const std::optional<CoreShapes> &shapes, HostOptions options);

/// Puts the loops of a gufunc's body in vectors along core dimensions, and
/// returns the body for unit strides, which may be the same.
mlir::LLVM::LLVMFuncOp vectoriseCore(KernelBuilder &b,
                                     const KernelFacts &kernel,
                                     mlir::LLVM::LLVMFuncOp body,
                                     HostOptions options);

} // namespace kern::ir::loop
