//===- Affine.h - how indices follow from loops -----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"

#include <optional>

namespace kern::ir::loop {

/// The number of an operand of a kernel (inputs, then outputs) by its array;
/// nothing for an array that is local.
std::optional<unsigned> operandOf(KernelOp kernel, mlir::Value array);

/// The step of an index for each index of a nest (Nest::Access): the kernel's
/// flat indices and, if `inner` is not null, the index `inner` of a loop, which
/// advances by `step`. Nothing if the step depends on data.
std::optional<llvm::SmallVector<int64_t>>
stepsOf(KernelOp kernel, mlir::Value index, mlir::Value inner, int64_t step);

} // namespace kern::ir::loop
