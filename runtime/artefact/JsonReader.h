//===- JsonReader.h - JSON that anyone may have written --------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/artefact/Dimension.h"
#include "runtime/artefact/Json.h"
#include "runtime/artefact/Manifest.h"

namespace kern::runtime {

/// Reads members of JSON objects. After the first error, what it returns does
/// not matter.
class JsonReader {
public:
  /// The first error.
  std::optional<Error> problem;

  const JsonValue *member(const JsonValue &object, const char *key) {
    if (!object.as<JsonValue::Object>())
      fail(ErrorCode::manifest_no_object, {key});
    return object.member(key);
  }
  void string(const JsonValue &object, const char *key, std::string &out,
              bool required = true) {
    const JsonValue *value = member(object, key);
    if (!value && !required)
      return;
    const auto *text = value ? value->as<std::string>() : nullptr;
    if (!text)
      return fail(ErrorCode::manifest_string, {key});
    out = *text;
  }
  void boolean(const JsonValue &object, const char *key, bool &out) {
    const JsonValue *value = member(object, key);
    if (!value)
      return;
    const auto *flag = value->as<bool>();
    if (!flag)
      return fail(ErrorCode::manifest_boolean, {key});
    out = *flag;
  }
  void number(const JsonValue &object, const char *key, unsigned &out,
              unsigned least, unsigned most) {
    const JsonValue *value = member(object, key);
    const auto *number = value ? value->as<uint64_t>() : nullptr;
    if (!number || *number < least || *number > most)
      return fail(ErrorCode::manifest_number, {key, least, most});
    out = unsigned(*number);
  }
  /// Calls `each` for every element of an array.
  template <typename Each>
  void list(const JsonValue &object, const char *key, bool required,
            Each each) {
    const JsonValue *value = member(object, key);
    if (!value && !required)
      return;
    const auto *elements = value ? value->as<JsonValue::List>() : nullptr;
    if (!elements)
      return fail(ErrorCode::manifest_list, {key});
    for (const JsonValue &element : *elements)
      if (!problem)
        each(element);
  }
  std::string text(const JsonValue &value, const char *what) {
    const auto *text = value.as<std::string>();
    if (text)
      return *text;
    fail(ErrorCode::manifest_text, {what});
    return "";
  }
  void fail(ErrorCode code,
            std::initializer_list<TextArgument> arguments = {}) {
    if (!problem)
      problem.emplace(code, arguments);
  }

  DimExpr dim(const JsonValue &element) {
    DimExpr dim;
    const auto *tokens = element.as<JsonValue::List>();
    if (!tokens) {
      fail(ErrorCode::manifest_dimension_list);
      return dim;
    }
    for (const JsonValue &token : *tokens)
      dim.tokens.push_back(text(token, "a dimension's token"));
    if (!isWellFormed(dim))
      fail(ErrorCode::manifest_dimension);
    return dim;
  }
  void dims(const JsonValue &object, const char *key,
            std::vector<DimExpr> &out) {
    list(object, key, false,
         [&](const JsonValue &element) { out.push_back(dim(element)); });
  }
};

//===--- Defaults (Manifest.cpp) ------------------------------------------===//
/// The bytes of a default, the least significant first, in hexadecimal digits:
/// no digits of floats are lost.
std::string bitsOf(const DefaultArgument &);
/// Sets the value from such a text, which must have its type's bytes.
bool setBits(DefaultArgument &, std::string_view bits);

} // namespace kern::runtime
