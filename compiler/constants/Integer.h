//===- Integer.h - Python's integers -------------------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Kern/ScalarFunctions.h"

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/ArrayRef.h"

#include <compare>
#include <optional>
#include <string>

namespace kern::compiler {

/// An integer as wide as its value needs, up to maxBits.
class Integer {
public:
  /// The most bits of the magnitude (Python's bit_length). Wider integers are
  /// rejected: a constant must not fill the memory.
  static constexpr unsigned maxBits = 4096;

  explicit Integer(__int128 value);
  /// From two's complement; nothing beyond the bound.
  static std::optional<Integer> of(const llvm::APInt &value);
  /// From a magnitude within the bound, least significant word first.
  static Integer ofWords(llvm::ArrayRef<uint64_t> words);

  /// Two's complement, in 128 bits or more.
  const llvm::APInt &bits() const { return value; }
  bool isZero() const { return value.isZero(); }
  bool isNegative() const { return value.isNegative(); }
  std::optional<int64_t> asInt64() const { return value.trySExtValue(); }
  std::optional<__int128> asInt128() const {
    if (!value.isSignedIntN(128))
      return std::nullopt;
    return __int128(value.getRawData()[1]) << 64 | value.getRawData()[0];
  }
  /// The nearest float; nothing beyond the largest float.
  std::optional<double> toDouble() const;
  /// The decimal digits; for a long integer, a text with its width.
  std::string text() const;

  bool operator==(const Integer &other) const { return compare(other) == 0; }
  /// Negative, 0 or positive, as this is less than, equal to or greater than
  /// `other`.
  int compare(const Integer &other) const;
  /// Compares with a float by value; nothing for NaN.
  std::optional<int> compare(double other) const;

private:
  explicit Integer(llvm::APInt normal) : value(std::move(normal)) {}

  llvm::APInt value;
};

/// The outcome of an operation on integers.
struct IntegerResult {
  enum Outcome : uint8_t {
    Done,
    Left,    ///< no such operation, or the type decides: x // 0
    TooWide, ///< wider than the bound
  };
  Outcome outcome = Left;
  std::optional<Integer> value = std::nullopt; ///< set if Done
};

/// Applies a function as Python does.
IntegerResult applyToIntegers(ir::ScalarFunction function, const Integer &a,
                              const Integer &b);
/// The float nearest to a / b, for b other than 0; nothing beyond the largest
/// float.
std::optional<double> quotient(const Integer &a, const Integer &b);
/// The digits of `value`; for a long integer, a text with its width.
std::string describeInteger(const llvm::APInt &value);

} // namespace kern::compiler
