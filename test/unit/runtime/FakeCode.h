//===- FakeCode.h - functions to call, written in C++ -----------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A code source for tests, whose host kernels are C++ functions and whose GPU
// kernels run on FakeDriver. Written from docs/explanation/kernel-abi.md alone.
// Kernels of f64 say that they wait themselves for the one before them.
//
//   add     ufunc   T, T -> T                 f32, f64; contiguous and strided
//   both    ufunc   T, T -> (sum, difference) i32
//   isneg   ufunc   f64 -> bool
//   total   gufunc  (n)->()                   f64; on GPUs also with a number
//                                             to begin with, and a mask
//   largest gufunc  (n)->(), n not 0          f64
//   matmul  gufunc  (m,k),(k,n)->(m,n)        f64
//   scale   gufunc  inout x: (n), factor      f64
//   tile    gufunc  x, n: dim -> (n)          f64
//   twice   generic ufunc                     any type; host only
//   wide    ufunc   f32, f32 -> f32           as add, with accesses of 32 bytes
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/code/CodeSource.h"

#include <atomic>

namespace kern::test {

std::shared_ptr<runtime::CodeSource> makeFakeCode();

/// How often any kernel was requested.
extern std::atomic<int> kernelsMade;
/// Told of each result that the host's contiguous `add` writes, before it does.
extern void (*beforeAdd)(const void *result);
/// The last that was asked for.
extern thread_local runtime::KernelVariant lastWanted;
/// Whether the source says that it makes kernels for single calls.
extern thread_local bool makesKernelsForCalls;

} // namespace kern::test
