//===- SourceTest.cpp - lines, columns and UTF-8 --------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/source/Source.h"
#include "compiler/source/Utf8.h"

#include <gtest/gtest.h>

namespace kern {

using namespace compiler;

namespace {

std::string place(const SourceFile &file, uint32_t offset) {
  LineColumn at = file.position(offset);
  return std::to_string(at.line) + ":" + std::to_string(at.column);
}

TEST(Source, LineEndsOfAllKinds) {
  SourceFile file("f", "ab\ncd\r\nef\rgh");
  ASSERT_EQ(file.lineCount(), 4u);
  EXPECT_EQ(file.line(1), "ab");
  EXPECT_EQ(file.line(2), "cd");
  EXPECT_EQ(file.line(3), "ef");
  EXPECT_EQ(file.line(4), "gh");
  EXPECT_EQ(file.line(5), "");
  EXPECT_EQ(place(file, 0), "1:1");
  EXPECT_EQ(place(file, 3), "2:1");
  EXPECT_EQ(place(file, 8), "3:2");
  EXPECT_EQ(place(file, 12), "4:3");
  EXPECT_EQ(place(file, 4000), "4:3");
}

TEST(Source, ColumnsCountCodePoints) {
  SourceFile file("f", "é = 漢x"); // 2, 1, 1, 1, 3 and 1 bytes
  EXPECT_EQ(place(file, 2), "1:2");
  EXPECT_EQ(place(file, 8), "1:6");
  EXPECT_EQ(file.offset({1, 6}), 8u);
  EXPECT_EQ(file.offset({1, 99}), 9u);
  EXPECT_EQ(file.offset({9, 1}), 9u);
}

TEST(Source, ManagerFindsFiles) {
  SourceManager sources;
  uint32_t a = sources.add("a", "x = 1");
  uint32_t b = sources.add("b", "");
  EXPECT_EQ(sources.find("b"), b);
  EXPECT_FALSE(sources.find("c"));
  EXPECT_EQ(sources.text({a, 4, 5}), "1");
  EXPECT_EQ(sources.text({a, 4, 500}), "1");
  EXPECT_EQ(sources.file(b).lineCount(), 1u);
}

// The boundaries of RFC 3629, table of section 4.
TEST(Utf8, AcceptsAndRefuses) {
  for (std::string_view good :
       {"\x7F", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF",
        "\xEE\x80\x80", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"}) {
    CodePoint point = decodeUtf8(good, 0);
    EXPECT_TRUE(point.valid);
    EXPECT_EQ(point.length, good.size());
    std::string again;
    appendUtf8(again, point.value);
    EXPECT_EQ(again, good);
  }
  for (std::string_view bad :
       {"\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF",
        "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xC2", "\xE2\x82", "\xFF"}) {
    CodePoint point = decodeUtf8(bad, 0);
    EXPECT_FALSE(point.valid);
    EXPECT_EQ(point.length, 1u);
  }
}

} // namespace
} // namespace kern
