//===- Trace.cpp - pieces of work that others are told of -----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/trace/Trace.h"
#include "runtime/trace/Nvtx.h"

#include <chrono>
#include <mutex>
#include <vector>

using namespace kern::runtime;

constinit std::atomic<bool> kern::runtime::detail::isTraced{true};

static thread_local bool isSilent = false;

TraceSilence::TraceSilence() { isSilent = true; }
TraceSilence::~TraceSilence() { isSilent = false; }

namespace {
/// Those who are told.
class Listeners {
public:
  /// Lives as long as the process: other libraries' threads may still work
  /// when it ends.
  static Listeners &shared() {
    static auto *listeners = new Listeners;
    return *listeners;
  }

  void add(const kern_trace &listener) {
    std::lock_guard lock(mutex);
    list.push_back(&listener);
    decide();
  }

  void remove(const kern_trace &listener) {
    std::lock_guard lock(mutex);
    std::erase(list, &listener);
    decide();
  }

  void tell(const kern_trace_event &event) {
    std::lock_guard lock(mutex);
    for (const kern_trace *listener : list)
      listener->callback(listener->context, &event);
  }

private:
  Listeners() { decide(); }
  void decide() {
    detail::isTraced.store(!list.empty() || Nvtx::shared(),
                           std::memory_order_relaxed);
  }

  std::mutex mutex;
  std::vector<const kern_trace *> list;
};
} // namespace

static int64_t now() {
  return std::chrono::nanoseconds(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

static const char *text(kern_trace_kind kind) {
  switch (kind) {
  case KERN_TRACE_COMPILE:
    return "compile";
  case KERN_TRACE_CACHE:
    return "cache";
  case KERN_TRACE_TRANSFER:
    return "transfer";
  case KERN_TRACE_LAUNCH:
    return "launch";
  }
  return "";
}

TraceSpan::TraceSpan(const TraceLabel &label) : name(label.name) {
  Listeners::shared();
  event.size = sizeof event;
  event.kind = label.kind;
  event.step = label.step;
  event.name = name.c_str();
  event.device = label.device;
  event.bytes = label.bytes;
  event.elements = label.elements;
  if (const Nvtx *nvtx = Nvtx::shared())
    nvtx->push(std::string(text(event.kind)) + ": " + event.step +
                   (name.empty() ? "" : " ") + name,
               event.bytes + event.elements);
  event.begin = now();
}

TraceSpan::~TraceSpan() {
  event.end = now();
  if (const Nvtx *nvtx = Nvtx::shared())
    nvtx->pop();
  if (!isSilent)
    Listeners::shared().tell(event);
}

kern_trace::kern_trace(kern_trace_callback callback, void *context)
    : callback(callback), context(context) {
  Listeners::shared().add(*this);
}

kern_trace::~kern_trace() { Listeners::shared().remove(*this); }
