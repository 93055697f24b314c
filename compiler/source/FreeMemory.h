//===- FreeMemory.h - whether memory is available ---------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM ends the process when it runs out of memory. An exception that unwinds
// through LLVM leaves locks held and objects half-built. So each compilation
// step that enters LLVM or MLIR first checks that its memory is available.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstddef>

namespace kern::compiler {

/// Estimates of a compilation step's memory, in bytes: at least twice the most
/// that was measured for any source.
struct StepMemory {
  static constexpr size_t minimum = size_t(16) << 20;
  /// To read, parse and lower a text, not counting inlined calls.
  static constexpr size_t ofText(size_t bytes) { return minimum + 512 * bytes; }
  /// To infer the types of a function with this many operations, and to
  /// generate its code.
  static constexpr size_t ofTypes(size_t operations) {
    return minimum + 4096 * operations;
  }
  static constexpr size_t ofCode(size_t operations) {
    return minimum + 16384 * operations;
  }
};

/// Whether the process can get this many bytes more under its current limits
/// (RLIMIT_AS, RLIMIT_DATA, the system's overcommit policy).
bool hasMemory(size_t bytes);

/// Throws std::bad_alloc if not. Call it only with no LLVM frame on the stack.
void requireMemory(size_t bytes);

} // namespace kern::compiler
