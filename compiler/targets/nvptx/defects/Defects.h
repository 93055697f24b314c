//===- Defects.h - around the defects of translators ------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What LLVM's back end or the driver's translator of PTX would get wrong is
// written otherwise. All of it happens after optimisation, which would undo it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace kern::nvptx {

/// All of the following.
void avoidDefects(llvm::Module &module);

/// Writes negations and absolute values so that the smallest integer of a type
/// stays what it is, which the driver's translator of CUDA 13.0 forgets:
/// - it negates 8 and 16 bits in 32 and keeps the result unwrapped where it is
///   widened afterwards: -(-32768) as an i16, made an i64, came out as 32768;
/// - it takes every `abs` for non-negative, and a remainder or a quotient of
///   `abs(-2^31)` loses its sign.
/// LLVM's back end would see an absolute value in the maximum; the negation is
/// therefore text that it does not look into.
void keepSmallestIntegers(llvm::Module &module);

/// Takes minima and maxima of 8 and 16 bits in 32. From sm_90 on the driver's
/// translator of CUDA 13.0 makes one instruction of `max(x, 0)` in 16 bits and
/// the comparison of it with 0, one that tells of two halves, and takes what it
/// tells of the upper one: `max(i8(-1), 0) == 0` came out as false.
/// In 32 bits it makes one instruction of `max(max(a, -b), c)` that has b for
/// -b, `max(abs(x), y)` among them: what is negated is written as ~b + 1.
void fixExtremes(llvm::Module &module);

/// Takes the bytes that a function gets as its arguments by `ld.param.b8`, not
/// by `ld.param.s8`: of that the translator of CUDA 13.0 has the sign in all 32
/// bits, and counts it in `mul.hi.u16` and `mul.wide.u16`, so that
/// `u16(i8(-8)) // 6` was wrong.
void takeBytesApart(llvm::Module &module);

/// Chooses by masks of bits where the translator of CUDA 13.0 mixes up what a
/// `selp` chooses:
/// - between f16s and bf16s. It joins operations on two of them to one on both
///   halves of a register, and of `a + v` and `b + (-w if c else v)` makes one
///   whose halves share `v`; then it computes `-w` into that register where `c`
///   holds, and `a` gets `-w` as well;
/// - between an integer and zero, in an `and`. It makes a mask of the choice,
///   computes it once for the iterations of a loop that it unrolls, and reads
///   it on paths where it was not computed.
void chooseByBits(llvm::Module &module);

/// Limits the counts of 64-bit shifts to 64. Of `count < 64 ? x << count : 0`
/// LLVM 22's back end makes PTX's clamping shift with the low 32 bits of the
/// count: by 2^32 it shifted by 0. Up to 2^32 nothing changes, since libdevice
/// counts on PTX's clamping as well.
void limitShiftCounts(llvm::Module &module);

//===----------------------------------------------------------------------===//
// Operations that are written as text
//===----------------------------------------------------------------------===//

/// PTX that LLVM does not look into: `$0` is the result, of `type`, and
/// `constraints` are as LLVM's inline assembly has them.
llvm::Value *asText(llvm::IRBuilder<> &builder, llvm::Type *type,
                    llvm::StringRef text, llvm::StringRef constraints,
                    llvm::Value *operand);

/// `lane` of a scalar, or of each lane of a vector.
llvm::Value *byLanes(llvm::IRBuilder<> &builder, llvm::Value *operand,
                     llvm::function_ref<llvm::Value *(llvm::Value *)> lane);

/// -x of 32 bits as ~x + 1, where the driver's translator would lose a
/// negation.
llvm::Value *complementAndOne(llvm::IRBuilder<> &builder, llvm::Value *value);

} // namespace kern::nvptx
