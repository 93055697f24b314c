//===- HostThreads.h - how many threads a loop is worth ---------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pure functions from estimates of a loop's work to a number of threads.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/artefact/Manifest.h"

#include <cstdint>

namespace kern::runtime {

/// The work of one loop on the host.
struct HostWork {
  int64_t elements = 0;   ///< of the loop
  unsigned kernel = 0;    ///< KernelInfo::work
  int64_t perElement = 1; ///< indices of core dimensions; 1 for a ufunc
  unsigned packed = 0;    ///< operands whose elements go through a buffer
  int64_t bytes = 0;      ///< that it reads and writes; 0: not known
};

/// The estimated time of one core in picoseconds, saturated at INT64_MAX: of
/// what it computes, or of the bytes that it moves, whichever is longer.
int64_t picoseconds(const HostWork &work);

/// How many of `available` threads to use for this much work.
unsigned hostThreads(int64_t picoseconds, unsigned available);

/// How many of them to use for a copy of so many bytes from memory to memory.
unsigned copyThreads(int64_t bytes, unsigned available);

/// In how many parts each of `elements` loop elements goes, so that `threads`
/// share the work evenly.
unsigned hostParts(int64_t elements, unsigned threads);

} // namespace kern::runtime
