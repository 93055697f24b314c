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

/// Masks the counts of 64-bit shifts. Of `count < 64 ? x << count : 0` LLVM
/// 22's back end makes PTX's clamping shift with the low 32 bits of the count:
/// by 2^32 it shifted by 0. Where compared and shifted counts differ it does
/// not. To be run last: LLVM drops a mask that the comparison makes needless.
void maskShiftCounts(llvm::Module &module);

} // namespace kern::nvptx
