//===- Guard.h - workarounds for bugs of InstCombine ------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM 22's InstCombine miscompiles some conversions between floats. These
// functions rewrite such code so that InstCombine computes the right result.
// They do not change results themselves.
//
//===----------------------------------------------------------------------===//
#pragma once

namespace llvm {
class Function;
class PassInstrumentationCallbacks;
} // namespace llvm

namespace kern::compiler {

/// Runs all of the following on a function whenever InstCombine is about to run
/// on it. Passes in between, such as inlining, bring code together that
/// InstCombine miscompiles only then. `callbacks` are those of the PassBuilder.
void guardInstCombine(llvm::PassInstrumentationCallbacks &callbacks);

/// Converts bf16 to wider types by integer operations in functions that use
/// f16. InstCombine replaces `f16(x op y)` by an operation of f16 if x and y
/// have no more significant bits than f16. A bf16 has fewer significant bits,
/// but more range: `f16(f32(x) - f32(y))` became `f16(x) - f16(y)`.
void widenByBits(llvm::Function &function);

/// Makes f16 infinite beyond its range by a comparison, where the number was
/// converted from an integer and the function converts f16 to wider types.
/// InstCombine takes a conversion from an integer to be exact if the integer
/// has few significant bits, whatever its size: `f32(f16(n << 20))` of an
/// 8-bit n became `f32(n << 20)`, which is finite.
void limitToHalf(llvm::Function &function);

/// Rewrites `f64(x) if x > y else f64(y)` as `f64(x if x > y else y)`, for all
/// conversions between floats. InstCombine does that too, but takes a minimum
/// or maximum to have no signed zeros: `0.0 if x < 0 else f64(x)` of an f32 was
/// +0 for -0.
void chooseBeforeConversion(llvm::Function &function);

} // namespace kern::compiler
