//===- Value.cpp - numbers on the command line ----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/values/Value.h"

#include "runtime/array/DType.h"
#include "runtime/array/Float16.h"

#include <array>
#include <charconv>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>
#include <variant>

namespace kern::cli {

using runtime::DType;
using runtime::Error;
using runtime::Expected;

namespace {

struct Integer {
  bool negative = false;
  uint64_t magnitude = 0;
  double toDouble() const {
    return negative ? -double(magnitude) : double(magnitude);
  }
};
using Number = std::variant<bool, Integer, double, std::complex<double>>;

Error refuse(std::string message) {
  return {KERN_ERROR_ARGUMENT, std::move(message)};
}

bool isDigit(char c) { return c >= '0' && c <= '9'; }

bool consume(std::string_view &text, std::string_view word) {
  if (text.substr(0, word.size()) != word)
    return false;
  text.remove_prefix(word.size());
  return true;
}

/// The longest unsigned Python literal at the head of `text`, without its
/// underscores: digits, a fraction, an exponent; `inf`, `infinity`, `nan`.
struct Literal {
  std::string text;
  bool isFloat = false;
};

void takeDigits(std::string_view &text, std::string &into) {
  while (!text.empty() &&
         (isDigit(text[0]) || (text[0] == '_' && !into.empty() &&
                               text.size() > 1 && isDigit(text[1])))) {
    if (text[0] != '_')
      into += text[0];
    text.remove_prefix(1);
  }
}

std::optional<Literal> takeLiteral(std::string_view &text) {
  for (std::string_view word : {"infinity", "inf", "nan"})
    if (consume(text, word))
      return Literal{std::string(word), true};
  Literal literal;
  takeDigits(text, literal.text);
  bool digits = !literal.text.empty();
  if (!text.empty() && text[0] == '.') {
    text.remove_prefix(1);
    size_t before = literal.text.size();
    literal.text += '.';
    takeDigits(text, literal.text);
    digits |= literal.text.size() > before + 1;
    literal.isFloat = true;
  }
  if (!digits)
    return std::nullopt;
  if (!text.empty() && (text[0] == 'e' || text[0] == 'E')) {
    size_t at = 1;
    if (at < text.size() && (text[at] == '+' || text[at] == '-'))
      ++at;
    if (at < text.size() && isDigit(text[at])) {
      literal.text += text.substr(0, at);
      text.remove_prefix(at);
      takeDigits(text, literal.text);
      literal.isFloat = true;
    }
  }
  return literal;
}

double toDouble(const Literal &literal) {
  return std::strtod(literal.text.c_str(), nullptr);
}

/// `0x…`, `0o…`, `0b…` or decimal digits.
Expected<Integer> toInteger(std::string_view digits, int base,
                            std::string_view whole) {
  Integer result;
  auto [end, error] = std::from_chars(
      digits.data(), digits.data() + digits.size(), result.magnitude, base);
  if (error == std::errc::result_out_of_range)
    return refuse("'" + std::string(whole) +
                  "' is out of range: no integer type holds it");
  if (error != std::errc() || end != digits.data() + digits.size())
    return refuse("'" + std::string(whole) + "' is not a number");
  return result;
}

/// A number without a type's name around it.
Expected<Number> parseNumber(std::string_view whole) {
  std::string_view text = whole;
  const Error malformed =
      refuse("'" + std::string(whole) + "' is not a number");
  if (text == "True" || text == "False")
    return Number(text == "True");
  if (text.size() > 2 && text.front() == '(' && text.back() == ')')
    text = text.substr(1, text.size() - 2);

  auto takeSign = [&text](bool required) -> std::optional<bool> {
    if (consume(text, "-"))
      return true;
    if (consume(text, "+") || !required)
      return false;
    return std::nullopt;
  };
  const bool negative = *takeSign(/*required=*/false);
  for (auto [prefix, base] : {std::pair{"0x", 16}, {"0o", 8}, {"0b", 2}})
    if (consume(text, prefix)) {
      Expected<Integer> integer = toInteger(text, base, whole);
      if (!integer)
        return integer.error();
      integer->negative = negative;
      return Number(*integer);
    }

  std::optional<Literal> first = takeLiteral(text);
  if (!first)
    return malformed;
  if (text.empty()) {
    if (first->isFloat)
      return Number(negative ? -toDouble(*first) : toDouble(*first));
    Expected<Integer> integer = toInteger(first->text, 10, whole);
    if (!integer)
      return integer.error();
    integer->negative = negative;
    return Number(*integer);
  }

  const double one = negative ? -toDouble(*first) : toDouble(*first);
  if (text == "j" || text == "J")
    return Number(std::complex<double>(0, one));
  std::optional<bool> imaginaryNegative = takeSign(/*required=*/true);
  if (!imaginaryNegative)
    return malformed;
  std::optional<Literal> second = takeLiteral(text);
  if (!second || (text != "j" && text != "J"))
    return malformed;
  const double two = toDouble(*second);
  return Number(std::complex<double>(one, *imaginaryNegative ? -two : two));
}

template <typename T> void store(kern_value &value, T number) {
  std::memcpy(value.as.bits, &number, sizeof number);
}

/// Truncates and saturates; NaN gives 0.
template <typename T> T saturate(double number) {
  using Limits = std::numeric_limits<T>;
  if (std::isnan(number))
    return 0;
  number = std::trunc(number);
  // max() + 1 is a power of two and so exact, where max() may not be.
  if (number >= std::ldexp(1.0, Limits::digits))
    return Limits::max();
  if (number <= double(Limits::min()))
    return Limits::min();
  return T(number);
}

template <typename T>
bool storeInteger(kern_value &value, const Number &number) {
  if (const bool *flag = std::get_if<bool>(&number)) {
    store(value, T(*flag));
    return true;
  }
  if (const double *real = std::get_if<double>(&number)) {
    store(value, saturate<T>(*real));
    return true;
  }
  const Integer &integer = std::get<Integer>(number);
  using Limits = std::numeric_limits<T>;
  const uint64_t maxMagnitude = uint64_t(0) - uint64_t(Limits::min());
  if (integer.negative ? integer.magnitude > maxMagnitude
                       : integer.magnitude > uint64_t(Limits::max()))
    return false;
  store(value, T(integer.negative ? uint64_t(0) - integer.magnitude
                                  : integer.magnitude));
  return true;
}

/// True where the value fits the type.
bool storeTyped(kern_value &value, DType type, const Number &number) {
  auto real = [&number]() -> double {
    if (const bool *flag = std::get_if<bool>(&number))
      return *flag;
    if (const Integer *integer = std::get_if<Integer>(&number))
      return integer->toDouble();
    return std::get<double>(number);
  };
  auto complex = [&]() -> std::complex<double> {
    if (const auto *parts = std::get_if<std::complex<double>>(&number))
      return *parts;
    return real();
  };
  switch (type) {
  case DType::Bool:
    store(value, complex() != 0.0);
    return true;
  case DType::I8:
    return storeInteger<int8_t>(value, number);
  case DType::U8:
    return storeInteger<uint8_t>(value, number);
  case DType::I16:
    return storeInteger<int16_t>(value, number);
  case DType::U16:
    return storeInteger<uint16_t>(value, number);
  case DType::I32:
    return storeInteger<int32_t>(value, number);
  case DType::U32:
    return storeInteger<uint32_t>(value, number);
  case DType::I64:
    return storeInteger<int64_t>(value, number);
  case DType::U64:
    return storeInteger<uint64_t>(value, number);
  case DType::F16:
    store(value, runtime::toHalf(real()));
    return true;
  case DType::BF16:
    store(value, runtime::toBFloat(real()));
    return true;
  case DType::F32:
    // Not by way of double: an integer is rounded once.
    if (const Integer *integer = std::get_if<Integer>(&number)) {
      const float magnitude = float(integer->magnitude);
      store(value, integer->negative ? -magnitude : magnitude);
    } else {
      store(value, float(real()));
    }
    return true;
  case DType::F64:
    store(value, real());
    return true;
  case DType::C64:
    store(value, std::complex<float>(complex()));
    return true;
  case DType::C128:
    store(value, complex());
    return true;
  }
  return false;
}

Expected<kern_value> typedValue(DType type, std::string_view inner,
                                std::string_view whole) {
  Expected<Number> number = parseNumber(inner);
  if (!number)
    return number.error();
  kern_value value{};
  value.kind = KERN_VALUE_SCALAR;
  value.dtype = kern_dtype(type);
  if (std::holds_alternative<std::complex<double>>(*number) &&
      !isComplex(type) && type != DType::Bool)
    return refuse("'" + std::string(whole) +
                  "': a complex number does not convert to " +
                  std::string(name(type)));
  if (!storeTyped(value, type, *number))
    return refuse("'" + std::string(whole) + "': " + std::string(inner) +
                  " is out of range for " + std::string(name(type)));
  return value;
}

Expected<kern_value> weakValue(const Number &number, std::string_view whole) {
  kern_value value{};
  if (const bool *flag = std::get_if<bool>(&number)) {
    value.kind = KERN_VALUE_SCALAR;
    value.dtype = KERN_BOOL;
    store(value, *flag);
  } else if (const double *real = std::get_if<double>(&number)) {
    value.kind = KERN_VALUE_WEAK_FLOAT;
    value.as.real = *real;
  } else if (const Integer *integer = std::get_if<Integer>(&number)) {
    value.kind = KERN_VALUE_WEAK_INT;
    kern_value stored{};
    if (!storeInteger<int64_t>(stored, *integer))
      return refuse("'" + std::string(whole) + "' is out of range for i64" +
                    (integer->negative
                         ? std::string()
                         : "; u64(" + std::string(whole) + ") holds it"));
    value.as.integer = stored.as.integer;
  } else {
    const auto parts = std::get<std::complex<double>>(number);
    value.kind = KERN_VALUE_WEAK_COMPLEX;
    value.as.complex_parts[0] = parts.real();
    value.as.complex_parts[1] = parts.imag();
  }
  return value;
}

} // namespace

Expected<kern_value> parseValue(std::string_view text) {
  const size_t open = text.find('(');
  if (open != std::string_view::npos && open != 0 && text.back() == ')') {
    const std::string_view name = text.substr(0, open);
    if (std::optional<DType> type = runtime::parseDType(name))
      return typedValue(*type, text.substr(open + 1, text.size() - open - 2),
                        text);
    return refuse("'" + std::string(text) + "': there is no type '" +
                  std::string(name) + "'");
  }
  Expected<Number> number = parseNumber(text);
  if (!number)
    return number.error();
  return weakValue(*number, text);
}

Expected<std::optional<kern_range>> parseRange(std::string_view text) {
  constexpr size_t most = 3;
  std::array<std::string_view, most> parts;
  size_t count = 0;
  for (std::string_view rest = text;; ++count) {
    if (count == most)
      return std::optional<kern_range>();
    const size_t colon = rest.find(':');
    parts[count] = rest.substr(0, colon);
    if (colon == rest.npos)
      break;
    rest.remove_prefix(colon + 1);
  }
  kern_range range = {0, 0, 1};
  int64_t *numbers[] = {&range.start, &range.stop, &range.step};
  const bool isRange = ++count > 1;
  for (size_t i = 0; i < count && isRange; ++i) {
    const std::string_view part = parts[i];
    if (part.empty() && i == 0)
      continue;
    auto [end, error] =
        std::from_chars(part.data(), part.data() + part.size(), *numbers[i]);
    if (error == std::errc::result_out_of_range)
      return refuse("'" + std::string(text) +
                    "': the numbers of a range have 64 bits");
    if (error != std::errc() || end != part.data() + part.size())
      return std::optional<kern_range>();
  }
  return isRange ? std::optional(range) : std::optional<kern_range>();
}

bool looksLikeNegativeNumber(std::string_view text) {
  if (!consume(text, "-") || text.empty())
    return false;
  return isDigit(text[0]) || text[0] == '.' || text.substr(0, 3) == "inf" ||
         text.substr(0, 3) == "nan";
}

} // namespace kern::cli
