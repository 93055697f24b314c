//===- LoopToGPU.h - kernels for the GPU ------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns each distributed loop.kernel into a body function and PTX entry points
// with the parameters of docs/explanation/kernel-abi.md. A ufunc has
// `<kernel>__contiguous`, `__inner`, `__tiled` and `__strided`. Forms for
// disjoint operands end in `_disjoint`. A gufunc has `<kernel>__general`.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToLLVM/UfuncForms.h"

#include "mlir/IR/BuiltinOps.h"

namespace kern::ir::loop {

/// The pass loop-to-gpu: lowers every kernel of a module to llvm.funcs with
/// arith, math, cf and func.call operations. The kernels must be distributed.
/// The code is for GPUs of this compute capability (75 for sm_75) or later.
void lowerToGpu(mlir::ModuleOp module, UfuncForms forms,
                unsigned computeCapability);

} // namespace kern::ir::loop
