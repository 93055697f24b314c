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

/// Defines a function that computes `lanes` of `library`, which is the C
/// library's fmod or fmodf: of vectors, or of numbers for one lane. It is
/// always inlined. Its code needs a fused multiply-add.
llvm::Function *defineRemainder(llvm::Function &library, unsigned lanes,
                                const llvm::Twine &name);

} // namespace kern::compiler::host
