//===- Casts.h - literals and conversions between types ---------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/KernToLoop/ScalarBuilder.h"

#include <optional>

namespace kern {

/// Converts to any type; complex to real is not a conversion and must not be
/// asked for. Float to integer truncates, saturates at the bounds and turns NaN
/// into 0; integer to integer wraps; anything to bool is its truth. Every
/// rounding is to nearest even, once; integers go to f16 and bf16 through f32,
/// as in NumPy.
Scalar convert(ScalarBuilder &s, Scalar x, DType type);

/// The value of a kern.constant in `type`: a bool, an integer of any width, an
/// f64 float or an array of two of them (complex). Rounds to nearest even;
/// integers wrap; a float becomes an integer as by a conversion. Nothing if the
/// attribute is of no such form or does not fit the type (complex as real).
std::optional<Scalar> emitConstant(ScalarBuilder &s, mlir::Attribute value,
                                   DType type);

/// Python's truth: not equal to 0, so that NaN is true. Bool.
Scalar truth(ScalarBuilder &s, Scalar x);

/// f16 and bf16 as f32, exactly; other types unchanged.
Scalar widenHalf(ScalarBuilder &s, Scalar x);
inline bool isHalf(DType type) {
  return type == DType::F16 || type == DType::BF16;
}

} // namespace kern
