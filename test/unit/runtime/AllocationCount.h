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

/// While it lives, the n-th allocation of this thread that is counted throws
/// std::bad_alloc.
class AllocationFailure {
public:
  explicit AllocationFailure(int n);
  ~AllocationFailure();
  AllocationFailure(const AllocationFailure &) = delete;
  AllocationFailure &operator=(const AllocationFailure &) = delete;
  /// Whether it has.
  bool hasFailed() const;
  /// Sanitizers have an operator new of their own, which does not.
  static bool isPossible();
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
