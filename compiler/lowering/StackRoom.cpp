//===- StackRoom.cpp - how much stack is left -----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/StackRoom.h"

#include "llvm/Support/ProgramStack.h"

#include <algorithm>
#include <pthread.h>

namespace kern::compiler {

/// The reserve of the calling thread. Asked once for each thread: for the main
/// thread the system reads a file.
static StackRoom::Reserve reserveHere() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0)
    return {};
  void *lowest = nullptr;
  size_t size = 0;
  const bool isKnown = pthread_attr_getstack(&attributes, &lowest, &size) == 0;
  pthread_attr_destroy(&attributes);
  constexpr size_t maxReserve = size_t(1) << 20;
  if (!isKnown)
    return {};
  auto begin = reinterpret_cast<uintptr_t>(lowest);
  return {begin, begin + std::min(size / 4, maxReserve)};
}

StackRoom::StackRoom() {
  static thread_local const Reserve known = reserveHere();
  reserve = known;
}

bool StackRoom::isScarce() const {
  const uintptr_t here = llvm::getStackPointer();
  return reserve.begin <= here && here < reserve.end;
}

} // namespace kern::compiler
