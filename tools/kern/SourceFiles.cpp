//===- SourceFiles.cpp - the files that operands stand for ----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/SourceFiles.h"

#include "tools/kern/values/Arguments.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

namespace fs = std::filesystem;

namespace kern::cli {

using runtime::Error;
using runtime::Expected;
using runtime::Status;

bool isDirectory(const std::string &path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

/// For a file that is certainly not a source.
static Status checkEnding(const std::string &path) {
  const std::string end = ending(path);
  if (end != ".npy" && end != ".ptx")
    return {};
  return Error{KERN_ERROR_ARGUMENT,
               "'" + path + "' is not a .kern file: it " +
                   (end == ".npy" ? "holds an array" : "is compiled")};
}

Status checkSource(const std::string &path) {
  if (isDirectory(path))
    return Error{KERN_ERROR_ARGUMENT,
                 "'" + path + "' is a folder, and this takes .kern files"};
  return checkEnding(path);
}

Expected<std::vector<std::string>> sourceFiles(const std::string &operand) {
  if (!isDirectory(operand)) {
    if (Status status = checkEnding(operand); !status)
      return status.error();
    return std::vector<std::string>{operand};
  }
  std::error_code error;
  std::vector<std::string> files;
  fs::recursive_directory_iterator at(operand, error);
  for (; !error && at != fs::recursive_directory_iterator();
       at.increment(error)) {
    std::error_code gone; // a file may vanish at any time
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

Expected<std::string> readText(const std::string &path) {
  struct Close {
    void operator()(std::FILE *file) const {
      if (file != stdin)
        std::fclose(file);
    }
  };
  const std::string shown =
      path == "-" ? "the standard input" : "'" + path + "'";
  auto refuse = [&](int error) {
    return Error{KERN_ERROR_IO,
                 "cannot read " + shown + ": " + std::strerror(error)};
  };
  const std::unique_ptr<std::FILE, Close> file(
      path == "-" ? stdin : std::fopen(path.c_str(), "rb"));
  if (!file)
    return refuse(errno);
  std::string text;
  char block[1 << 16];
  while (size_t count = std::fread(block, 1, sizeof block, file.get()))
    text.append(block, count);
  if (std::ferror(file.get()))
    return refuse(errno);
  return text;
}

} // namespace kern::cli
