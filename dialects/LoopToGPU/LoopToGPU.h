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

#include "runtime/artefact/Nest.h"

#include "mlir/IR/BuiltinOps.h"

namespace kern::ir::loop {

/// Which forms of a ufunc to make. A gufunc has only the general form, for
/// calls with up to `loopDims` loop dimensions and with such groups of lanes.
struct KernelForms {
  bool contiguous = true;
  bool strided = true;
  bool inner = false;
  bool tiled = false;
  /// Make each form for operands that may be one and the same array, and
  /// for outputs that share no memory with an input.
  bool inPlace = true;
  bool disjoint = false;
  unsigned loopDims = 6;
  kern::runtime::Groups groups = kern::runtime::Groups::Any;
};

/// The pass loop-to-gpu: lowers every kernel of a module to llvm.funcs with
/// arith, math, cf and func.call operations. The kernels must be distributed.
/// The code is for GPUs of this compute capability (75 for sm_75) or later.
void lowerToGpu(mlir::ModuleOp module, KernelForms forms,
                unsigned computeCapability);

} // namespace kern::ir::loop
