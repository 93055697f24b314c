//===- streams.hpp - streams, events, and default devices -------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Streams and events of GPUs, and the default device of a thread. Included by
// arrays.hpp.
//
//===----------------------------------------------------------------------===//
#ifndef KERN_STREAMS_HPP
#define KERN_STREAMS_HPP

#include "kern/elements.hpp"
#include "kern/streams.h"

#include <memory>

namespace kern {
inline namespace api {

class Stream;

/// A mark in a stream. Move-only. Several threads may use it at once.
class Event {
public:
  /// Marks nothing yet: waiting for it returns at once.
  explicit Event(Device device = cuda(), bool isTimed = false) {
    kern_event *made = nullptr;
    detail::check(kern_event_new(device, isTimed, &made));
    event.reset(made);
  }
  /// One whose marks have times.
  static Event timed(Device device = cuda()) { return Event(device, true); }

  /// Marks the end of what is enqueued on `stream`, in place of an earlier
  /// mark.
  void record(const Stream &stream);
  /// Waits until everything before the mark is complete.
  void wait() const { detail::check(kern_event_synchronize(event.get())); }
  /// Whether it is, without waiting.
  bool isComplete() const {
    int answer = 0;
    detail::check(kern_event_query(event.get(), &answer));
    return answer != 0;
  }
  /// The milliseconds from the mark of `begin` to this one, both timed and
  /// complete.
  float elapsed(const Event &begin) const {
    float milliseconds = 0;
    detail::check(
        kern_event_elapsed(begin.event.get(), event.get(), &milliseconds));
    return milliseconds;
  }
  /// The CUevent, as long as this object.
  void *handle() const { return kern_event_handle(event.get()); }
  kern_event *get() const { return event.get(); }

private:
  struct Release {
    void operator()(kern_event *one) const { kern_event_release(one); }
  };
  std::unique_ptr<kern_event, Release> event;
};

/// A stream of a GPU: calls on it run in order. Move-only. Several threads may
/// use it at once. It may end before the arrays of its calls, and does not wait
/// for them then.
///
///     kern::Stream a, b;
///     kern::Array y = f(x).stream(a);
///     kern::Array z = g(y).stream(b); // after f
class Stream {
public:
  /// A new one, which does not wait for the default stream.
  explicit Stream(Device device = cuda()) {
    kern_stream *made = nullptr;
    detail::check(kern_stream_new(device, &made));
    stream.reset(made);
  }
  /// A view of a CUstream or cudaStream_t of the caller's, which must be there
  /// as long as this object.
  static Stream view(void *handle, Device device = cuda()) {
    kern_stream *made = nullptr;
    detail::check(kern_stream_borrow(device, handle, &made));
    return Stream(made);
  }
  /// A view of the default stream.
  static Stream byDefault(Device device = cuda()) {
    return view(nullptr, device);
  }

  Device device() const { return kern_stream_device(stream.get()); }
  /// The CUstream, as long as this object.
  void *handle() const { return kern_stream_handle(stream.get()); }
  kern_stream *get() const { return stream.get(); }

  /// Waits until all work of the stream is complete. Throws the errors of calls
  /// that had already returned.
  void synchronize() const {
    detail::check(kern_stream_synchronize(stream.get()));
  }
  /// Whether all work is complete, without waiting.
  bool isComplete() const {
    int answer = 0;
    detail::check(kern_stream_query(stream.get(), &answer));
    return answer != 0;
  }
  /// What is enqueued from now on begins after the event's mark.
  void wait(const Event &event) const {
    detail::check(kern_stream_wait_event(stream.get(), event.get()));
  }
  /// A new event that marks the end of what is enqueued.
  Event record() const {
    Event event(device());
    event.record(*this);
    return event;
  }

private:
  explicit Stream(kern_stream *made) : stream(made) {}
  struct Release {
    void operator()(kern_stream *one) const { kern_stream_release(one); }
  };
  std::unique_ptr<kern_stream, Release> stream;
};

inline void Event::record(const Stream &stream) {
  detail::check(kern_event_record(event.get(), stream.get()));
}

/// While it lives, `device` is this thread's default: for calls on host arrays
/// that ask for no device, and for new arrays. Scopes nest, and end in the
/// order of a stack.
///
///     kern::DeviceScope scope(kern::cuda(1));
///     kern::Array x(std::vector<float>{1, 2, 3}); // on the second GPU
class DeviceScope {
public:
  explicit DeviceScope(Device device) {
    detail::check(kern_device_scope_enter(device));
  }
  ~DeviceScope() { kern_device_scope_leave(); }
  DeviceScope(const DeviceScope &) = delete;
  DeviceScope &operator=(const DeviceScope &) = delete;
};

/// The device of this thread's innermost DeviceScope; the CPU without one.
inline Device scopeDevice() { return kern_device_scope_current(); }

} // namespace api
} // namespace kern

#endif
