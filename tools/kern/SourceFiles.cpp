//===- SourceFiles.cpp - the files that operands stand for ----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/SourceFiles.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace fs = std::filesystem;

namespace kern::cli {

std::string ending(const std::string &path) {
  std::string text = fs::path(path).extension().string();
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return char(std::tolower(c)); });
  return text;
}

/// Of a file that is no source for sure.
static Status checkEnding(const std::string &path) {
  const std::string end = ending(path);
  if (end != ".npy" && end != ".ptx")
    return {};
  return Error{KERN_ERROR_ARGUMENT,
               "'" + path + "' is no .kern file: it " +
                   (end == ".npy" ? "holds an array" : "is compiled")};
}

Status checkSource(const std::string &path) {
  std::error_code error;
  if (fs::is_directory(path, error))
    return Error{KERN_ERROR_ARGUMENT,
                 "'" + path + "' is a folder, and this takes one .kern file"};
  return checkEnding(path);
}

Expected<std::vector<std::string>> sourceFiles(const std::string &operand) {
  std::error_code error;
  if (!fs::is_directory(operand, error)) {
    if (Status status = checkEnding(operand); !status)
      return status.error();
    return std::vector<std::string>{operand};
  }
  std::vector<std::string> files;
  fs::recursive_directory_iterator at(operand, error);
  for (; !error && at != fs::recursive_directory_iterator();
       at.increment(error)) {
    std::error_code gone; // a file may vanish meanwhile
    if (at->path().extension() == ".kern" && at->is_regular_file(gone))
      files.push_back(at->path().lexically_normal().string());
  }
  if (error)
    return Error{KERN_ERROR_IO, "cannot read the folder '" + operand +
                                    "': " + error.message()};
  if (files.empty())
    return Error{KERN_ERROR_NOT_FOUND,
                 "there is no .kern file in the folder '" + operand + "'"};
  std::ranges::sort(files);
  return files;
}

} // namespace kern::cli
