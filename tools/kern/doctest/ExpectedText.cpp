//===- ExpectedText.cpp - what a test expects -----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/doctest/TestValue.h"

#include "runtime/array/DType.h"
#include "runtime/array/StridedView.h"
#include "runtime/error/Counted.h"
#include "tools/kern/values/Element.h"

#include <charconv>
#include <cmath>
#include <optional>

namespace kern::cli {

using runtime::DType;
using runtime::Expected;
using runtime::StridedView;

namespace {

/// One number as shown: `text` in digits, a sign before it.
struct Shown {
  double value = 0;
  double tolerance = 0; ///< half of a unit of the last digit; 0: exact
  bool isInteger = false;
  std::string digits; ///< of an integer, with its sign
};

/// `12`, `-0.5`, `1e-10`, `nan`, `-inf`: taken from the head of `text`.
std::optional<Shown> takeNumber(std::string_view &text) {
  Shown shown;
  size_t at = 0;
  bool negative = false;
  if (at < text.size() && (text[at] == '-' || text[at] == '+'))
    negative = text[at++] == '-';
  for (std::string_view word : {"inf", "nan"})
    if (text.substr(at).starts_with(word)) {
      text.remove_prefix(at + 3);
      shown.value = word == "nan" ? NAN : negative ? -INFINITY : INFINITY;
      return shown;
    }
  std::string digits;
  long decimals = 0;
  bool point = false, exponent = false;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c >= '0' && c <= '9') {
      digits += c;
      decimals += point;
    } else if (c == '.' && !point) {
      digits += c;
      point = true;
    } else if (c != '_' || digits.empty()) {
      break;
    }
  }
  if (digits.find_first_of("0123456789") == digits.npos)
    return std::nullopt;
  long power = 0;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    const size_t first = at + 1 + (text.substr(at + 1, 1) == "+");
    auto [end, error] =
        std::from_chars(text.data() + first, text.data() + text.size(), power);
    if (error == std::errc()) {
      exponent = true;
      digits += "e" + std::to_string(power);
      at = size_t(end - text.data());
    }
  }
  text.remove_prefix(at);
  // `5.` is what NumPy prints for `5.0`.
  if (point && decimals == 0)
    decimals = 1;
  shown.value = std::strtod(digits.c_str(), nullptr) * (negative ? -1 : 1);
  shown.isInteger = !point && !exponent;
  if (shown.isInteger) {
    const size_t zeros =
        std::min(digits.find_first_not_of('0'), digits.size() - 1);
    shown.digits = digits.substr(zeros);
    if (negative && shown.digits != "0")
      shown.digits.insert(0, "-");
  } else {
    shown.tolerance = 0.5 * std::pow(10.0, double(power - decimals));
  }
  return shown;
}

/// Half a unit, plus the rounding error of the comparison itself.
bool agrees(double actual, const Shown &shown, bool isSingle) {
  if (std::isnan(shown.value) || std::isnan(actual))
    return std::isnan(shown.value) && std::isnan(actual);
  if (actual == shown.value || (isSingle && actual == float(shown.value)))
    return true;
  return std::isfinite(shown.value) && std::isfinite(actual) &&
         std::abs(actual - shown.value) <=
             shown.tolerance * (1 + 1e-9) +
                 std::abs(actual) * 0x1p-52 * (shown.tolerance > 0);
}

class Matcher {
public:
  explicit Matcher(std::string_view text) : text(text) {}

  std::string run(const TestValue &value) {
    std::string found = value.isTuple ? tuple(value) : single(value);
    skipSpace();
    if (found.empty() && !text.empty())
      return "'" + std::string(text) + "' is left over from the expected text";
    return found;
  }

private:
  void skipSpace() {
    while (!text.empty() && (text[0] == ' ' || text[0] == '\t'))
      text.remove_prefix(1);
  }
  bool take(char c) {
    skipSpace();
    if (text.empty() || text[0] != c)
      return false;
    text.remove_prefix(1);
    return true;
  }

  std::string tuple(const TestValue &value) {
    const bool bracket = take('(');
    for (size_t i = 0; i < value.tuple.size(); ++i) {
      if (i && !take(','))
        return "there are " + std::to_string(value.tuple.size()) + " results";
      if (std::string found = single(value.tuple[i]); !found.empty())
        return "result " + std::to_string(i + 1) + ": " + found;
    }
    take(',');
    if (bracket && !take(')'))
      return "there are " + std::to_string(value.tuple.size()) + " results";
    return {};
  }

