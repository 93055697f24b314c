//===- Float16.h - half precision and bfloat16 on the host ------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conversions to and from the two 16-bit floats. They round once, to nearest
// even.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace kern::runtime {

/// IEEE binary16 as its bits.
struct Half {
  uint16_t bits = 0;
};
/// bfloat16 as its bits.
struct BFloat {
  uint16_t bits = 0;
};

inline float toFloat(Half h) {
  uint32_t sign = uint32_t(h.bits & 0x8000u) << 16;
  uint32_t magnitude = h.bits & 0x7fffu;
  if (magnitude >= 0x7c00) // infinity and NaN
    return std::bit_cast<float>(sign | 0x7f800000u | (magnitude & 0x3ff) << 13);
  if (magnitude >= 0x0400)
    return std::bit_cast<float>(sign | ((magnitude << 13) + 0x38000000u));
  float subnormal = float(magnitude) * 0x1p-24f;
  return sign ? -subnormal : subnormal;
}

inline float toFloat(BFloat b) {
  return std::bit_cast<float>(uint32_t(b.bits) << 16);
}

/// `value` rounded to f32 such that a second rounding to 16 bits gives what
/// one rounding would: inexact results have their last bit set (round to odd).
inline float roundToOdd(double value) {
  float nearest = float(value);
  if (!std::isfinite(value) || double(nearest) == value)
    return nearest;
  // The neighbour towards zero; the exact value lies strictly between it and
  // the next, so that setting the last bit marks it as inexact.
  uint32_t bits = std::bit_cast<uint32_t>(nearest);
  if (std::fabs(double(nearest)) > std::fabs(value))
    --bits;
  return std::bit_cast<float>(bits | 1u);
}

inline Half toHalf(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  uint16_t sign = uint16_t(bits >> 16 & 0x8000u);
  uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) // NaN, kept quiet
    return {uint16_t(sign | 0x7e00u | (magnitude >> 13 & 0x1ffu))};
  if (magnitude >= 0x477ff000u) // 65520 and more
    return {uint16_t(sign | 0x7c00u)};
  if (magnitude < 0x38800000u) {
    // Below 2^-14: adding 0.5 aligns the subnormal's unit with f32's last bit.
    float aligned = std::bit_cast<float>(magnitude) + 0.5f;
    return {uint16_t(sign | (std::bit_cast<uint32_t>(aligned) - 0x3f000000u))};
  }
  uint32_t rounded = magnitude + 0xfffu + (magnitude >> 13 & 1u);
  return {uint16_t(sign | ((rounded - 0x38000000u) >> 13))};
}

inline BFloat toBFloat(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u)
    return {uint16_t(bits >> 16 | 0x40u)};
  return {uint16_t((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16)};
}

inline Half toHalf(double value) { return toHalf(roundToOdd(value)); }
inline BFloat toBFloat(double value) { return toBFloat(roundToOdd(value)); }

} // namespace kern::runtime
