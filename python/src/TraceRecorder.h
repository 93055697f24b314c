//===- TraceRecorder.h - keeps what the library tells of --------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "kern/trace.h"

#include <mutex>
#include <string>
#include <vector>

namespace kern::python {

/// A trace that keeps its events until they are taken. No Python code runs when
/// the library tells of one: it may hold locks then, for which a thread may
/// wait that holds Python's. Threads: any.
class TraceRecorder {
public:
  /// An event that outlives the callback.
  struct Event {
    kern_trace_event told;
    std::string step, name;
    unsigned long thread; ///< as threading.get_ident() has it
  };

  TraceRecorder() = default;
  TraceRecorder(const TraceRecorder &) = delete;
  TraceRecorder &operator=(const TraceRecorder &) = delete;
  ~TraceRecorder() { stop(); }

  /// From now on events are kept; a second time this is nothing.
  kern_status start();
  void stop();
  /// The events since the last time.
  std::vector<Event> take();

private:
  static void keep(void *recorder, const kern_trace_event *event) noexcept;

  std::mutex state; ///< of `trace`
  kern_trace *trace = nullptr;
  std::mutex mutex; ///< of `events`
  std::vector<Event> events;
};

} // namespace kern::python
