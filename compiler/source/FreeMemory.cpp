//===- FreeMemory.cpp - whether memory is available -----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/source/FreeMemory.h"

#include <new>
#include <sys/mman.h>

namespace kern::compiler {

bool hasMemory(size_t bytes) {
  // A private writable mapping counts against the limits; no page is touched.
  // MAP_NORESERVE turns off the heuristic overcommit check and changes no other
  // policy.
  void *place = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED)
    return false;
  ::munmap(place, bytes);
  return true;
}

void requireMemory(size_t bytes) {
  if (!hasMemory(bytes))
    throw std::bad_alloc();
}

} // namespace kern::compiler
