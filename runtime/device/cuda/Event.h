//===- Event.h - events -----------------------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/device/cuda/Context.h"

namespace kern::runtime::cuda {

/// A mark in a stream that can be waited for. For a context that outlives it
/// and is current at each use.
class Event {
public:
  static Expected<Event> create(const Context &context);
  Event() = default;
  Event(Event &&other) noexcept;
  Event &operator=(Event &&other) noexcept;
  ~Event();
  Status record(CUstream stream);
  /// Returns at once if nothing was recorded.
  Status wait() const;
  /// What is enqueued on `stream` from now on begins after the mark.
  Status precede(CUstream stream) const;

private:
  const Driver *driver = nullptr;
  CUevent event = nullptr;
};

} // namespace kern::runtime::cuda
