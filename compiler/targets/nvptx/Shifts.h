//===- Shifts.h - shifts by 64-bit counts -----------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace kern::nvptx {

/// Limits the counts of 64-bit shifts to 64. Of `count < 64 ? x << count : 0`
/// LLVM 22's back end makes PTX's clamping shift with the low 32 bits of the
/// count: by 2^32 it shifted by 0. Up to 2^32 nothing changes, since libdevice
/// counts on PTX's clamping as well. To be run last: LLVM takes larger counts
/// for impossible.
void limitShiftCounts(llvm::Module &module);

} // namespace kern::nvptx
