//===- LinkRates.h - how fast a GPU is reached ------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/device/cuda/Context.h"
#include "runtime/plan/Placement.h"

#include <mutex>

namespace kern::runtime {

/// The rates of a GPU and of the machine around it, measured once. The cache
/// keeps them for the GPU, its driver, the CPU and the number of threads.
class LinkRates : public cuda::ContextResource {
public:
  /// Context::resource() makes it.
  explicit LinkRates(cuda::Context &context) : context(context) {}

  /// Those that were measured, else measures them, which takes some 0.1 s.
  /// Thread-safe.
  Expected<MachineRates> get();
  /// Nothing if they were not measured yet.
  Expected<std::optional<MachineRates>> known();

private:
  Expected<std::optional<MachineRates>> lookUp();

  cuda::Context &context;
  std::mutex mutex;
  std::optional<MachineRates> rates;
  unsigned threads = 0; ///< those that they were measured for
};

} // namespace kern::runtime
