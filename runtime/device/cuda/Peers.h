//===- Peers.h - GPUs that reach one another's memory -----------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/device/cuda/Context.h"

#include <mutex>
#include <set>

namespace kern::runtime::cuda {

/// The GPUs that a context has been connected with.
class Peers : public ContextResource {
public:
  /// Context::resource() makes it.
  explicit Peers(const Context &) {}
  /// Lets two GPUs copy directly between their memory, if the machine allows
  /// it, and the process has not done so yet. Nothing fails: where it cannot
  /// be, the driver copies in another way. `self` is the owner of this.
  void connect(const Context &self, const Context &peer);

private:
  std::mutex mutex;
  std::set<std::string> known; ///< Context::key() of each
};

} // namespace kern::runtime::cuda
