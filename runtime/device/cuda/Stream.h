//===- Stream.h - streams of our own ----------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/device/cuda/Context.h"

namespace kern::runtime::cuda {

/// A stream that does not wait for the default stream. For a context that
/// outlives it and is current at each use.
class Stream {
public:
  static Expected<Stream> create(const Context &context);
  Stream() = default;
  Stream(Stream &&other) noexcept;
  Stream &operator=(Stream &&other) noexcept;
  ~Stream();
  CUstream handle() const { return stream; }
  /// Returns when everything that was enqueued there is complete.
  Status synchronize() const;

private:
  const Driver *driver = nullptr;
  CUstream stream = nullptr;
};

} // namespace kern::runtime::cuda
