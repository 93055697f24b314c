//===- Defects.h - workarounds for compiler bugs ----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// These passes rewrite code that LLVM's backend or the driver's PTX compiler
// miscompiles. They run after optimisation, which would undo them.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace kern::compiler::nvptx {

/// Runs all of the following.
void avoidDefects(llvm::Module &module);

/// Rewrites negations and absolute values so that the smallest integer of a
/// type keeps its value. The driver's PTX compiler of CUDA 13.0 breaks it:
/// - it negates 8 and 16 bits in 32 bits, and does not wrap a result that is
///   widened afterwards: -(-32768) as an i16, widened to i64, gave 32768;
/// - it assumes that every `abs` is non-negative, so that a remainder or a
///   quotient of `abs(-2^31)` loses its sign.
/// LLVM's backend would recognise max(x, -x) as an absolute value. The negation
/// is therefore inline assembly.
void keepSmallestIntegers(llvm::Module &module);

/// Computes minima and maxima of 8 and 16 bits in 32 bits. From sm_90 on, the
/// driver's PTX compiler of CUDA 13.0 fuses a 16-bit `max(x, 0)` and its
/// comparison with 0 into one instruction on two halves. It then uses the
/// result of the upper half: `max(i8(-1), 0) == 0` was false.
///
/// In 32 bits it fuses `max(max(a, -b), c)`, including `max(abs(x), y)`, into
/// one instruction that uses b instead of -b. So -b is written as ~b + 1.
void fixExtremes(llvm::Module &module);

/// Loads the byte arguments of functions by `ld.param.b8` instead of
/// `ld.param.s8`. The PTX compiler of CUDA 13.0 extends the sign of the latter
/// to all 32 bits and includes it in `mul.hi.u16` and `mul.wide.u16`, so that
/// `u16(i8(-8)) // 6` was wrong.
void loadBytesUnsigned(llvm::Module &module);

/// Replaces selects by bit masks where the PTX compiler of CUDA 13.0
/// miscompiles `selp`:
/// - between f16 or bf16 values. It packs two operations into one on both
///   halves of a register. For `a + v` and `b + (-w if c else v)` the halves
///   share `v`; it overwrites that register with `-w` if `c` holds, and `a`
///   gets `-w` as well;
/// - between an integer and zero, in an `and`. It turns the select into a mask,
///   computes the mask once for the iterations of a loop that it unrolls, and
///   reads it on paths where it was not computed.
void chooseByBits(llvm::Module &module);

/// Limits the counts of 64-bit shifts to 64. LLVM 22's backend turns
/// `count < 64 ? x << count : 0` into PTX's clamping shift with the low 32 bits
/// of the count, so that a count of 2^32 shifted by 0. Results for counts below
/// 2^32 do not change; libdevice relies on PTX's clamping as well.
void limitShiftCounts(llvm::Module &module);

/// Keeps `x if x < y else y` a select where it may choose between zeros. LLVM
/// 22's backend makes a minimum or maximum of it if y is not NaN. For an x of
/// -0 and a y of 0 the minimum is -0.
void keepSignedZeros(llvm::Module &module);

//===----------------------------------------------------------------------===//
// Operations as inline assembly
//===----------------------------------------------------------------------===//

/// Inline PTX, opaque to LLVM. `$0` is the result, of `type`. `constraints` are
/// those of LLVM's inline assembly.
llvm::Value *asText(llvm::IRBuilder<> &builder, llvm::Type *type,
                    llvm::StringRef text, llvm::StringRef constraints,
                    llvm::Value *operand);

/// Applies `lane` to a scalar, or to each lane of a vector.
llvm::Value *byLanes(llvm::IRBuilder<> &builder, llvm::Value *operand,
                     llvm::function_ref<llvm::Value *(llvm::Value *)> lane);

/// A 32-bit -x as ~x + 1, where the driver's PTX compiler would lose a
/// negation.
llvm::Value *complementAndOne(llvm::IRBuilder<> &builder, llvm::Value *value);

} // namespace kern::compiler::nvptx
