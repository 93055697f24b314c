//===- Constants.h - literals of every type ---------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------===//
#pragma once

#include "dialects/KernToLoop/ScalarBuilder.h"

#include <optional>

namespace kern {

/// The value of a kern.constant in `type`: a bool, an integer of any width, an
/// f64 float or an array of two of them (complex). Rounds to nearest even;
/// integers wrap; a float becomes an integer as by a conversion. Nothing if the
/// attribute is of no such form or does not fit the type (complex as real).
std::optional<Scalar> emitConstant(ScalarBuilder &s, mlir::Attribute value,
                                   DType type);

} // namespace kern
