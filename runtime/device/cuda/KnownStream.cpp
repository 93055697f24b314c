//===- KnownStream.cpp - a stream that arrays are used on -----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/KnownStream.h"

#include "runtime/device/cuda/Context.h"

using namespace kern::runtime;
using namespace kern::runtime::cuda;

KnownStream::~KnownStream() {
  if (!last)
    return;
  ContextScope scope(context);
  last = Event();
}

bool KnownStream::isAlive() const {
  std::lock_guard lock(mutex);
  return life != StreamLife::Unknown && !hasEnded;
}

const Driver &KnownStream::driver() const { return context.driver(); }

/// Locked, with the context current.
Status KnownStream::mark() {
  if (!last) {
    Expected<Event> made = Event::create(context);
    if (!made)
      return made.error();
    last = std::move(*made);
  }
  if (Status status = last.record(stream); !status)
    return status;
  hasMark = true;
  isMarkLost = false;
  return {};
}

Status KnownStream::precede(CUstream other) {
  std::lock_guard lock(mutex);
  ContextScope scope(context);
  if (!scope.status)
    return scope.status;
  if (life != StreamLife::Unknown && !hasEnded) {
    // A mark in a graph would draw those who wait for it into the graph.
    Expected<bool> recorded = isRecorded();
    if (!recorded)
      return recorded.error();
    if (!*recorded)
      if (Status status = mark(); !status)
        return status;
  }
  if (isMarkLost)
    return check(context.driver(), synchronizeContext(context.driver()),
                 "cuCtxSynchronize");
  return hasMark ? last.precede(other) : Status();
}

Status KnownStream::markForGraph() {
  std::lock_guard lock(mutex);
  return mark();
}

void KnownStream::markAnyway(bool mayBeRecorded) noexcept {
  try {
    ContextScope scope(context);
    Expected<bool> recorded = mayBeRecorded ? isRecorded() : Expected(false);
    isMarkLost = !scope.status || !recorded || *recorded || !mark();
  } catch (...) { // no memory for a message
    isMarkLost = true;
  }
}

void KnownStream::markCall() noexcept {
  std::lock_guard lock(mutex);
  if (life == StreamLife::Unknown)
    markAnyway(/*mayBeRecorded=*/false);
}

void KnownStream::adopt() {
  std::lock_guard lock(mutex);
  life = StreamLife::Told;
}

void KnownStream::retire() noexcept {
  std::lock_guard lock(mutex);
  if (life != StreamLife::Told || hasEnded)
    return;
  markAnyway(/*mayBeRecorded=*/true);
  hasEnded = true;
}
