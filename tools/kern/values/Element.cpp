//===- Element.cpp - reads one element of an array ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/values/Element.h"

#include "runtime/array/Float16.h"

namespace kern::cli {

using namespace runtime;

double loadFloat(DType type, const std::byte *place) {
  switch (type) {
  case DType::F16:
    return double(toFloat(load<Half>(place)));
  case DType::BF16:
    return double(toFloat(load<BFloat>(place)));
  case DType::F32:
    return double(load<float>(place));
  default:
    return load<double>(place);
  }
}

std::string loadInteger(DType type, const std::byte *place) {
  const size_t size = itemSize(type);
  uint64_t bits = 0;
  std::memcpy(&bits, place, size);
  if (!isSigned(type))
    return std::to_string(bits);
  const unsigned shift = unsigned(64 - 8 * size);
  return std::to_string(int64_t(bits << shift) >> shift);
}

} // namespace kern::cli
