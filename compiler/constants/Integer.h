//===- Integer.h - Python's integers -------------------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <compare>
#include <optional>
#include <string>

namespace kern {

/// An integer as wide as its value needs, up to a bound.
class Integer {
public:
  /// Of the magnitude (Python's bit_length). What is wider is refused: a
  /// constant must not fill the memory.
  static constexpr unsigned maxBits = 4096;

  explicit Integer(__int128 value);
  /// Of a value in two's complement. Nothing beyond the bound.
  static std::optional<Integer> of(const llvm::APInt &value);
  /// Of a magnitude within the bound, the least significant word first.
  static Integer ofWords(llvm::ArrayRef<uint64_t> words);

  /// In two's complement of 128 bits or as many more as it needs.
  const llvm::APInt &bits() const { return value; }
  bool isZero() const { return value.isZero(); }
  bool isNegative() const { return value.isNegative(); }
  std::optional<int64_t> asInt64() const { return value.trySExtValue(); }
  std::optional<__int128> asInt128() const {
    if (!value.isSignedIntN(128))
      return std::nullopt;
    return __int128(value.getRawData()[1]) << 64 | value.getRawData()[0];
  }
  /// The nearest float; nothing beyond the largest.
  std::optional<double> toDouble() const;
  /// The decimal digits; of a long one, how wide it is.
  std::string text() const;

  bool operator==(const Integer &other) const { return compare(other) == 0; }
  /// Below, at or above 0 as this is less than, equal to or greater than.
  int compare(const Integer &other) const;
  /// The same with a float, by value; nothing for NaN.
  std::optional<int> compare(double other) const;

private:
  explicit Integer(llvm::APInt normal) : value(std::move(normal)) {}

  llvm::APInt value;
};

/// What an operation of two integers gives.
struct IntegerResult {
  enum Outcome : uint8_t {
    Done,
    Left,    ///< it has no such operation, or no value without a type: x // 0
    TooWide, ///< beyond the bound
  };
  Outcome outcome = Left;
  std::optional<Integer> value = std::nullopt; ///< when done
};

/// Applies a scalar function (NumPy's name) with Python's meaning.
IntegerResult applyToIntegers(llvm::StringRef function, const Integer &a,
                              const Integer &b);
/// The float that is nearest to a / b, b not 0; nothing beyond the largest.
std::optional<double> quotient(const Integer &a, const Integer &b);
/// The digits of `value`; of a long one, how wide it is.
std::string describeInteger(const llvm::APInt &value);

} // namespace kern
