//===- Passes.h - passes over LLVM IR for the CPU ---------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All except makeLinkable() run inside optimize(), in this order.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/targets/Target.h"
#include "compiler/targets/host/VectorFunctions.h"

namespace llvm {
class DominatorTree;
class Function;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace kern::compiler::host {

/// Runs LLVM's O3 with the loop vectoriser for the machine's CPU. Vector
/// functions replace scalar ones.
void optimize(llvm::Module &module, llvm::TargetMachine &machine);

/// Replaces every fptrunc of f32 to bf16 by integer arithmetic that rounds to
/// nearest, ties to even, subnormal numbers included. Replaces other operations
/// on bf16 (fpext, comparisons, minimum and maximum) by those of f32. x86's own
/// instructions treat subnormal numbers as zero, and without them LLVM calls a
/// function of the compiler's runtime library for each element. Runs before any
/// optimisation, which might otherwise form arithmetic on bf16 itself.
void expandBFloat(llvm::Module &module);

/// Whether `module` calls an elementary function that has a vector function of
/// `unit`.
bool callsVectorFunctions(const llvm::Module &module, VectorUnit unit);

/// Tells LLVM's vectoriser the vector functions for the elementary functions
/// that `module` calls. Each has wrappers for all vector lengths of the loops
/// that LoopToHost makes.
void offerVectorFunctions(llvm::Module &module, VectorUnit unit);

/// Whether it is one of the functions that offerVectorFunctions() makes.
bool isVectorWrapper(const llvm::Function &function);

/// Reads without a mask where loads that come before read elements of the same
/// array on both sides, or the same ones. Runs before vectorisation, when loops
/// with few iterations are unrolled. Returns whether there were any.
bool readWithoutMasks(llvm::Function &function, llvm::DominatorTree &dominators,
                      llvm::ScalarEvolution &scalars);

/// Replaces f64 that a loop counts with, such as `n += a < b`, by integers,
/// which are as exact: LLVM does not reorder sums of floats, so it would not
/// use vectors for such a loop. Returns whether there were any.
bool countInIntegers(const llvm::LoopInfo &loops);

/// Copies each loop that carries minima or maxima of floats by comparisons, and
/// does nothing else, to one that LLVM's vectoriser may reorder. The loop runs
/// again, in order, only if NaN or the sign of zero makes a difference. Returns
/// whether there were any.
bool splitRunningExtremes(const llvm::LoopInfo &loops);

/// Moves integer divisions that a loop does not change before the loop, whether
/// or not an iteration comes to them. LLVM's vectoriser computes such a
/// division only if the first of several iterations comes to it, and uses it in
/// all of them. Returns whether it moved any.
bool hoistDivisions(const llvm::LoopInfo &loops);

/// Hides from LLVM's vectoriser that an index of few bits counts, as `i % 4`
/// does: for that it makes vectors of elements side by side that run only if
/// the index does not begin again. Returns whether there were any.
bool hideWrappedIndices(llvm::Function &function, const llvm::LoopInfo &loops,
                        llvm::ScalarEvolution &scalars);

/// Copies each vector loop whose last vector is masked to one for whole
/// vectors, which has no masks. Runs after vectorisation. Returns whether there
/// were any.
bool splitWholeVectors(llvm::DominatorTree &dominators, llvm::LoopInfo &loops);

/// Divides vectors of integers of up to 32 bits as floats, exactly, and short
/// ones of bytes by constants in 16 bits. Runs after vectorisation. Returns
/// whether there were any.
bool divideVectors(llvm::Function &function);

/// Writes out llvm.minimum and llvm.maximum by x86's instructions, shorter than
/// LLVM does: a scalar's sign would pass through an integer register. Runs
/// after vectorisation, which knows the intrinsics. Returns whether there were
/// any.
bool expandExtremes(llvm::Function &function);

/// Runs after vectorisation. Calls that stayed scalar use the vector function
/// as well, so that a result does not depend on the element's place in an
/// array. Lets wrappers be inlined and removed.
void settleVectorFunctions(llvm::Module &module);

/// Passes masks on from block to block as integers as wide as what they are
/// for. LLVM would make short ones of them, for CPUs without registers for
/// masks, and widen them again in each block. Returns whether there were any.
bool widenMasks(llvm::Function &function);

/// Makes the wide stores of functions with LoopToHost's `kern-streams`
/// non-temporal, except those to the function's own memory. Adds a fence before
/// each return, so that the results are visible to whoever learns of the
/// return. Runs after vectorisation: LLVM does not vectorise non-temporal
/// stores.
void streamStores(llvm::Module &module);

/// Prepares an optimised module for a linker. Elementary functions get the C
/// library's names. Kernels become internal, and one kern_native_code
/// (kern/native.h) gives access to them. The function that LLVM may call for
/// bf16 is defined inside.
void makeLinkable(llvm::Module &module, const ObjectDescription &description);

} // namespace kern::compiler::host
