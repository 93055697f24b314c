//===- Negation.h - narrow integers negated in 32 bits ----------*- C++ -*-===//
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

/// Replaces negations of 8 and 16 bits by ones of 32. The driver's translator
/// of CUDA 13.0 negates such a number in 32 bits itself and keeps the result
/// unwrapped where it is widened afterwards: -(-32768) as an i16, made an i64,
/// came out as 32768. To be run last: LLVM would narrow the 32 bits again, and
/// the negation is therefore text that it does not look into.
void widenNegations(llvm::Module &module);

} // namespace kern::nvptx
