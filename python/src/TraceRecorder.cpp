//===- TraceRecorder.cpp - keeps what the library tells of ----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TraceRecorder.h"

#include <Python.h>
#include <utility>

using namespace kern::python;

kern_status TraceRecorder::start() {
  std::lock_guard lock(state);
  return trace ? KERN_OK : kern_trace_start(keep, this, &trace);
}

void TraceRecorder::stop() {
  std::lock_guard lock(state);
  kern_trace_stop(std::exchange(trace, nullptr));
}

std::vector<TraceRecorder::Event> TraceRecorder::take() {
  std::lock_guard lock(mutex);
  return std::exchange(events, {});
}

void TraceRecorder::keep(void *recorder,
                         const kern_trace_event *event) noexcept {
  auto &self = *static_cast<TraceRecorder *>(recorder);
  std::lock_guard lock(self.mutex);
  self.events.push_back(
      {*event, event->step, event->name, PyThread_get_thread_ident()});
}
