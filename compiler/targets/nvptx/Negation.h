//===- Negation.h - the smallest integers, negated --------------*- C++ -*-===//
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

/// Writes negations and absolute values so that the smallest integer of a type
/// stays what it is, which the driver's translator of CUDA 13.0 forgets:
/// - it negates 8 and 16 bits in 32 and keeps the result unwrapped where it is
///   widened afterwards: -(-32768) as an i16, made an i64, came out as 32768;
/// - it takes every `abs` for non-negative, and a remainder or a quotient of
///   `abs(-2^31)` loses its sign.
/// To be run last: LLVM would narrow the 32 bits again and see an absolute
/// value in the maximum; the negation is therefore text that it does not look
/// into.
void keepSmallestIntegers(llvm::Module &module);

} // namespace kern::nvptx
