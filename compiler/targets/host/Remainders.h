//===- Remainders.h - remainders of floats on the CPU -----------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// fmod() is exact, and the C library's subtracts bit by bit. Where the quotient
// of the two numbers is below 2^28 (f32) or 2^53 (f64), one division and one
// multiplication give the same number, in vectors. Larger quotients are rare;
// vectors that have one call the C library's function for each of their lanes.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/Twine.h"

namespace llvm {
class Function;
}

namespace kern::compiler::host {

/// Whether `function` is fmod or fmodf.
bool isRemainder(const llvm::Function &function);

/// Defines a function in the module of `scalar`, which is a remainder, that
/// computes `lanes` of it: of vectors, or of numbers for one lane. It is always
/// inlined. Its code needs a fused multiply-add.
llvm::Function *defineRemainder(llvm::Function &scalar, unsigned lanes,
                                const llvm::Twine &name);

} // namespace kern::compiler::host
