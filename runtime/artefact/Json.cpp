//===- Json.cpp - JSON where memory may be short --------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/artefact/Json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

using namespace kern::runtime;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
/// Takes what nlohmann's parser finds. False ends it.
class Builder {
public:
  JsonValue root;

  bool null() { return add(nullptr); }
  bool boolean(bool truth) { return add(truth); }
  bool number_integer(int64_t number) { return add(number); }
  bool number_unsigned(uint64_t number) { return add(number); }
  bool number_float(double number, const std::string &) { return add(number); }
  bool string(std::string &text) { return add(std::move(text)); }
  bool binary(nlohmann::json::binary_t &) { return false; }
  bool start_object(size_t) { return open(JsonValue::Object()); }
  bool start_array(size_t) { return open(JsonValue::List()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string &name) {
    levels.back()->as<JsonValue::Object>()->emplace_back(std::move(name),
                                                         nullptr);
    return true;
  }
  bool parse_error(size_t, const std::string &,
                   const nlohmann::detail::exception &) {
    return false;
  }

private:
  /// The deepest manifest has about fifteen.
  static constexpr size_t maxLevels = 64;

  JsonValue &place(JsonValue value) {
    if (levels.empty())
      return root = std::move(value);
    if (auto *object = levels.back()->as<JsonValue::Object>())
      return object->back().second = std::move(value);
    return levels.back()->as<JsonValue::List>()->emplace_back(std::move(value));
  }
  bool add(JsonValue::Content content) {
    place(JsonValue(std::move(content)));
    return true;
  }
  bool open(JsonValue::Content content) {
    levels.push_back(&place(JsonValue(std::move(content))));
    return levels.size() <= maxLevels;
  }
  bool close() {
    levels.pop_back();
    return true;
  }

  /// The lists and objects that are not complete. Only the last one grows, so
  /// all stay where they are.
  std::vector<JsonValue *> levels;
};
} // namespace

std::optional<JsonValue> JsonValue::parse(std::string_view text) {
  Builder builder;
  if (!nlohmann::json::sax_parse(text, &builder))
    return std::nullopt;
  return std::move(builder.root);
}

std::optional<int64_t> JsonValue::integer() const {
  if (const auto *number = as<int64_t>())
    return *number;
  const auto *number = as<uint64_t>();
  return number && std::in_range<int64_t>(*number) ? std::optional(*number)
                                                   : std::nullopt;
}

const JsonValue *JsonValue::member(std::string_view name) const {
  const auto *members = as<Object>();
  if (!members)
    return nullptr;
  const auto at =
      std::find_if(members->rbegin(), members->rend(),
                   [&](const Member &member) { return member.first == name; });
  return at == members->rend() ? nullptr : &at->second;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

void JsonWriter::next() {
  if (!std::exchange(isFirst, false))
    out += ',';
}

void JsonWriter::begin(char bracket) {
  next();
  out += bracket;
  isFirst = true;
}

void JsonWriter::end(char bracket) {
  out += bracket;
  isFirst = false;
}

void JsonWriter::quote(std::string_view text) {
  const bool isPlain = std::ranges::all_of(text, [](char c) {
    return c >= ' ' && c < 127 && c != '"' && c != '\\';
  });
  if (isPlain)
    (out += '"').append(text) += '"';
  else // a string alone, which is destroyed without allocating
    out += nlohmann::json(text).dump(-1, ' ', /*ensure_ascii=*/true,
                                     nlohmann::json::error_handler_t::replace);
}

void JsonWriter::key(std::string_view name) {
  next();
  quote(name);
  out += ':';
  isFirst = true;
}

void JsonWriter::value(std::string_view text) {
  next();
  quote(text);
}
