//===- ConstantConversion.h - constants in other types --------- -*- C++
//-*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/constants/Constant.h"
#include "runtime/array/DType.h"

namespace kern {

/// The value that a conversion to a type gives: floats are rounded, and cut
/// off at the bounds for integers, which wrap. Nothing of a complex number for
/// a real type.
std::optional<Constant> convertConstant(const Constant &value, DType type);

} // namespace kern
