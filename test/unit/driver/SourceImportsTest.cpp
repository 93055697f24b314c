//===- SourceImportsTest.cpp - what one source imports --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/driver/CachedSource.h"
#include "runtime/cache/CacheKey.h"

#include "llvm/TargetParser/Host.h"

#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

using namespace kern::compiler;
using namespace kern::runtime;

namespace fs = std::filesystem;

namespace {
constexpr KernelVariant contiguous = {Form::Contiguous, false};
const char *importing = "from m import scaled\n"
                        "ufunc f(x: f32) -> f32:\n"
                        "    return scaled(x)\n"
                        "ufunc g(x: f32) -> f32:\n"
                        "    return scaled(x) + 1\n";

std::string module(int factor) {
  return "def scaled(x):\n    return x * " + std::to_string(factor) + "\n";
}

class ImportsTest : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "kern-XXXXXX").string();
    ASSERT_TRUE(::mkdtemp(pattern.data()));
    folder = pattern;
    fs::create_directories(folder + "/src");
    fs::create_directories(folder + "/path");
  }
  void TearDown() override {
    setIncludePath("");
    fs::remove_all(folder);
  }
  void write(const std::string &name, const std::string &text) {
    std::ofstream(folder + "/" + name, std::ios::trunc) << text;
  }
  Expected<std::shared_ptr<CodeSource>>
  open(Cache &cache, const std::string &text = importing,
       const std::string &name = "src/a.kern") {
    return CachedSource::open({folder + "/" + name, text}, cache);
  }
  std::unique_ptr<Cache> freshCache() {
    return std::make_unique<Cache>(
        CacheSettings{true, folder + "/cache", 1 << 24, 1 << 20, ""});
  }
  /// A function's result for 5, and the number of cache misses for it.
  static float call(CodeSource &source, size_t function) {
    const FunctionInfo &info = source.manifest().functions[function];
    auto code = source.kernel(info, info.loops[0], contiguous, {});
    EXPECT_TRUE(code) << code.error().message;
    if (!code)
      return 0;
    std::vector<float> in((*code)->kernel.elements, 5), out(in.size());
    auto word = [](std::vector<float> &array) {
      return int64_t(reinterpret_cast<uintptr_t>(array.data()));
    };
    int64_t words[] = {1, word(in), 0, word(out), 0};
    (*code)->entry(words);
    return out[0];
  }
  /// As a new process has it: the value of f(5) and the misses.
  std::pair<float, uint64_t> run(const std::string &text = importing) {
    auto cache = freshCache();
    auto source = open(*cache, text);
    EXPECT_TRUE(source) << source.error().message;
    if (!source)
      return {};
    float value = call(**source, 0);
    return {value, cache->counts().misses};
  }

  std::string folder;
};
using Result = std::pair<float, uint64_t>;
} // namespace

TEST_F(ImportsTest, WhatImportsIsFoundAgain) {
  write("src/m.kern", module(2));
  EXPECT_EQ(run().first, 10);
  EXPECT_EQ(run(), Result(10, 0));
  // An import of an import counts like one.
  write("src/m.kern", "from n import scaled\n");
  write("src/n.kern", module(3));
  EXPECT_EQ(run().first, 15);
  EXPECT_EQ(run(), Result(15, 0));
  write("src/n.kern", module(4));
  EXPECT_EQ(run().first, 20);
  // Code for the earlier text is found, once the imports are known again.
  write("src/m.kern", module(2));
  EXPECT_EQ(run(), Result(10, 0));
}

TEST_F(ImportsTest, AnotherFileThatIsFoundCounts) {
  setIncludePath(folder + "/path");
  write("path/m.kern", module(2));
  EXPECT_EQ(run().first, 10);
  EXPECT_EQ(run(), Result(10, 0));
  write("src/m.kern", module(3)); // is looked for first
  EXPECT_EQ(run().first, 15);
  fs::remove(folder + "/src/m.kern");
  fs::remove(folder + "/path/m.kern");
  auto cache = freshCache();
  EXPECT_EQ(open(*cache).error().status, KERN_ERROR_COMPILE);
}

TEST_F(ImportsTest, OneTextInTwoFolders) {
  write("src/m.kern", module(2));
  write("path/m.kern", module(3));
  auto value = [&](const char *name) {
    auto cache = freshCache();
    auto source = open(*cache, importing, name);
    EXPECT_TRUE(source);
    float result = call(**source, 0);
    return Result(result, cache->counts().misses);
  };
  EXPECT_EQ(value("src/a.kern").first, 10);
  EXPECT_EQ(value("path/a.kern").first, 15);
  EXPECT_EQ(value("src/a.kern"), Result(10, 0));
  EXPECT_EQ(value("path/a.kern"), Result(15, 0));
}

// Later compilations use the text that was looked up.
TEST_F(ImportsTest, AFileThatChangesMeanwhile) {
  write("src/m.kern", module(2));
  run();
  auto cache = freshCache();
  auto source = open(*cache);
  ASSERT_TRUE(source);
  EXPECT_EQ(cache->counts().misses, 0u);
  write("src/m.kern", module(3));
  EXPECT_EQ(call(**source, 1), 11) << "g was not compiled yet";
  auto later = freshCache();
  auto changed = open(*later);
  ASSERT_TRUE(changed);
  EXPECT_EQ(call(**changed, 1), 16);
}

TEST_F(ImportsTest, TheStandardLibraryAndTheWord) {
  const std::string standard = "import linalg\n"
                               "ufunc f(x: f32) -> f32:\n"
                               "    return x + x\n";
  EXPECT_EQ(run(standard).first, 10);
  EXPECT_EQ(run(standard), Result(10, 0));
  const std::string comment = "# important\n"
                              "ufunc f(x: f32) -> f32:\n"
                              "    return -x\n";
  EXPECT_EQ(run(comment).first, -5);
  EXPECT_EQ(run(comment), Result(-5, 0));
}

TEST(Imports, PackedAndBack) {
  const std::vector<Import> imports = {{"m", "", "a b/m.kern", "abc"},
                                       {"n", "a b/m.kern", "12:\n", ""}};
  EXPECT_EQ(unpackImports(packImports(imports)), imports);
  EXPECT_EQ(unpackImports(""), std::vector<Import>());
  std::string text = packImports(imports);
  for (size_t size = 1; size < text.size(); ++size)
    if (auto some = unpackImports(text.substr(0, size)))
      EXPECT_EQ(some->size(), 1u) << "the first alone";
  for (const char *wrong : {"1", ":", "1:", "x:a", "99999999999999999999:a",
                            "18446744073709551615:a", "-1:a"})
    EXPECT_FALSE(unpackImports(wrong)) << wrong;
}

TEST(CompilerId, HasLlvmsOwn) {
  auto fileOf = [](auto *function) {
    Dl_info info = {};
    ::dladdr(reinterpret_cast<const void *>(function), &info);
    return std::string(info.dli_fname);
  };
  bool isShared =
      fileOf(&llvm::sys::getProcessTriple) != fileOf(&unpackImports);
  EXPECT_EQ(compilerId().find(buildId()), 0u);
  EXPECT_EQ(compilerId() != buildId(), isShared);
  if (isShared)
    EXPECT_NE(compilerId().find(buildIdOf(reinterpret_cast<const void *>(
                  &llvm::sys::getProcessTriple))),
              std::string::npos);
}
