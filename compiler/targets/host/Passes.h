//===- Passes.h - passes over LLVM IR for the CPU ---------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All of them but makeLinkable() run inside optimize(), in this order.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/targets/Target.h"
#include "compiler/targets/host/VectorFunctions.h"

namespace kern::host {

/// LLVM's O3 with the loop vectoriser, for the machine's CPU, with vector
/// functions in place of scalar ones.
void optimize(llvm::Module &module, llvm::TargetMachine &machine);

/// Replaces every fptrunc of f32 to bf16 by integer arithmetic that rounds to
/// nearest, ties to even, also subnormal numbers, and whatever else is done
/// with bf16 (fpext, comparisons, minimum and maximum) by the same in f32.
/// x86's own instructions take those for zero, and without them LLVM calls a
/// function of the compiler's run-time library for each element. Runs before
/// any optimisation, which might else find arithmetic on bf16 itself.
void expandBFloat(llvm::Module &module);

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

/// Makes the stores of functions with LoopToHost's `kern-streams` non-temporal,
/// as that attribute allows, but for those to the function's own memory, and
/// puts a fence before each return: what was written is there for whoever is
/// told so afterwards. Runs after all that makes vectors of loops, since LLVM
/// makes none of stores that are so marked.
void streamStores(llvm::Module &module);

/// Makes an optimised module one that a linker takes: elementary functions
/// have the C library's names, kernels are reached through one kern_native_code
/// alone (kern/native.h), and what LLVM may call for bf16 is inside.
void makeLinkable(llvm::Module &module, const ObjectDescription &description);

} // namespace kern::host
