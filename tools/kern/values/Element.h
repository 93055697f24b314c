//===- Element.h - reads one element of an array ----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/array/DType.h"

#include <cstddef>
#include <cstring>
#include <string>

namespace kern::cli {

/// Elements need not be aligned.
template <typename T> T load(const std::byte *place) {
  T value;
  std::memcpy(&value, place, sizeof value);
  return value;
}

/// An element of a float type. f16, bf16 and f32 convert exactly.
double loadFloat(runtime::DType type, const std::byte *place);

/// An element of an integer type in decimal.
std::string loadInteger(runtime::DType type, const std::byte *place);

/// The type of the parts of a complex number.
inline runtime::DType partType(runtime::DType type) {
  return type == runtime::DType::C64 ? runtime::DType::F32
                                     : runtime::DType::F64;
}

} // namespace kern::cli
