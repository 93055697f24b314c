//===- trace.hpp - what the library spends time on --------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A callback for compilations, the cache, transfers and launches. Included by
// kern.hpp.
//
//===----------------------------------------------------------------------===//
#ifndef KERN_TRACE_HPP
#define KERN_TRACE_HPP

#include "kern/elements.hpp"
#include "kern/trace.h"

#include <functional>
#include <memory>
#include <utility>

namespace kern {
inline namespace api {

using TraceKind = kern_trace_kind;
using TraceEvent = kern_trace_event;

/// Tells a callback of all work of the process while it lives:
///
///     std::atomic<int64_t> compiling = 0;
///     kern::Trace trace([&](const kern::TraceEvent &event) {
///       if (event.kind == KERN_TRACE_COMPILE)
///         compiling += event.end - event.begin;
///     });
///
/// kern_trace_callback says what the callback may do. If it throws, the
/// program ends.
class Trace {
public:
  using Callback = std::function<void(const TraceEvent &)>;

  explicit Trace(Callback told)
      : callback(std::make_unique<Callback>(std::move(told))) {
    kern_trace *made = nullptr;
    detail::check(kern_trace_start(tell, callback.get(), &made));
    handle.reset(made);
  }

private:
  static void tell(void *context, const TraceEvent *event) noexcept {
    (*static_cast<Callback *>(context))(*event);
  }
  struct Stop {
    void operator()(kern_trace *trace) const { kern_trace_stop(trace); }
  };
  std::unique_ptr<Callback> callback; // outlives the handle
  std::unique_ptr<kern_trace, Stop> handle;
};

} // namespace api
} // namespace kern

#endif
