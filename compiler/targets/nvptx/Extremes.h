//===- Extremes.h - narrow minima and maxima --------------------*- C++ -*-===//
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

/// Takes minima and maxima of 8 and 16 bits in 32. From sm_90 on the driver's
/// translator of CUDA 13.0 makes one instruction of `max(x, 0)` in 16 bits and
/// the comparison of it with 0, one that tells of two halves, and takes what it
/// tells of the upper one: `max(i8(-1), 0) == 0` came out as false. To be run
/// last: LLVM would narrow them again.
void widenExtremes(llvm::Module &module);

} // namespace kern::nvptx
