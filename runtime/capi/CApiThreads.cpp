//===- CApiThreads.cpp - the threads of calls on the CPU ------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kern/threads.h"
#include "runtime/device/host/ThreadPool.h"
#include "runtime/error/LastError.h"

using namespace kern::runtime;

extern "C" int kern_get_num_threads(void) {
  int count = 1;
  guarded([&]() -> Status {
    count = int(host::ThreadPool::shared().size());
    return {};
  });
  return count;
}

extern "C" kern_status kern_set_num_threads(int count) {
  return guarded([&]() -> Status {
    if (count < 1 || count > KERN_MAX_THREADS)
      return Error(ErrorCode::thread_count, {KERN_MAX_THREADS, count});
    host::ThreadPool::shared().resize(unsigned(count));
    return {};
  });
}
