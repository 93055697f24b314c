//===- ForeignNames.h - names of other languages -------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <string_view>

namespace kern {

/// What Kern calls something that C, CUDA or NumPy call `name`: `f64` for
/// `double`, `True` for `true`, `pi` for `M_PI`. "" if it has no other name.
std::string_view kernNameOf(std::string_view name);

/// What to write in place of a function, an attribute or a type of Python or
/// NumPy that Kern has nothing of that name for: `print`, `.dtype`, `ndarray`.
/// "" if there is nothing to say.
std::string_view insteadOf(std::string_view name);

/// What to write instead of Python's `x in v`.
inline constexpr std::string_view insteadOfIn =
    "compare with each value: `x == 1 or x == 2`; to search an array: `any(x "
    "== y for y in v)`";

} // namespace kern
