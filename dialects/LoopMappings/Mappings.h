//===- Mappings.h - kernels of a mapping ------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The description of a gufunc's loops, and the pass loop-map, which makes the
// kernel of one mapping. The distribution of its loops over lanes follows
// (docs/explanation/mappings.md).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"
#include "runtime/artefact/Nest.h"

namespace kern::ir::loop {

/// Maps the loops of a gufunc, as far as its nest allows; leaves a ufunc alone.
/// With `asUfunc`, a kernel whose nest is elementwise becomes a ufunc. With
/// `hasWarpgroups`, the GPU is an sm_90a.
void applyMapping(KernelOp kernel, kern::runtime::Mapping mapping, bool asUfunc,
                  bool hasWarpgroups = false);

/// Whether lanes can go across loop elements: no branches surround the loops
/// that they share, and there are no scans beside others of these.
bool canGoAcross(KernelOp kernel);

/// Whether kernels of all mappings give the same bits where each adds in the
/// same order: none of a flat kernel's sums leaves it to the rest of the kernel
/// whether it is contracted with a product, or with which.
bool roundsAlike(KernelOp flattened);

//===--- Nest.cpp -------------------------------------------------------===//
/// Describes the loops of a gufunc and leaves the kernel unchanged. Call it
/// before loop-map and loop-distribute. The description of a ufunc, or of a
/// kernel with checks, is empty.
kern::runtime::Nest nestOf(KernelOp kernel);

} // namespace kern::ir::loop
