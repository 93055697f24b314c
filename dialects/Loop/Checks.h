//===- Checks.h - what a kernel and its calls check -------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"
#include "runtime/artefact/KernelFacts.h"

#include <vector>

namespace kern::ir::loop {

/// Appends a check to the kernel's and returns its number, that of its
/// `loop.check`.
int64_t addCheck(KernelOp kernel, const runtime::CheckInfo &check);
/// The checks in a kernel's `checks` attribute.
std::vector<runtime::CheckInfo> checksOf(std::optional<mlir::ArrayAttr> checks);
mlir::ArrayAttr checksAttribute(mlir::MLIRContext *context,
                                llvm::ArrayRef<runtime::CheckInfo> checks);

/// The extents in a kernel's `least_extents` attribute, and the attribute; null
/// without any.
std::vector<runtime::LeastExtent>
leastExtentsOf(std::optional<mlir::ArrayAttr> extents);
mlir::ArrayAttr
leastExtentsAttribute(mlir::MLIRContext *context,
                      llvm::ArrayRef<runtime::LeastExtent> extents);

} // namespace kern::ir::loop
