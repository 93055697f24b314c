//===- RawEnum.h - enumerators that come from C -----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstring>

namespace kern {

/// The number that a C caller passed, which may be none of the enumerators;
/// merely reading such a value as the enumeration is undefined in C++.
template <typename Enum> unsigned rawValue(const Enum &passed) {
  static_assert(sizeof(Enum) == sizeof(unsigned));
  unsigned raw = 0;
  std::memcpy(&raw, &passed, sizeof raw);
  return raw;
}

} // namespace kern
