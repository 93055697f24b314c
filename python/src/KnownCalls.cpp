//===- KnownCalls.cpp - calls that a function has had before --------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "KnownCalls.h"
#include "kern/threads.h"

#include <algorithm>

using namespace kern::python;

bool KnownCalls::make(const FunctionObject &function,
                      PyObject *const *arguments, size_t count,
                      PyObject *keywords, PyObject *&result) {
  result = nullptr;
  if (!calls[0].load(std::memory_order_relaxed))
    return false;
  GivenCall given;
  if (!given.sortOut(function, arguments, count, keywords))
    return false;
  Pins::Pin pin(pins);
  const uint32_t first = latest.load(std::memory_order_relaxed);
  const int threads = kern_get_num_threads();
  for (uint32_t i = 0; i < capacity; ++i) {
    const uint32_t at = (first + i) % capacity;
    const KnownCall *known = calls[at].load();
    if (!known || known->threads != threads)
      continue;
    if (known->make(function, given, result)) {
      if (i)
        latest.store(at, std::memory_order_relaxed);
      return true;
    }
  }
  return false;
}

KnownCalls::~KnownCalls() {
  for (std::atomic<const KnownCall *> &call : calls)
    delete call.load();
}

int KnownCalls::traverse(visitproc visit, void *arg) const {
  for (const std::atomic<const KnownCall *> &call : calls)
    if (const KnownCall *known = call.load())
      if (int status = known->traverse(visit, arg))
        return status;
  for (const std::unique_ptr<const KnownCall> &known : retired)
    if (int status = known->traverse(visit, arg))
      return status;
  return 0;
}

bool KnownCalls::wants(uint64_t layout) {
  std::atomic<uint64_t> &place = seen[layout % seen.size()];
  if (place.exchange(layout, std::memory_order_relaxed) != layout)
    return false;
  uint32_t left = pause.load(std::memory_order_relaxed);
  if (left)
    pause.store(left - 1, std::memory_order_relaxed);
  return !left;
}

void KnownCalls::learn(std::unique_ptr<KnownCall> call, kern_function *function,
                       std::span<const kern_value> inputs,
                       std::span<const DLTensor *const> outputs,
                       const kern_call_options &options) {
  call->threads = kern_get_num_threads();
  kern_status status =
      kern_prepare(function, inputs.data(), inputs.size(), outputs.data(),
                   outputs.size(), &options, &call->prepared);
  // The replaced call is freed outside the lock, since that may run Python
  // code.
  std::vector<std::unique_ptr<const KnownCall>> unused;
  std::lock_guard lock(mutex);
  if (status != KERN_OK) {
    pause.store(failurePause, std::memory_order_relaxed);
    failurePause = std::min(2 * failurePause, longestPause);
    return;
  }
  if (retired.size() >= capacity && !pins.areFree())
    return;
  const KnownCall *replaced = calls[next].exchange(call.release());
  next = (next + 1) % capacity;
  if (calls[next].load()) // the next one costs a place
    pause.store(replacementPause, std::memory_order_relaxed);
  if (replaced)
    retired.emplace_back(replaced);
  if (pins.areFree())
    unused.swap(retired);
}
