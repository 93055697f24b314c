//===- NumberText.cpp - floats as NumPy writes them -----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/values/NumberText.h"

#include "runtime/array/Float16.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <vector>

namespace kern::cli {

using runtime::DType;

namespace {

/// d.ddd × 10^exponent of a finite value's magnitude.
struct Decimal {
  std::string digits; ///< no trailing zeros but for "0" itself
  int exponent = 0;
};

Decimal parseScientific(std::string_view text) {
  Decimal decimal;
  const size_t e = text.find('e');
  for (char c : text.substr(0, e))
    if (c != '.')
      decimal.digits += c;
  while (decimal.digits.size() > 1 && decimal.digits.back() == '0')
    decimal.digits.pop_back();
  decimal.exponent =
      int(std::strtol(std::string(text.substr(e + 1)).c_str(), nullptr, 10));
  return decimal;
}

/// The exact value rounded half to even to `fraction` digits after the first.
Decimal rounded(double magnitude, int fraction) {
  char buffer[512];
  auto result = std::to_chars(buffer, buffer + sizeof buffer, magnitude,
                              std::chars_format::scientific, fraction);
  return parseScientific({buffer, result.ptr});
}

/// The value rounded to the type.
double toType(double value, DType type) {
  switch (type) {
  case DType::F16:
    return double(runtime::toFloat(runtime::toHalf(value)));
  case DType::BF16:
    return double(runtime::toFloat(runtime::toBFloat(value)));
  case DType::F32:
    return double(float(value));
  default:
    return value;
  }
}

Decimal shortest(double magnitude, DType type) {
  if (itemSize(type) == 2) {
    // Half precision has no std::to_chars: the fewest digits that read back.
    for (int fraction = 0; fraction < 8; ++fraction) {
      char buffer[64];
      auto result = std::to_chars(buffer, buffer + sizeof buffer, magnitude,
                                  std::chars_format::scientific, fraction);
      *result.ptr = '\0';
      if (toType(std::strtod(buffer, nullptr), type) == magnitude)
        return parseScientific({buffer, result.ptr});
    }
  }
  char buffer[64];
  auto result =
      type == DType::F64
          ? std::to_chars(buffer, buffer + sizeof buffer, magnitude,
                          std::chars_format::scientific)
          : std::to_chars(buffer, buffer + sizeof buffer, float(magnitude),
                          std::chars_format::scientific);
  return parseScientific({buffer, result.ptr});
}

std::string signOf(double value, bool plusSign) {
  return std::signbit(value) ? "-" : plusSign ? "+" : "";
}

struct Parts {
  std::string whole, fraction;
};

/// "12" and "5" of 12.5; no trailing zeros in the fraction.
Parts positional(const Decimal &decimal) {
  const std::string &digits = decimal.digits;
  if (decimal.exponent < 0) {
    if (digits == "0")
      return {"0", ""};
    return {"0", std::string(size_t(-decimal.exponent - 1), '0') + digits};
  }
  const size_t whole = size_t(decimal.exponent) + 1;
  if (digits.size() <= whole)
    return {digits + std::string(whole - digits.size(), '0'), ""};
  return {digits.substr(0, whole), digits.substr(whole)};
}

/// At most `maxDigits` digits after the point.
Parts positional(double magnitude, DType type, size_t maxDigits) {
  Parts parts = positional(shortest(magnitude, type));
  if (parts.fraction.size() <= maxDigits)
    return parts;
  char buffer[512];
  auto result = std::to_chars(buffer, buffer + sizeof buffer, magnitude,
                              std::chars_format::fixed, int(maxDigits));
  std::string_view text(buffer, result.ptr);
  const size_t point = text.find('.');
  parts = {std::string(text.substr(0, point)),
           std::string(text.substr(point + 1))};
  while (!parts.fraction.empty() && parts.fraction.back() == '0')
    parts.fraction.pop_back();
  return parts;
}

/// At most `maxDigits` digits after the first.
Decimal scientificDigits(double magnitude, DType type, size_t maxDigits) {
  Decimal decimal = shortest(magnitude, type);
  return decimal.digits.size() <= maxDigits + 1
             ? decimal
             : rounded(magnitude, int(maxDigits));
}

std::string exponentText(int exponent, size_t size) {
  std::string digits = std::to_string(std::abs(exponent));
  digits.insert(0, size - std::min(size, digits.size()), '0');
  return (exponent < 0 ? "-" : "+") + digits;
}

std::string padLeft(std::string text, size_t width) {
  text.insert(0, width - std::min(width, text.size()), ' ');
  return text;
}

/// Decimal digits that a type always keeps: numpy.finfo(type).precision.
int precisionOf(DType type) {
  switch (type) {
  case DType::F16:
    return 3;
  case DType::BF16:
    return 2;
  case DType::F32:
    return 6;
  default:
    return 15;
  }
}

constexpr size_t digitsShown = 8;

} // namespace

std::string scalarText(double value, DType type) {
  if (std::isnan(value))
    return "nan";
  if (std::isinf(value))
    return value < 0 ? "-inf" : "inf";
  const double magnitude = std::fabs(value);
  const std::string sign = signOf(value, false);
  const double limit =
      type == DType::F64 ? 1e16 : std::pow(10, precisionOf(type));
  const Decimal decimal = shortest(magnitude, type);
  if (magnitude == 0 || (magnitude >= 1e-4 && magnitude < limit)) {
    Parts parts = positional(decimal);
    return sign + parts.whole + "." +
           (parts.fraction.empty() ? "0" : parts.fraction);
  }
  std::string text = sign + decimal.digits.substr(0, 1);
  if (decimal.digits.size() > 1)
    text += "." + decimal.digits.substr(1);
  return text + "e" + exponentText(decimal.exponent, 2);
}

FloatFormat::FloatFormat(std::span<const double> values, DType type,
                         bool plusSign)
    : type(type), plusSign(plusSign) {
  std::vector<double> finite;
  bool negativeInfinity = false;
  double largest = 0, smallest = INFINITY;
  for (double value : values) {
    negativeInfinity |= value == -INFINITY;
    if (!std::isfinite(value))
      continue;
    finite.push_back(value);
    if (value != 0) {
      largest = std::max(largest, std::fabs(value));
      smallest = std::min(smallest, std::fabs(value));
    }
  }
  // NumPy compares in the array's own type.
  if (largest != 0)
    scientific = largest >= std::pow(10, std::min(8, precisionOf(type))) ||
                 smallest < toType(0.0001, type) ||
                 toType(largest / smallest, type) > 1000;

  for (double value : finite) {
    const double magnitude = std::fabs(value);
    const size_t signSize = signOf(value, plusSign).size();
    if (scientific) {
      Decimal decimal = scientificDigits(magnitude, type, digitsShown);
      fraction = std::max(fraction, int(decimal.digits.size()) - 1);
      exponentSize =
          std::max(exponentSize, exponentText(decimal.exponent, 2).size() - 1);
      left = std::max(left, signSize + 1);
    } else {
      Parts parts = positional(magnitude, type, digitsShown);
      left = std::max(left, signSize + parts.whole.size());
      right = std::max(right, parts.fraction.size());
    }
  }
  if (scientific)
    right = exponentSize + 2 + size_t(fraction);
  if (finite.size() != values.size()) {
    const size_t width = 3 + (plusSign || negativeInfinity ? 1 : 0);
    left = std::max(left, width - std::min(width, right + 1));
  }
}

std::string FloatFormat::operator()(double value) const {
  if (!std::isfinite(value)) {
    std::string text = std::isnan(value) ? (plusSign ? "+nan" : "nan")
                                         : signOf(value, plusSign) + "inf";
    return padLeft(std::move(text), left + right + 1);
  }
  const std::string sign = signOf(value, plusSign);
  const double magnitude = std::fabs(value);
  if (scientific) {
    // Where other values need more digits, NumPy goes on with those of the
    // exact value and not with zeros.
    Decimal decimal = shortest(magnitude, type);
    if (int(decimal.digits.size()) - 1 != fraction)
      decimal = rounded(magnitude, fraction);
    std::string tail = decimal.digits.substr(1);
    tail.append(size_t(fraction) - tail.size(), '0');
    return padLeft(sign + decimal.digits[0], left) + "." + tail + "e" +
           exponentText(decimal.exponent, exponentSize);
  }
  Parts parts = positional(magnitude, type, digitsShown);
  std::string text = padLeft(sign + parts.whole, left) + "." + parts.fraction;
  text.append(right - std::min(right, parts.fraction.size()), ' ');
  return text;
}

} // namespace kern::cli
