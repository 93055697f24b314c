//===- Json.h - JSON where memory may be short ------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// nlohmann's lists and objects allocate memory when they are destroyed, which
// ends the process where there is none. Here its lexer reads and its strings
// are written, but what is between is ours, and throws std::bad_alloc.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace kern::runtime {

/// A value that was read.
class JsonValue {
public:
  using Member = std::pair<std::string, JsonValue>;
  using List = std::vector<JsonValue>;
  using Object = std::vector<Member>; ///< in the order of the text
  /// Numbers without a sign are `uint64_t`.
  using Content = std::variant<std::nullptr_t, bool, uint64_t, int64_t, double,
                               std::string, List, Object>;

  /// Nothing for what is not JSON, and for more levels than any text of ours
  /// has.
  static std::optional<JsonValue> parse(std::string_view text);

  JsonValue() = default; ///< null
  explicit JsonValue(Content value) : content(std::move(value)) {}

  /// The content if it is of this type, else NULL.
  template <typename T> const T *as() const { return std::get_if<T>(&content); }
  template <typename T> T *as() { return std::get_if<T>(&content); }
  /// A whole number that fits.
  std::optional<int64_t> integer() const;
  /// A member of an object: the last one of that name. NULL if there is none.
  const JsonValue *member(std::string_view name) const;

private:
  Content content;
};

/// Writes JSON from its beginning to its end, in ASCII and on one line. What is
/// no UTF-8 becomes U+FFFD.
class JsonWriter {
public:
  /// `members` writes them, each with key() and its value.
  template <typename Members> void object(const Members &members) {
    begin('{');
    members();
    end('}');
  }
  /// `each` writes one value for each element.
  template <typename Elements, typename Each>
  void list(const Elements &elements, const Each &each) {
    begin('[');
    for (const auto &element : elements)
      each(element);
    end(']');
  }
  void key(std::string_view name);
  void value(std::string_view text);
  void value(const char *text) { value(std::string_view(text)); }
  void value(std::same_as<bool> auto truth) {
    next();
    out += truth ? "true" : "false";
  }
  template <std::integral T>
    requires(!std::same_as<T, bool>)
  void value(T number) {
    next();
    out += std::to_string(number);
  }
  std::string take() { return std::move(out); }

private:
  /// A comma where something comes before.
  void next();
  void begin(char bracket);
  void end(char bracket);
  void quote(std::string_view text);

  std::string out;
  bool isFirst = true; ///< of its list or object, or after a key
};

} // namespace kern::runtime
