//===- NumberText.h - floats as NumPy writes them ---------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/array/DType.h"

#include <span>
#include <string>

namespace kern::cli {

/// What str() of a NumPy scalar gives: the fewest digits that read back as the
/// same value of `type`, which is one of the four real float types.
std::string scalarText(double value, runtime::DType type);

/// How one column of floats is written so that it lines up: NumPy's
/// FloatingFormat with its default print options (8 fractional digits at
/// most, scientific when the values span too much).
class FloatFormat {
public:
  /// Looks at the values that will be shown. `type`: one of the four real
  /// float types; `plusSign`: write '+' before positive values.
  FloatFormat(std::span<const double> values, runtime::DType type,
              bool plusSign);
  std::string operator()(double value) const;

private:
  runtime::DType type;
  bool plusSign;
  bool scientific = false;
  int fraction = 0;        ///< digits after the point, when scientific
  size_t exponentSize = 0; ///< digits of the exponent, when scientific
  size_t left = 0;         ///< characters before the point
  size_t right = 0;        ///< characters after the point
};

} // namespace kern::cli
