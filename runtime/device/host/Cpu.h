//===- Cpu.h - what the CPU is ----------------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <string>

namespace kern::runtime::host {

struct Cpu {
  std::string name;        ///< "AMD EPYC 9654 96-Core Processor"
  unsigned cores = 1;      ///< that this process may use
  uint64_t memory = 0;     ///< in bytes
  uint64_t memoryFree = 0; ///< bytes available without swapping
};

Cpu describeCpu();

struct ThreadSetting {
  unsigned count = 1;
  std::string problem; ///< what is wrong with the variable; "" if nothing
};

/// KERN_NUM_THREADS if it is a positive number, but at most KERN_MAX_THREADS.
/// If it is not set, the first number of OMP_NUM_THREADS, with which Dask and
/// job schedulers share a machine's cores among processes; else as many cores
/// as this process may run on. Takes the variables' values, or NULL.
ThreadSetting threadSetting(const char *kern, const char *openMp);

} // namespace kern::runtime::host
