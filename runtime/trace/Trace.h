//===- Trace.h - pieces of work that others are told of ---------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Work that is traced(), the callbacks of kern/trace.h that are told of it, and
// NVTX. Everything is thread-safe.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "kern/trace.h"

#include <atomic>
#include <string>
#include <string_view>

namespace kern::runtime {

/// What a piece of work is, as kern_trace_event has it.
struct TraceLabel {
  kern_trace_kind kind;
  const char *step;
  std::string_view name;
  kern_device device = {kDLCPU, 0};
  uint64_t bytes = 0;
  uint64_t elements = 0;
};

/// A piece of work from its construction to its destruction.
class TraceSpan {
public:
  explicit TraceSpan(const TraceLabel &label);
  ~TraceSpan();
  TraceSpan(const TraceSpan &) = delete;
  TraceSpan &operator=(const TraceSpan &) = delete;

  void succeed() { event.has_succeeded = 1; }

private:
  std::string name;
  kern_trace_event event = {};
};

/// Of what this thread does, while this lives, nobody is told: a listener might
/// wait for a thread that waits for this one.
class TraceSilence {
public:
  TraceSilence();
  ~TraceSilence();
  TraceSilence(const TraceSilence &) = delete;
  TraceSilence &operator=(const TraceSilence &) = delete;
};

namespace detail {
/// Whether somebody may listen: before the first span it is not known.
[[gnu::visibility("hidden")]] extern constinit std::atomic<bool> isTraced;
} // namespace detail

/// Runs `body`, which returns what is true if it succeeded. If somebody
/// listens, tells of it what `label` returns, a TraceLabel; else this costs a
/// relaxed load and a branch.
template <typename Label, typename Body>
auto traced(const Label &label, const Body &body) {
  if (!detail::isTraced.load(std::memory_order_relaxed)) [[likely]]
    return body();
  TraceSpan span(label());
  auto result = body();
  if (result)
    span.succeed();
  return result;
}

} // namespace kern::runtime

/// A callback and what it is called with.
struct kern_trace {
  kern_trace(kern_trace_callback callback, void *context);
  ~kern_trace();
  kern_trace(const kern_trace &) = delete;
  kern_trace &operator=(const kern_trace &) = delete;

  const kern_trace_callback callback;
  void *const context;
};
