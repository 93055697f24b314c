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
#include "dialects/LoopToGPU/Threads.h"
#include "dialects/LoopToLLVM/Body.h"
#include "dialects/LoopToLLVM/KernelFacts.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace kern::ir::loop {

/// The memory of GPU operands.
inline constexpr Memory globalMemory = {/*addressSpace=*/1,
                                        /*isAligned=*/true,
                                        /*constantSpace=*/4};

/// The facts about a kernel that Policy.h needs.
OperandShapes operandFacts(const KernelFacts &kernel);

/// Starts a kernel `<symbol>__<suffix>` with `parameters` at the builder's
/// insertion point, and continues in its entry block. With
/// `kernel.entry.waits`, the kernel waits for earlier work in its stream before
/// it accesses memory.
mlir::LLVM::LLVMFuncOp beginKernel(KernelBuilder &b, const KernelFacts &kernel,
                                   mlir::StringRef suffix,
                                   mlir::ArrayRef<mlir::Type> parameters,
                                   BlockLimit limit);

/// Likewise for a ufunc with these parameters. With `disjoint`, its pointers
/// are `noalias`. Input pointers are also `readonly` unless the kernel waits:
/// LLVM then reads through the non-coherent cache, so the inputs must be
/// written before the kernel starts.
mlir::LLVM::LLVMFuncOp beginUfunc(KernelBuilder &b, const KernelFacts &kernel,
                                  runtime::Form form, ParameterCounts counts,
                                  unsigned block, bool disjoint);

/// The launch's dynamic shared memory, at a multiple of `alignment`.
mlir::Value dynamicSharedMemory(KernelBuilder &b, unsigned alignment = 16);

/// The thread's position, as i64.
struct ThreadPlace {
  explicit ThreadPlace(KernelBuilder &b);
  mlir::Value thread; ///< in its block, along x
  mlir::Value block;
};

/// What a thread of a general kernel works on.
struct Work {
  mlir::Value item; ///< a loop element, or an iteration of one in a flat kernel
  mlir::Value lane;
  mlir::Value isInside; ///< the item exists; null if its code runs in any case
  mlir::Value slot;     ///< the number of its memory for local arrays
};

/// The work of a thread in block `block` of the grid, of `count` items; `group`
/// lanes share each, unless the mapping says otherwise.
Work findWork(KernelBuilder &b, const runtime::Mapping &mapping,
              mlir::Value block, mlir::Value count, mlir::Value group);

/// Splits an index over `extents`, of which the first varies fastest. Gives the
/// sum of index times stride for each row of `strides`, which may have more. A
/// uniform branch exits early if all further extents are 1.
llvm::SmallVector<mlir::Value>
offsets(KernelBuilder &b, mlir::Value index,
        mlir::ArrayRef<mlir::Value> extents,
        mlir::ArrayRef<llvm::SmallVector<mlir::Value>> strides);

/// The value of an input: of a scalar the one in its words, of a range the
/// number at `address`, else the element there. The branch depends on the
/// scalar's flag alone.
mlir::Value scalarOrElement(KernelBuilder &b, const EntryOperand &input,
                            mlir::Value address);

/// Emits a loop over the i32 numbers from 0 up to, but not including, `count`.
/// It is not unrolled. The builder continues after it.
void countedLoop(KernelBuilder &b, mlir::Value count,
                 llvm::function_ref<void(mlir::Value)> iteration);

/// Keeps all loads so far in front of the code that follows. LLVM would sink a
/// load below a branch in front of its first use, and loads would no longer
/// overlap.
void holdLoads(KernelBuilder &b);

/// Bit `index` of a word, as i1.
mlir::Value bit(KernelBuilder &b, mlir::Value word, unsigned index);

/// The functions that an entry point calls.
struct Bodies {
  mlir::LLVM::LLVMFuncOp body;
  ScalarBody scalars; ///< empty if the kernel has no scalar work
};

/// Each emits one entry point that calls `body`. With `disjoint`, its code
/// assumes that nothing writes the inputs while it runs.
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
                 mlir::LLVM::LLVMFuncOp body, unsigned loopDims);

} // namespace kern::ir::loop
