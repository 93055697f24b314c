//===- Forms.h - the forms of GPU kernels -----------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToGPU/Operands.h"
#include "dialects/LoopToGPU/Policy.h"
#include "dialects/LoopToGPU/ScalarBody.h"
#include "dialects/LoopToLLVM/Body.h"
#include "dialects/LoopToLLVM/KernelFacts.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace kern::loop {

/// Where GPU kernels find their operands.
inline constexpr Memory globalMemory = {/*addressSpace=*/1,
                                        /*isAligned=*/true};

/// What policies ask about a kernel.
OperandShapes operandFacts(const KernelFacts &kernel);

/// Starts a kernel `<symbol>__<form>` with `parameters` at the builder's place
/// and goes to its entry block; `block` bounds its threads per block. Where
/// `kernel.entry.waits`, nothing that it does with memory comes before what ran
/// before it in its stream.
mlir::LLVM::LLVMFuncOp beginKernel(KernelBuilder &b, const KernelFacts &kernel,
                                   mlir::StringRef form,
                                   mlir::ArrayRef<mlir::Type> parameters,
                                   unsigned block);

/// The same for a ufunc with these parameters. Where it is `disjoint`, its
/// pointers say that nothing else reaches what they point to, and unless it
/// waits those of inputs that nothing is written through them: LLVM then reads
/// through the path whose caches nothing keeps up to date, for which a kernel
/// must not start before its inputs are written.
mlir::LLVM::LLVMFuncOp beginUfunc(KernelBuilder &b, const KernelFacts &kernel,
                                  mlir::StringRef form, ParameterCounts counts,
                                  unsigned block, bool disjoint);

/// Registers of the thread, as i64.
struct ThreadPlace {
  explicit ThreadPlace(KernelBuilder &b);
  mlir::Value thread; ///< in its block, along x
  mlir::Value block;
};

/// An index over `extents` (the first varies fastest), as one sum of index
/// times stride for each row of `strides`. Leaves early, by a uniform branch,
/// where all further extents are 1.
llvm::SmallVector<mlir::Value>
offsets(KernelBuilder &b, mlir::Value index,
        mlir::ArrayRef<mlir::Value> extents,
        mlir::ArrayRef<llvm::SmallVector<mlir::Value>> strides);

/// The input whose scalar flag may be set: its words' value, or the element at
/// `address`. Branches by the flag alone.
mlir::Value scalarOrElement(KernelBuilder &b, mlir::Type element,
                            mlir::Value isScalar,
                            mlir::ArrayRef<mlir::Value> words,
                            mlir::Value address);

/// Runs `iteration` for the i32 numbers from 0 to before `count`, in a loop
/// that is not unrolled; goes on behind it.
void countedLoop(KernelBuilder &b, mlir::Value count,
                 llvm::function_ref<void(mlir::Value)> iteration);

/// All loads so far stay before what follows: LLVM would move one behind the
/// first branch of a body that does not use it yet, and what could wait at once
/// would wait in turn.
void holdLoads(KernelBuilder &b);

/// Bit `index` of a word, as i1.
mlir::Value bit(KernelBuilder &b, mlir::Value word, unsigned index);

/// What an entry point calls.
struct Bodies {
  mlir::LLVM::LLVMFuncOp body;
  ScalarBody scalars; ///< none where the kernel has no scalar work
};

/// Each makes one entry point that calls `body`. The code of one for `disjoint`
/// operands assumes that nothing writes the inputs while it runs.
void emitContiguous(KernelBuilder &b, const KernelFacts &kernel,
                    const Bodies &bodies, bool disjoint,
                    unsigned computeCapability);
void emitInner(KernelBuilder &b, const KernelFacts &kernel,
               mlir::LLVM::LLVMFuncOp body, bool disjoint);
void emitStrided(KernelBuilder &b, const KernelFacts &kernel,
                 mlir::LLVM::LLVMFuncOp body, bool disjoint);
void emitTiled(KernelBuilder &b, const KernelFacts &kernel,
               mlir::LLVM::LLVMFuncOp body, bool disjoint);
void emitGeneral(KernelBuilder &b, const KernelFacts &kernel,
                 mlir::LLVM::LLVMFuncOp body);

} // namespace kern::loop
