//===- VectorCalls.h - elementary functions in vector loops -----*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/targets/host/VectorFunctions.h"

namespace llvm {
class Module;
}

namespace kern::host {

/// Whether `module` calls an elementary function that has a vector function of
/// `unit`.
bool callsVectorFunctions(const llvm::Module &module, VectorUnit unit);

/// Tells LLVM's vectoriser which vector functions stand for the elementary
/// functions that `module` calls: for each, wrappers that take the lanes of
/// `unit`'s registers times any small power of two, or fewer.
void offerVectorFunctions(llvm::Module &module, VectorUnit unit);

/// After vectorising: calls that stayed scalar go through the vector function
/// as well, so that a value never depends on where in an array it stands; then
/// wrappers are inlined and forgotten.
void settleVectorFunctions(llvm::Module &module);

} // namespace kern::host
