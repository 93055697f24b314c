//===- FormatPropertiesTest.cpp - what formatting keeps -------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Over all .kern files of the repository and many mutations of them that still
// parse: formatting keeps the tree, and formatting twice is formatting once.
//
//===----------------------------------------------------------------------===//
#include "Dump.h"

#include "compiler/syntax/format/Format.h"
#include "compiler/syntax/format/Layout.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <regex>
#include <sstream>

using namespace kern::compiler;
using namespace kern::compiler::syntax;

namespace {

namespace fs = std::filesystem;

/// Whether the sources lie where these tests were built.
bool hasSources() { return fs::exists(fs::path(KERN_SOURCE_DIR) / "stdlib"); }

std::vector<std::string> texts() {
  std::vector<fs::path> paths;
  for (const char *folder : {"examples", "stdlib", "test"})
    for (const auto &entry :
         fs::recursive_directory_iterator(fs::path(KERN_SOURCE_DIR) / folder))
      if (entry.path().extension() == ".kern")
        paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> list;
  for (const fs::path &path : paths) {
    std::ifstream file(path, std::ios::binary);
    list.push_back(std::string(std::istreambuf_iterator<char>(file), {}));
  }
  return list;
}

/// Docstrings move with their block: blanks at the ends of lines do not count.
std::string cleaned(const std::string &dump) {
  static const std::regex blanks("[ \t\r\f]*(\n|\\\\n)[ \t\r\f]*");
  return std::regex_replace(dump, blanks, "\n");
}

std::optional<std::string> formatted(const std::string &text) {
  SourceManager sources;
  const uint32_t file = sources.add("test.kern", text);
  DiagnosticEngine diagnostics(sources);
  return format(file, diagnostics);
}

/// Without the names that formatting shortens.
std::string laidOut(const test::Parsed &parsed) {
  std::vector<FormatToken> tokens = readTokens(parsed.file, parsed.sources);
  splitLines(tokens);
  return layOut(makeRows(tokens, parsed.sources.file(parsed.file).text()));
}

size_t commentCount(std::string_view text) {
  return size_t(std::count(text.begin(), text.end(), '#'));
}

/// True if the text parses, so that there was something to check.
bool check(const std::string &text) {
  test::Parsed before(text);
  if (!before.errors().empty())
    return false;
  test::Parsed after(laidOut(before));
  const std::string &result = std::string(after.sources.file(0).text());
  EXPECT_EQ(after.errors(), "") << text << "\n--- became\n" << result;
  EXPECT_EQ(cleaned(test::dump(before.tree)), cleaned(test::dump(after.tree)))
      << text << "\n--- became\n"
      << result;
  EXPECT_EQ(commentCount(text), commentCount(result)) << text;
  std::optional<std::string> once = formatted(text);
  EXPECT_TRUE(once) << text;
  if (once)
    EXPECT_EQ(*once, formatted(*once).value_or("refused")) << text;
  return true;
}

TEST(FormatProperties, HoldForEveryFileOfTheRepository) {
  if (!hasSources())
    GTEST_SKIP() << "the sources are not here";
  size_t checked = 0;
  for (const std::string &text : texts())
    checked += check(text);
  EXPECT_GT(checked, 30u);
}

/// Bytes and tokens of text that matter to lines, blocks and comments.
constexpr const char *snippets[] = {" ",
                                    "\n",
                                    "  ",
                                    "\t",
                                    "# c\n",
                                    ";",
                                    "\\\n",
                                    "(",
                                    ")",
                                    "[",
                                    "]",
                                    ",",
                                    ":",
                                    "-",
                                    "**",
                                    ".",
                                    "\n\n",
                                    "\r\n",
                                    "if x: pass\n",
                                    "    ",
                                    "\"\"",
                                    "'a'",
                                    "not ",
                                    "np.",
                                    "float32",
                                    "\"\"\"a\n b\"\"\"",
                                    "1.",
                                    " \f",
                                    "\n#\n",
                                    "@fastmath\n",
                                    "import math\n"};

TEST(FormatProperties, HoldForMutationsThatParse) {
  if (!hasSources())
    GTEST_SKIP() << "the sources are not here";
  std::mt19937 random(20240229);
  auto below = [&](size_t n) { return n ? random() % n : 0; };
  size_t checked = 0;
  for (const std::string &original : texts()) {
    const unsigned rounds = original.size() > 8000 ? 50 : 400;
    for (unsigned round = 0; round < rounds; ++round) {
      std::string text = original;
      for (size_t k = 0; k <= below(4); ++k) {
        const size_t at = below(text.size() + 1);
        switch (below(3)) {
        case 0:
          text.insert(at, snippets[below(std::size(snippets))]);
          break;
        case 1:
          text.erase(at, 1 + below(3));
          break;
        default: { // a space, where there is one: what most often still parses
          const size_t space = text.find(' ', at);
          if (space != text.npos)
            text.replace(space, 1, snippets[below(7)]);
        }
        }
      }
      checked += check(text);
      if (::testing::Test::HasFailure())
        return;
    }
  }
  EXPECT_GT(checked, 5000u);
}

} // namespace
