//===- TextFile.cpp - reading a file of text ------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/TextFile.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace kern::cli {

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
