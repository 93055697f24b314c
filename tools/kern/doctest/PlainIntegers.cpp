//===- PlainIntegers.cpp - Python's integers as text ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/doctest/PlainIntegers.h"

#include "compiler/constants/Integer.h"
#include "compiler/syntax/Literals.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSwitch.h"

#include <cmath>

namespace kern::cli {

using compiler::Integer;
using compiler::IntegerResult;
using ir::ScalarFunction;

/// Whether a text is an integer literal without a sign.
static bool isLiteral(std::string_view text) {
  std::string_view digits = "0123456789";
  for (auto [prefix, allowed] : {std::pair<std::string_view, std::string_view>(
                                     "0x", "0123456789abcdefABCDEF"),
                                 {"0o", "01234567"},
                                 {"0b", "01"}})
    if (text.starts_with(prefix)) {
      digits = allowed;
      text.remove_prefix(prefix.size());
    }
  return !text.empty() && text.find_first_of(digits) == 0 &&
         text.find_first_not_of(std::string(digits) + "_") == text.npos;
}

static std::optional<Integer> read(std::string_view text) {
  const bool isNegative = text.starts_with("-");
  text.remove_prefix(isNegative ? 1 : 0);
  if (!isLiteral(text))
    return std::nullopt;
  std::optional<std::vector<uint64_t>> words =
      compiler::syntax::integerValue(text);
  if (!words)
    return std::nullopt;
  const Integer value = Integer::ofWords(*words);
  return isNegative
             ? Integer::of(-value.bits().sext(value.bits().getBitWidth() + 1))
             : value;
}

static PlainOutcome refuse(std::string why) { return {{}, std::move(why)}; }

static std::optional<bool> compared(std::string_view op, int order) {
  return llvm::StringSwitch<std::optional<bool>>(op)
      .Case("<", order < 0)
      .Case("<=", order <= 0)
      .Case(">", order > 0)
      .Case(">=", order >= 0)
      .Case("==", order == 0)
      .Case("!=", order != 0)
      .Default(std::nullopt);
}

static PlainOutcome compute(std::string_view op, const Integer &a,
                            const Integer &b) {
  if (std::optional<bool> truth = compared(op, a.compare(b)))
    return {*truth, {}};
  const bool divides = op == "/" || op == "//" || op == "%";
  if (divides && b.isZero())
    return refuse("division by zero");
  const std::string tooLarge = "an integer is too large for a float";
  if (op == "/") {
    std::optional<double> result = quotient(a, b);
    return result ? PlainOutcome{*result, {}} : refuse(tooLarge);
  }
  if (op == "**" && b.isNegative()) {
    if (a.isZero())
      return refuse("0 to a negative power");
    std::optional<double> base = a.toDouble(), exponent = b.toDouble();
    return base && exponent ? PlainOutcome{std::pow(*base, *exponent), {}}
                            : refuse(tooLarge);
  }
  if ((op == "<<" || op == ">>") && b.isNegative())
    return refuse("a shift by a negative count");
  const std::optional<ScalarFunction> function =
      llvm::StringSwitch<std::optional<ScalarFunction>>(op)
          .Case("+", ScalarFunction::add)
          .Case("-", ScalarFunction::subtract)
          .Case("*", ScalarFunction::multiply)
          .Case("//", ScalarFunction::floor_divide)
          .Case("%", ScalarFunction::remainder)
          .Case("**", ScalarFunction::power)
          .Case("<<", ScalarFunction::left_shift)
          .Case(">>", ScalarFunction::right_shift)
          .Case("&", ScalarFunction::bitwise_and)
          .Case("|", ScalarFunction::bitwise_or)
          .Case("^", ScalarFunction::bitwise_xor)
          .Default(std::nullopt);
  if (!function)
    return refuse("integers have no `" + std::string(op) + "`");
  const IntegerResult result = applyToIntegers(*function, a, b);
  if (result.outcome == IntegerResult::TooWide)
    return refuse("an integer of more than " +
                  std::to_string(Integer::maxBits) + " bits");
  if (!result.value)
    return refuse("integers have no `" + std::string(op) + "`");
  llvm::SmallString<48> digits;
  result.value->bits().toStringSigned(digits);
  return {std::string(digits), {}};
}

PlainOutcome plainOperation(std::string_view op, std::string_view a,
                            std::string_view b) {
  const std::optional<Integer> left = read(a), right = read(b);
  if (!left || !right)
    return refuse("'" + std::string((left ? b : a).substr(0, 40)) +
                  "' is not an integer of up to " +
                  std::to_string(Integer::maxBits) + " bits");
  return compute(op, *left, *right);
}

std::optional<int> plainOrder(std::string_view a, double b) {
  const std::optional<Integer> value = read(a);
  return value ? value->compare(b) : std::nullopt;
}

std::optional<double> plainFloat(std::string_view a) {
  const std::optional<Integer> value = read(a);
  return value ? value->toDouble() : std::nullopt;
}

} // namespace kern::cli
