//===- ForeignNames.h - names of other languages -------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kern::compiler {

/// Kern's name for what C, CUDA or NumPy call `name`: `f64` for `double`,
/// `True` for `true`, `pi` for `M_PI`. "" if there is none.
std::string_view kernNameOf(std::string_view name);

/// What to write instead of a Python or NumPy function, attribute or type that
/// Kern does not have: `print`, `.dtype`, `ndarray`. "" if nothing is known.
std::string_view insteadOf(std::string_view name);

/// What to write instead of an option of a function: `max(v, initial=0)`. "" if
/// nothing is known.
std::string insteadOfKeyword(std::string_view function,
                             std::string_view keyword);

/// What to write instead of a method of one of NumPy's functions:
/// `np.subtract.outer(a, b)`. "" if nothing is known.
std::string insteadOfMethod(std::string_view function, std::string_view method);

/// How many arguments of NumPy's function of this name mean what Kern's do, if
/// it is less than Kern takes: the second one of `np.max` is an axis, that of
/// `np.log` an array for the result.
std::optional<size_t> numpyArguments(std::string_view name);

/// What to write instead of Python's `x in v`.
inline constexpr std::string_view insteadOfIn =
    "write its values, `x in (1, 2)`; to search an array: `any(x == y for y in "
    "v)`";

} // namespace kern::compiler
