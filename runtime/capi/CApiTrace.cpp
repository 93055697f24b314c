//===- CApiTrace.cpp - callbacks that are told of work --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/error/LastError.h"
#include "runtime/trace/Trace.h"

#include <memory>

using namespace kern::runtime;

extern "C" kern_status kern_trace_start(kern_trace_callback callback,
                                        void *context, kern_trace **trace) {
  return guarded([&]() -> Status {
    if (!trace)
      return Error(ErrorCode::null_pointer, {"the place for the trace"});
    *trace = nullptr;
    if (!callback)
      return Error(ErrorCode::null_pointer, {"the callback"});
    *trace = std::make_unique<kern_trace>(callback, context).release();
    return {};
  });
}

extern "C" void kern_trace_stop(kern_trace *trace) {
  std::unique_ptr<kern_trace> owner(trace);
}
