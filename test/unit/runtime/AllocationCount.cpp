//===- AllocationCount.cpp - counts operator new --------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AllocationCount.h"

#include <cstdlib>
#include <new>
#include <sanitizer/allocator_interface.h>

using namespace kern::test;

static thread_local int counted = 0;
static thread_local int paused = 0;
static thread_local int untilFailure = 0;

#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)

// A sanitizer has an operator new of its own, which checks that memory is given
// back as it was taken, and calls this after each. It does so for malloc too.
static void countMalloc(const volatile void *, size_t) {
  counted += paused == 0;
}
static void ignoreFree(const volatile void *) {}
[[maybe_unused]] static const int installed =
    __sanitizer_install_malloc_and_free_hooks(countMalloc, ignoreFree);

bool AllocationFailure::isPossible() { return false; }

#else

bool AllocationFailure::isPossible() { return true; }

void *operator new(std::size_t size) {
  counted += paused == 0;
  if (!paused && untilFailure && !--untilFailure)
    throw std::bad_alloc();
  if (void *memory = std::malloc(size ? size : 1))
    return memory;
  throw std::bad_alloc();
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }

#endif

AllocationCount::AllocationCount() : before(counted) {}
int AllocationCount::made() const { return counted - before; }
AllocationPause::AllocationPause() { ++paused; }
AllocationPause::~AllocationPause() { --paused; }

AllocationFailure::AllocationFailure(int n) { untilFailure = n; }
AllocationFailure::~AllocationFailure() { untilFailure = 0; }
bool AllocationFailure::hasFailed() const { return untilFailure == 0; }
