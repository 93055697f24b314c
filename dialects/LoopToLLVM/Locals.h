//===- Locals.h - where local arrays lie ------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"

namespace kern::loop {

/// What decides where a local array lies.
struct LocalFacts {
  /// Bytes, if its extents are constants.
  std::optional<uint64_t> bytes;
  bool isInLoop = false; ///< made by each iteration of a loop
  /// Written in a loop whose iterations are dealt out to the lanes, which must
  /// see one another's elements.
  bool isSharedWritten = false;
  /// The forms of ufuncs have no memory from the runtime.
  bool isOfUfunc = false;
};

enum class LocalPlace : uint8_t {
  Private, ///< each lane's own memory
  Element, ///< from the runtime, for each loop element
  Lane,    ///< from the runtime, for each lane
};

/// Pure.
LocalPlace placeOf(const LocalFacts &facts);

/// Gives a slot to each local array of a kernel that needs memory from the
/// runtime, and expands the zeroing of those. `sequential`: there is one lane.
void placeLocals(KernelOp kernel, bool sequential);

/// The bytes of an array of constant extents; nothing for others.
std::optional<uint64_t> constantBytes(LocalOp local);

} // namespace kern::loop
