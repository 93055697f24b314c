//===- FreeMemory.h - whether there is memory to begin with -----*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM ends the process when memory runs out in it, and an exception that
// passes through it leaves its locks and half-made objects behind. So each step
// of a compilation that goes through LLVM or MLIR is begun only where the
// memory is there that it will take.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstddef>

namespace kern {

/// What a step of the compiler may take, in bytes: at least twice what was
/// measured, of any source.
struct StepMemory {
  static constexpr size_t least = size_t(16) << 20;
  /// To read, parse and lower a text, without what its calls inline.
  static constexpr size_t ofText(size_t bytes) { return least + 512 * bytes; }
  /// To infer the types of a function of so many operations, and to make code
  /// of it.
  static constexpr size_t ofTypes(size_t operations) {
    return least + 4096 * operations;
  }
  static constexpr size_t ofCode(size_t operations) {
    return least + 16384 * operations;
  }
};

/// Whether the process can get so many bytes more now, as its limits are
/// (RLIMIT_AS, RLIMIT_DATA, the system's overcommit policy).
bool hasMemory(size_t bytes);

/// Throws std::bad_alloc if not. Only where no frame of LLVM's is on the stack.
void requireMemory(size_t bytes);

} // namespace kern
