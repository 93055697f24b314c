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