  std::string single(const TestValue &value) {
    if (value.isWide())
      return wide(value);
    Expected<std::shared_ptr<DLManagedTensor>> array = toArray(value);
    if (!array)
      return array.error().message;
    Expected<StridedView> view =
        runtime::viewOf(&(*array)->dl_tensor, "the result");
    if (!view)
      return view.error().message;
    std::vector<int64_t> index;
    return dimension(*view, view->data, index);
  }

  /// A plain integer that no array holds.
  std::string wide(const TestValue &value) {
    skipSpace();
    const std::optional<Shown> shown = takeNumber(text);
    return shown && shown->isInteger && shown->digits == value.wide
               ? std::string()
               : "it is " + value.wide;
  }

  /// From one bracket to its end, or one number.
  std::string dimension(const StridedView &view, const std::byte *place,
                        std::vector<int64_t> &index) {
    if (index.size() == view.rank())
      return element(view.dtype, place, index);
    if (!take('['))
      return "the result has " + runtime::counted(view.rank(), "dimension");
    const int64_t extent = view.shape[index.size()];
    const int64_t stride = view.strides[index.size()];
    std::string length = "dimension " + std::to_string(index.size()) + " has " +
                         runtime::counted(size_t(extent), "element");
    for (int64_t i = 0; i < extent; ++i) {
      skipSpace();
      if (text.starts_with("]"))
        return length;
      index.push_back(i);
      std::string found = dimension(view, place + i * stride, index);
      index.pop_back();
      if (!found.empty())
        return found;
      take(',');
    }
    return take(']') ? std::string() : length;
  }

  std::string element(DType type, const std::byte *place,
                      const std::vector<int64_t> &index) {
    skipSpace();
    std::string where;
    for (int64_t i : index)
      where += (where.empty() ? "element [" : ", ") + std::to_string(i);
    where += where.empty() ? "it is " : "] is ";
    if (type == DType::Bool) {
      const bool flag = load<bool>(place);
      const std::string_view word = flag ? "True" : "False";
      if (!text.starts_with(word))
        return where + std::string(word);
      text.remove_prefix(word.size());
      return {};
    }
    if (isComplex(type))
      return complex(partType(type), place, where);
    std::optional<Shown> shown = takeNumber(text);
    if (!shown)
      return "'" + std::string(text.substr(0, 20)) + "' is not a number";
    if (isInteger(type)) {
      const std::string actual = loadInteger(type, place);
      return shown->isInteger && shown->digits == actual ? std::string()
                                                         : where + actual;
    }
    return real(type, place, *shown, where);
  }

  static std::string real(DType type, const std::byte *place,
                          const Shown &shown, const std::string &where) {
    const double actual = loadFloat(type, place);
    const bool isSingle = type != DType::F64;
    if (agrees(actual, shown, isSingle))
      return {};
    char digits[32];
    auto end = isSingle ? std::to_chars(digits, digits + 32, float(actual)).ptr
                        : std::to_chars(digits, digits + 32, actual).ptr;
    return where + std::string(digits, end);
  }

  /// `2j`, `1+2j` or `(1+2j)`; a number without `j` has no imaginary part.
  /// `type` is that of the parts.
  std::string complex(DType type, const std::byte *place,
                      const std::string &where) {
    const bool bracket = take('(');
    skipSpace();
    std::optional<Shown> first = takeNumber(text);
    Shown second;
    if (!first)
      return "'" + std::string(text.substr(0, 20)) + "' is not a number";
    if (take('j')) {
      second = *first;
      first = Shown();
    } else if (!text.empty() && (text[0] == '+' || text[0] == '-')) {
      std::optional<Shown> imaginary = takeNumber(text);
      if (!imaginary || !take('j'))
        return "'" + std::string(text.substr(0, 20)) +
               "' is not an imaginary part";
      second = *imaginary;
    }
    if (bracket && !take(')'))
      return "a `)` is missing";
    std::string found = real(type, place, *first, "real part: " + where);
    if (found.empty())
      found = real(type, place + itemSize(type), second,
                   "imaginary part: " + where);
    return found;
  }

  std::string_view text;
};

} // namespace

std::string difference(const TestValue &value, std::string_view expected) {
  return Matcher(expected).run(value);
}

} // namespace kern::cli
