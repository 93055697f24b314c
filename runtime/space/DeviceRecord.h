//===- DeviceRecord.h - a record of checks on a GPU -------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/device/cuda/Context.h"
#include "runtime/space/CheckRecord.h"

#include <memory>

namespace kern::runtime {

/// A CheckRecord in device memory, for the launches of one call on a stream.
/// The context must be current.
class DeviceRecord {
public:
  /// Zeroed in stream order. KERN_ERROR_ARGUMENT while the stream is captured,
  /// since the record is read after the launch.
  static Expected<DeviceRecord> make(std::shared_ptr<cuda::Context> context,
                                     CUstream stream);
  /// The word that a kernel takes for it.
  int64_t address() const {
    return int64_t(reinterpret_cast<uintptr_t>(memory.data()));
  }
  /// Waits for all work enqueued on the stream.
  Expected<CheckRecord> read() const;

private:
  std::shared_ptr<cuda::Context> context;
  CUstream stream = nullptr;
  Buffer memory; ///< freed in the order of the stream
};

} // namespace kern::runtime
