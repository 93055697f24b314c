//===- JsonReader.h - JSON that anyone may have written --------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/artefact/Dimension.h"
#include "runtime/artefact/Manifest.h"

#include <nlohmann/json.hpp>

namespace kern::runtime {

/// Reads members of JSON objects and checks every access, since the library
/// would throw. After the first error, what it returns does not matter.
class JsonReader {
public:
  /// The first error.
  std::optional<Error> problem;

  const nlohmann::ordered_json *member(const nlohmann::ordered_json &object,
                                       const char *key) {
    if (!object.is_object()) {
      fail(ErrorCode::manifest_no_object, {key});
      return nullptr;
    }
    auto at = object.find(key);
    return at == object.end() ? nullptr : &*at;
  }
  void string(const nlohmann::ordered_json &object, const char *key,
              std::string &out, bool required = true) {
    const nlohmann::ordered_json *value = member(object, key);
    if (!value && !required)
      return;
    const auto *text = value ? value->get_ptr<const std::string *>() : nullptr;
    if (!text)
      return fail(ErrorCode::manifest_string, {key});
    out = *text;
  }
  void boolean(const nlohmann::ordered_json &object, const char *key,
               bool &out) {
    const nlohmann::ordered_json *value = member(object, key);
    if (!value)
      return;
    const auto *flag = value->get_ptr<const bool *>();
    if (!flag)
      return fail(ErrorCode::manifest_boolean, {key});
    out = *flag;
  }
  void number(const nlohmann::ordered_json &object, const char *key,
              unsigned &out, unsigned least, unsigned most) {
    const nlohmann::ordered_json *value = member(object, key);
    const auto *number = value ? value->get_ptr<const uint64_t *>() : nullptr;
    if (!number || *number < least || *number > most)
      return fail(ErrorCode::manifest_number, {key, least, most});
    out = unsigned(*number);
  }
  /// Calls `each` for every element of an array.
  template <typename Each>
  void list(const nlohmann::ordered_json &object, const char *key,
            bool required, Each each) {
    const nlohmann::ordered_json *value = member(object, key);
    if (!value && !required)
      return;
    if (!value || !value->is_array())
      return fail(ErrorCode::manifest_list, {key});
    for (const nlohmann::ordered_json &element : *value)
      if (!problem)
        each(element);
  }
  std::string text(const nlohmann::ordered_json &value, const char *what) {
    const auto *text = value.get_ptr<const std::string *>();
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

  DimExpr dim(const nlohmann::ordered_json &element) {
    DimExpr dim;
    if (!element.is_array()) {
      fail(ErrorCode::manifest_dimension_list);
      return dim;
    }
    for (const nlohmann::ordered_json &token : element)
      dim.tokens.push_back(text(token, "a dimension's token"));
    if (!isWellFormed(dim))
      fail(ErrorCode::manifest_dimension);
    return dim;
  }
  void dims(const nlohmann::ordered_json &object, const char *key,
            std::vector<DimExpr> &out) {
    list(object, key, false, [&](const nlohmann::ordered_json &element) {
      out.push_back(dim(element));
    });
  }
};

//===--- Defaults (Manifest.cpp) ------------------------------------------===//
/// The bytes of a default, the least significant first, in hexadecimal digits:
/// no digits of floats are lost.
std::string bitsOf(const DefaultArgument &);
/// Sets the value from such a text, which must have its type's bytes.
bool setBits(DefaultArgument &, std::string_view bits);

} // namespace kern::runtime
