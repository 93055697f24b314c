//===- ThreadCount.h - how many threads a process uses ----------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <string>

namespace kern::host {

struct ThreadSetting {
  unsigned count = 1;
  std::string problem; ///< what was wrong with the variable; "" if nothing
};

/// KERN_NUM_THREADS if it is a positive number, but at most 1024; else as many
/// cores as this process may run on. `value` is the variable's, or NULL.
ThreadSetting threadSetting(const char *value);

} // namespace kern::host
