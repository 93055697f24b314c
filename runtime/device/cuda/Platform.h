//===- Platform.h - the GPUs of this machine --------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/device/cuda/Context.h"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace kern::runtime::cuda {

/// The context that Context::ensureCurrent() made current in this thread, which
/// had none; NULL if it did not.
CUcontext madeCurrent();

/// The driver and the contexts opened so far. Thread-safe.
class Platform {
public:
  /// Initialises the driver. Never fails: without a usable device the count is
  /// 0 and `unavailableReason` says why.
  explicit Platform(Expected<std::shared_ptr<const Driver>> driver);

  /// The process's platform, loaded when first asked for.
  static std::shared_ptr<Platform> current();
  /// Puts another in its place (a test double) and returns the old one.
  static std::shared_ptr<Platform> exchange(std::shared_ptr<Platform> other);
  /// Changes whenever current() does. Plans of another generation are invalid.
  static uint64_t generation();

  /// 0 in a process that was forked from one that had used CUDA.
  int deviceCount() const { return isForked() ? 0 : int(capabilities.size()); }
  const std::string &unavailableReason() const;

  /// KERN_ERROR_NOT_FOUND, with the reason, for a device that does not exist;
  /// KERN_ERROR_DEVICE or KERN_ERROR_MEMORY if it cannot be opened.
  Expected<std::shared_ptr<Context>> context(int ordinal);

  /// The first GPU that can run Kern's code, or the host where there is none.
  DLDevice firstDevice() const;
  /// Every GPU that can run Kern's code. Fails as context() does, and where
  /// there is none.
  Expected<std::vector<std::shared_ptr<Context>>> all();
  /// The number of the GPU whose context is this thread's current one, unless
  /// Context::ensureCurrent() made it so; else of the first; 0 where there is
  /// none.
  int currentOrdinal() const;

private:
  std::shared_ptr<const Driver> driver;
  std::string reason;
  std::vector<int> capabilities; ///< compute capability of each device
  std::mutex mutex;
  std::vector<std::shared_ptr<Context>> contexts;
};

} // namespace kern::runtime::cuda
