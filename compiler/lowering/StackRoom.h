//===- StackRoom.h - how much stack is left ------------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>

namespace kern::compiler {

/// The stack of the thread that makes this, for code that recurses as deep as
/// its input: the thread may belong to a host program and have a stack of any
/// size. Only that thread may use it.
class StackRoom {
public:
  StackRoom();
  /// Whether too little is left to recurse further: a quarter of the stack, but
  /// at most 1 MiB. False where the system does not know the stack, such as
  /// that of a coroutine.
  bool isScarce() const;

  /// The addresses [begin, end) are kept free.
  struct Reserve {
    uintptr_t begin = 0, end = 0;
  };

private:
  Reserve reserve;
};

} // namespace kern::compiler
