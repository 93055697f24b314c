//===- Arguments.cpp - the inputs of a call -------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/values/Arguments.h"

#include "compiler/syntax/UnicodeLetters.h"
#include "kern/options.h"
#include "tools/kern/values/NumberList.h"
#include "tools/kern/values/Value.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace kern::cli {

using runtime::Error;
using runtime::Expected;

std::string ending(const std::string &path) {
  std::string text = std::filesystem::path(path).extension().string();
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return char(std::tolower(c)); });
  return text;
}

/// The NumPy call that reads a file of another kind, by its name:
/// `np.loadtxt("a.csv", delimiter=",")`. "" if unknown.
static std::string numpyReader(const std::string &path,
                               const std::string &kind) {
  const std::string name = "\"" + path + "\"";
  if (kind == ".csv")
    return "np.loadtxt(" + name + ", delimiter=\",\")";
  if (kind == ".txt" || kind == ".tsv" || kind == ".dat")
    return "np.loadtxt(" + name + ")";
  if (kind == ".npz")
    return "np.load(" + name + ")[\"NAME\"]";
  return "";
}

/// Whether a text that is not a number was meant as a file name: the file
/// exists, or the text has a folder or an ending of several letters.
static bool looksLikeFile(const std::string &text, const std::string &kind) {
  std::error_code error;
  return std::filesystem::exists(text, error) || text.find('/') != text.npos ||
         (kind.size() > 2 && std::isalpha(static_cast<unsigned char>(kind[1])));
}

/// Why a text is not an input.
static std::string complaint(const std::string &text,
                             const std::string &message) {
  const std::string kind = ending(text);
  std::error_code error;
  if (std::filesystem::is_directory(text, error))
    return "'" + text +
           "' is a folder, and inputs are .npy files, numbers and lists";
  if (!looksLikeFile(text, kind))
    return message + " (inputs are .npy files, numbers such as 1, -0.5, 2j, "
                     "True, f32(1), lists such as [1, 2], and ranges such as "
                     "0:100:2)";
  std::string said =
      "'" + text +
      "' is not a .npy file, and inputs are .npy files and numbers";
  if (kind == ".npy") // in capital letters
    return said + "; write the ending in small letters";
  const std::string reader = numpyReader(text, kind);
  const std::string made =
      std::filesystem::path(text).replace_extension(".npy").string();
  return said + "; convert it in Python: np.save(\"" + made + "\", " +
         (reader.empty() ? "array" : reader) + ")";
}

void Arguments::add(Array array) {
  kern_value value{};
  value.kind = KERN_VALUE_ARRAY;
  value.as.array = &array->dl_tensor;
  list.push_back(value);
  arrays.push_back(std::move(array));
}

runtime::Status Arguments::add(const std::string &text) {
  if (text.ends_with(".npy")) {
    DLManagedTensor *array = nullptr;
    if (kern_status status = kern_npy_read(text.c_str(), &array);
        status != KERN_OK)
      return Error{status, kern_last_error()};
    add(Array(array));
    return {};
  }
  const std::string input = "input " + std::to_string(list.size() + 1) + ": ";
  if (looksLikeList(text)) {
    Expected<Array> array = parseList(text);
    if (!array)
      return Error{array.error().status, input + array.error().message};
    add(std::move(*array));
    return {};
  }
  Expected<std::optional<kern_range>> range = parseRange(text);
  if (!range)
    return Error{KERN_ERROR_ARGUMENT, input + range.error().message};
  if (*range) {
    kern_value numbers{};
    numbers.kind = KERN_VALUE_RANGE;
    numbers.as.range = &ranges.emplace_back(**range);
    list.push_back(numbers);
    return {};
  }
  Expected<kern_value> value = parseValue(text);
  if (!value)
    return Error{KERN_ERROR_ARGUMENT,
                 input + complaint(text, value.error().message)};
  list.push_back(*value);
  return {};
}

/// The length of NAME in "NAME=INPUT"; 0 for other texts.
static size_t nameLength(const std::string &text) {
  const size_t equals = text.find('=');
  const auto isOfName = [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c >= 0x80;
  };
  const bool isNamed =
      equals != text.npos && equals > 0 &&
      !std::isdigit(static_cast<unsigned char>(text[0])) &&
      std::all_of(text.begin(), text.begin() + std::ptrdiff_t(equals),
                  isOfName);
  return isNamed ? equals : 0;
}

runtime::Status Arguments::addNamed(const std::string &text) {
  const size_t length = nameLength(text);
  if (length == 0) {
    if (names.empty())
      return add(text);
    return Error{KERN_ERROR_ARGUMENT,
                 "input " + std::to_string(list.size() + 1) + ", '" + text +
                     "', comes after one with a name; give it a name too, or "
                     "put it before"};
  }
  if (runtime::Status status = add(text.substr(length + 1)); !status)
    return status.error().after("`" + text.substr(0, length) + "`: ");
  names.push_back(text.substr(0, length));
  return {};
}

runtime::Status Arguments::bind(const kern_function *function) {
  const size_t positional = list.size() - names.size();
  std::vector<const char *> spelled;
  for (std::string &name : names) {
    name = compiler::syntax::normalName(name);
    spelled.push_back(name.c_str());
  }
  std::vector<kern_value> bound(kern_function_input_count(function));
  if (kern_status status = kern_bind_arguments(
          function, list.data(), positional, spelled.data(),
          list.data() + positional, names.size(), bound.data(), bound.size());
      status != KERN_OK)
    return Error{status, kern_last_error()};
  list = std::move(bound);
  names.clear();
  return {};
}

} // namespace kern::cli
