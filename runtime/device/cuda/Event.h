//===- Event.h - events -----------------------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/device/cuda/Driver.h"

namespace kern::runtime::cuda {

class Context;

/// A mark in a stream that can be waited for. For a context that outlives it
/// and is current at each use.
class Event {
public:
  /// With `isTimed`, millisecondsSince() can be asked for.
  static Expected<Event> create(const Context &context, bool isTimed = false);
  Event() = default;
  Event(Event &&other) noexcept;
  Event &operator=(Event &&other) noexcept;
  ~Event();
  explicit operator bool() const { return event != nullptr; }
  CUevent handle() const { return event; }
  Status record(CUstream stream);
  /// Returns at once if nothing was recorded.
  Status wait() const;
  /// Whether everything before the mark is complete; true if nothing was
  /// recorded.
  Expected<bool> isComplete() const;
  /// What is enqueued on `stream` from now on begins after the mark.
  Status precede(CUstream stream) const;
  /// Of two timed events that are complete.
  Expected<float> millisecondsSince(const Event &begin) const;

private:
  const Driver *driver = nullptr;
  CUevent event = nullptr;
};

} // namespace kern::runtime::cuda
