//===- EmitCheck.h - a check as control flow --------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"
#include "dialects/LoopToLLVM/KernelBuilder.h"

namespace kern::ir::loop {

/// The words of a launch's record. The first word is 0, or one plus the number
/// of the check that failed first. The values of that check follow
/// (docs/explanation/kernel-abi.md).
inline constexpr unsigned recordWords = 32;

/// Emits a check in a kernel's body, at the builder's insertion point. If its
/// condition is false, the code fills the record unless it is filled already,
/// and returns zeros. Otherwise it continues in a new block.
void emitCheck(KernelBuilder &b, CheckOp check, mlir::Value record,
               mlir::Type resultType);

} // namespace kern::ir::loop
