//===- CApiStreams.cpp - streams, events, and default devices -------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/capi/Streams.h"
#include "runtime/device/cuda/Platform.h"
#include "runtime/error/LastError.h"
#include "runtime/launch/DefaultDevice.h"

using namespace kern::runtime;

static Error missing(const char *what) {
  return Error(ErrorCode::null_pointer, {what});
}

static Expected<std::shared_ptr<cuda::Context>> contextOf(kern_device device) {
  if (int(rawValue(device.device_type)) != kDLCUDA)
    return isHost(device) ? Error(ErrorCode::no_streams, {text(device)})
                          : Error(ErrorCode::no_devices_of_type,
                                  {int(rawValue(device.device_type))});
  return cuda::Platform::current()->context(device.device_id);
}

/// `make(Context &)` with the device's context current.
template <typename Make>
static Status makeStream(kern_device device, kern_stream **stream, Make make) {
  if (!stream)
    return missing("the place for the stream");
  *stream = nullptr;
  auto context = contextOf(device);
  if (!context)
    return context.error();
  auto out = std::make_unique<kern_stream>();
  out->context = *context;
  return makeInto(**context, std::move(out), &kern_stream::stream, stream,
                  [&] { return make(**context); });
}

extern "C" kern_status kern_stream_new(kern_device device,
                                       kern_stream **stream) {
  return guarded([&]() -> Status {
    return makeStream(device, stream, [](cuda::Context &context) {
      return cuda::Stream::create(context);
    });
  });
}

extern "C" kern_status kern_stream_borrow(kern_device device, void *handle,
                                          kern_stream **stream) {
  return guarded([&]() -> Status {
    return makeStream(device, stream, [&](cuda::Context &context) {
      return cuda::Stream::view(context, static_cast<CUstream>(handle));
    });
  });
}

extern "C" void *kern_stream_handle(const kern_stream *stream) {
  return stream ? stream->stream.handle() : nullptr;
}

extern "C" kern_device kern_stream_device(const kern_stream *stream) {
  return stream ? stream->context->device() : hostDevice();
}

/// Sets `*answer` to what `ask()` says.
template <typename Ask>
static Status query(cuda::Context &context, int *answer, Ask ask) {
  if (!answer)
    return missing("the place for the answer");
  *answer = 0;
  return withContext(context, [&]() -> Status {
    Expected<bool> said = ask();
    if (!said)
      return said.error();
    *answer = *said;
    return {};
  });
}

extern "C" kern_status kern_stream_synchronize(kern_stream *stream) {
  return guarded([&]() -> Status {
    if (!stream)
      return missing("the stream");
    return withContext(*stream->context,
                       [&] { return stream->stream.synchronize(); });
  });
}

extern "C" kern_status kern_stream_query(kern_stream *stream,
                                         int *is_complete) {
  return guarded([&]() -> Status {
    if (!stream)
      return missing("the stream");
    return query(*stream->context, is_complete,
                 [&] { return stream->stream.isComplete(); });
  });
}

extern "C" void kern_stream_release(kern_stream *stream) {
  std::unique_ptr<kern_stream> owner(stream);
}

extern "C" kern_status kern_event_new(kern_device device, int is_timed,
                                      kern_event **event) {
  return guarded([&]() -> Status {
    if (!event)
      return missing("the place for the event");
    *event = nullptr;
    auto context = contextOf(device);
    if (!context)
      return context.error();
    auto out = std::make_unique<kern_event>();
    out->context = *context;
    out->isTimed = is_timed != 0;
    return makeInto(**context, std::move(out), &kern_event::event, event, [&] {
      return cuda::Event::create(**context, is_timed != 0);
    });
  });
}

extern "C" kern_status kern_event_record(kern_event *event,
                                         kern_stream *stream) {
  return guarded([&]() -> Status {
    if (!event)
      return missing("the event");
    if (!stream)
      return missing("the stream");
    if (event->context != stream->context)
      return Error(
          ErrorCode::event_of_other_device,
          {text(event->context->device()), text(stream->context->device())});
    return withContext(*event->context, [&] {
      return event->event.record(stream->stream.handle());
    });
  });
}

extern "C" kern_status kern_stream_wait_event(kern_stream *stream,
                                              const kern_event *event) {
  return guarded([&]() -> Status {
    if (!stream)
      return missing("the stream");
    if (!event)
      return missing("the event");
    return withContext(*stream->context, [&] {
      return event->event.precede(stream->stream.handle());
    });
  });
}

extern "C" kern_status kern_event_synchronize(const kern_event *event) {
  return guarded([&]() -> Status {
    if (!event)
      return missing("the event");
    return withContext(*event->context, [&] { return event->event.wait(); });
  });
}

extern "C" kern_status kern_event_query(const kern_event *event,
                                        int *is_complete) {
  return guarded([&]() -> Status {
    if (!event)
      return missing("the event");
    return query(*event->context, is_complete,
                 [&] { return event->event.isComplete(); });
  });
}

extern "C" kern_status kern_event_elapsed(const kern_event *begin,
                                          const kern_event *end,
                                          float *milliseconds) {
  return guarded([&]() -> Status {
    if (!begin || !end)
      return missing("the event");
    if (!milliseconds)
      return missing("the place for the time");
    if (!begin->isTimed || !end->isTimed)
      return Error(ErrorCode::event_not_timed);
    if (begin->context != end->context)
      return Error(
          ErrorCode::event_of_other_device,
          {text(begin->context->device()), text(end->context->device())});
    return withContext(*end->context, [&]() -> Status {
      Expected<float> time = end->event.millisecondsSince(begin->event);
      if (!time)
        return time.error();
      *milliseconds = *time;
      return {};
    });
  });
}

extern "C" void *kern_event_handle(const kern_event *event) {
  return event ? event->event.handle() : nullptr;
}

extern "C" void kern_event_release(kern_event *event) {
  std::unique_ptr<kern_event> owner(event);
}

extern "C" kern_status kern_device_scope_enter(kern_device device) {
  return guarded([&]() -> Status {
    if (!isHost(device)) {
      if (int(rawValue(device.device_type)) != kDLCUDA)
        return Error(ErrorCode::no_devices_of_type,
                     {int(rawValue(device.device_type))});
      auto context = cuda::Platform::current()->context(device.device_id);
      if (!context)
        return context.error();
    }
    enterDeviceScope(device);
    return {};
  });
}

extern "C" void kern_device_scope_leave(void) { leaveDeviceScope(); }

extern "C" kern_device kern_device_scope_current(void) {
  return scopedDevice().value_or(hostDevice());
}
