//===- AllocationCount.h - counts operator new ------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

namespace kern::test {

/// Counts the memory that this thread has taken from operator new (under a
/// sanitizer also from malloc) since it was made, but for what AllocationPause
/// covers.
class AllocationCount {
public:
  AllocationCount();
  int made() const;

private:
  int before;
};

/// Allocations during its lifetime are not counted: they are a test double's.
class AllocationPause {
public:
  AllocationPause();
  ~AllocationPause();
  AllocationPause(const AllocationPause &) = delete;
  AllocationPause &operator=(const AllocationPause &) = delete;
};

} // namespace kern::test
