//===- BFloat.h - rounding to bf16 ------------------------------*- C++ -*-===//
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
/// nearest, ties to even, also subnormal numbers. x86's own instructions take
/// those for zero, and without them LLVM calls a function of the compiler's
/// run-time library for each element. To be run before any optimisation, which
/// might else find arithmetic on bf16 itself.
void expandBFloatRounding(llvm::Module &module);

} // namespace kern::host
