//===- StackRoom.h - how much stack is left ---------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>

namespace kern {

/// The stack of the thread that makes it, for who recurses as deep as the input
/// says: the thread may be a host program's, of any size. To be used by that
/// thread alone.
class StackRoom {
public:
  StackRoom();
  /// Whether so little is left that nothing should go deeper: a quarter of the
  /// stack, or 1 MiB of a large one. False where the system does not tell, and
  /// on a stack that a program has made itself, as for a coroutine.
  bool isScarce() const;

  /// Addresses in [begin, end) are the part that is held back.
  struct Reserve {
    uintptr_t begin = 0, end = 0;
  };

private:
  Reserve reserve;
};

} // namespace kern
