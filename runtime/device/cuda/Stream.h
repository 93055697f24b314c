//===- Stream.h - streams of our own ----------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/device/cuda/Context.h"

namespace kern::runtime::cuda {

/// A stream that does not wait for the default stream, or a view of the
/// caller's. The context's table knows it. For a context that outlives it and
/// is current at each use.
class Stream {
public:
  static Expected<Stream> create(Context &context);
  /// A view of a stream that the caller ends after it.
  static Expected<Stream> view(Context &context, CUstream stream);
  Stream() = default;
  Stream(Stream &&other) noexcept;
  Stream &operator=(Stream &&other) noexcept;
  /// Waits for nothing: what was enqueued is still done.
  ~Stream();
  CUstream handle() const { return stream; }
  /// Returns when everything that was enqueued there is complete.
  Status synchronize() const;
  Expected<bool> isComplete() const;

private:
  Context *context = nullptr;
  CUstream stream = nullptr;
  bool isOwn = false;
  StreamTable::Stream known;
};

} // namespace kern::runtime::cuda
