//===- HostLoop.h - loops around a host kernel ------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/launch/CodeSource.h"
#include "runtime/plan/Words.h"

namespace kern {

/// Runs `entry`, the code of `kernel`, over the whole of `layout` (not empty),
/// in tiles that fit the caches, on as many threads as the work pays for.
/// `workPerElement` is about how many elements one loop element touches (1 for
/// a ufunc). `operands` have their loop strides innermost first. Returns the
/// number of threads.
///
/// `scratch` has the bytes of each slot of the kernel, which a thread uses for
/// one loop element after the other; without memory for them
/// KERN_ERROR_MEMORY, with some results written.
Expected<unsigned> runHostLoop(HostEntry entry, const KernelInfo &kernel,
                               const Layout &layout,
                               std::span<const int64_t> dims,
                               std::span<const KernelOperand> operands,
                               int64_t workPerElement,
                               std::span<const size_t> scratch = {});

/// True if one call of the kernel does the whole: one dimension, too little
/// work for threads or tiles, and nothing to be packed, splat or padded.
bool isOneRun(const KernelInfo &kernel, const Layout &layout,
              std::span<const KernelOperand> operands, int64_t workPerElement);

/// The words of that call.
KernelWords wordsOfOneRun(const KernelInfo &kernel, const Layout &layout,
                          std::span<const int64_t> dims,
                          std::span<const KernelOperand> operands);

} // namespace kern
