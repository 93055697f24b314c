//===- EmitCheck.h - a check as blocks --------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"
#include "dialects/LoopToLLVM/KernelBuilder.h"

namespace kern::loop {

/// The record of a launch: a word that is 0, or the number of the check that
/// failed first plus one, and the words of its values
/// (docs/explanation/kernel-abi.md).
inline constexpr unsigned recordWords = 32;

/// At the builder's place, in the body of a kernel: fills the record at
/// `record` unless that is done, and returns zeros if `condition` is false.
/// Goes on in a new block if it is true.
void emitCheck(KernelBuilder &b, CheckOp check, mlir::Value record,
               mlir::Type resultType);

} // namespace kern::loop
