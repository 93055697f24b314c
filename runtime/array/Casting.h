//===- Casting.h - NumPy's casting rules ------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/array/DType.h"

namespace kern {

/// From the strictest on.
enum class Casting : uint8_t { No, Equiv, Safe, SameKind, Unsafe };
/// numpy.can_cast(from, to, casting).
bool canCast(DType from, DType to, Casting casting);
/// "no", "equiv", "safe", "same_kind", "unsafe".
std::string_view name(Casting);

} // namespace kern
