//===- Streams.h - handles of streams and events ----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "kern/streams.h"
#include "runtime/device/cuda/Event.h"
#include "runtime/device/cuda/Stream.h"

#include <memory>

// What the handles of the C interface hold.

struct kern_stream {
  std::shared_ptr<kern::runtime::cuda::Context> context;
  kern::runtime::cuda::Stream stream;
  ~kern_stream() {
    kern::runtime::cuda::ContextScope scope(*context);
    stream = {};
  }
};

struct kern_event {
  std::shared_ptr<kern::runtime::cuda::Context> context;
  kern::runtime::cuda::Event event;
  bool isTimed = false;
  ~kern_event() {
    kern::runtime::cuda::ContextScope scope(*context);
    event = {};
  }
};

namespace kern::runtime {

/// `body()` with the context current. What the driver reports there is of
/// earlier calls.
template <typename Body> Status withContext(cuda::Context &context, Body body) {
  cuda::ContextScope scope(context);
  if (!scope.status)
    return scope.status;
  return context.attribute(body());
}

/// Puts what `make()` returns, with the context current, into a member of a
/// handle, and the handle into its place.
template <typename Handle, typename Member, typename Make>
Status makeInto(cuda::Context &context, std::unique_ptr<Handle> handle,
                Member Handle::*member, Handle **place, Make make) {
  Status status = withContext(context, [&]() -> Status {
    Expected<Member> made = make();
    if (!made)
      return made.error();
    handle.get()->*member = std::move(*made);
    return {};
  });
  if (status)
    *place = handle.release();
  return status;
}

} // namespace kern::runtime
