//===- BFloat.h - bf16 by integer arithmetic --------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

namespace llvm {
class Module;
}

namespace kern::host {

/// Replaces every fptrunc of f32 to bf16 by integer arithmetic that rounds to
/// nearest, ties to even, also subnormal numbers, and whatever else is done
/// with bf16 (fpext, comparisons, minimum and maximum) by the same in f32.
/// x86's own instructions take those for zero, and without them LLVM calls a
/// function of the compiler's run-time library for each element. To be run
/// before any optimisation, which might else find arithmetic on bf16 itself.
void expandBFloat(llvm::Module &module);

/// The run-time function that LLVM still calls where it moves bf16 values
/// through f32, as in vector selections; not in every system's library.
inline constexpr char bfloatRoundingSymbol[] = "__truncsfbf2";
/// Its implementation: the bf16 number nearest to an f32, in the low half of
/// what is returned.
float roundToBFloat(float number);

} // namespace kern::host
