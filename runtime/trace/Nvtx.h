//===- Nvtx.h - ranges for a profiler ---------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <string>

namespace kern::runtime {

/// The ranges of NVTX 3, by which tools such as Nsight Systems show what a
/// thread does. The tool's library is the one that NVTX_INJECTION64_PATH names.
/// Thread-safe.
class Nvtx {
public:
  /// Loads the tool when it is first called. NULL if there is none, or if it
  /// does not take ranges of domains.
  static const Nvtx *shared();

  /// Begins a range of this thread, inside those that it has begun. `amount`
  /// is shown with it; 0 is not.
  void push(const std::string &name, uint64_t amount) const;
  /// Ends the one that was begun last.
  void pop() const;

private:
  Nvtx() = default;
  static const Nvtx *load();

  void *domain = nullptr;
};

} // namespace kern::runtime
