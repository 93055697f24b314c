//===- CacheFolder.h - a cache for one test ------------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/cache/CacheKey.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace kern::test {

inline runtime::CacheKey kernelKey(const std::string &function,
                                   const std::string &compiler,
                                   const std::string &target = "sm_90") {
  return runtime::CacheKey("kernel")
      .add("compiler", compiler)
      .add("function", function)
      .add("target", target);
}

/// A folder of the test's own.
class CacheFolder : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "kern-XXXXXX").string();
    ASSERT_TRUE(::mkdtemp(pattern.data()));
    folder = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  std::vector<std::filesystem::path> files() const {
    std::vector<std::filesystem::path> found;
    for (const auto &item :
         std::filesystem::recursive_directory_iterator(folder))
      if (item.is_regular_file())
        found.push_back(item.path());
    return found;
  }
  static std::string read(const std::filesystem::path &path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static void write(const std::filesystem::path &path,
                    const std::string &bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
  }

  std::string folder;
};

} // namespace kern::test
