//===- Divisor.h - division by multiplication ------------------*- C++ -*--===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>

namespace kern {

/// What a kernel needs to divide numbers below 2^31 by `divisor`, which is from
/// 1 to 2^31 - 1: a multiplier in the low half of the word and a shift in the
/// high half, such that
/// `n / divisor == (n + high half of (n * multiplier)) >> shift`
/// (Granlund and Montgomery, Division by Invariant Integers using
/// Multiplication, 1994).
uint64_t divisorWord(uint32_t divisor);

} // namespace kern
