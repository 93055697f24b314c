//===- Casts.h - literals and conversions between types ---------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/KernToLoop/ScalarBuilder.h"

#include <optional>

namespace kern::ir {

/// Converts to any type, except from complex to real. Float to integer
/// truncates, saturates at the bounds and turns NaN into 0. Integer to integer
/// wraps. Anything to bool is its truth. Other conversions round to nearest
/// even, once; but integers become f16 and bf16 through f32, as in NumPy.
Scalar convert(ScalarBuilder &s, Scalar x, runtime::DType type);

/// The value of a kern.constant in `type`: a bool, an integer of any width, an
/// f64 float or, for a complex number, an array of two floats. Floats round to
/// nearest even, integers wrap, and a float becomes an integer as in convert().
/// Nothing for any other attribute, and for a complex number as a real type.
std::optional<Scalar> emitConstant(ScalarBuilder &s, mlir::Attribute value,
                                   runtime::DType type);

/// Python's truth value, a bool: not equal to 0, so that NaN is true.
Scalar truth(ScalarBuilder &s, Scalar x);

/// f16 and bf16 as f32, exactly; other types unchanged.
Scalar widenHalf(ScalarBuilder &s, Scalar x);
inline bool isHalf(runtime::DType type) {
  return type == runtime::DType::F16 || type == runtime::DType::BF16;
}

} // namespace kern::ir
