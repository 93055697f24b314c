//===- MessagesTest.cpp - errors and obstacles as data --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/error/Expected.h"

#include <cerrno>
#include <gtest/gtest.h>
#include <set>

using namespace kern::runtime;

namespace {
struct Row {
  std::string_view name, text;
};
constexpr Row errors[] = {
#define KERN_ERROR(NAME, STATUS, TEXT) {#NAME, TEXT},
#include "runtime/error/Errors.def"
};
constexpr Row additions[] = {
#define KERN_ADDITION(NAME, TEXT) {#NAME, TEXT},
#include "runtime/error/Errors.def"
};
constexpr Row obstacles[] = {
#define KERN_OBSTACLE(NAME, TEXT) {#NAME, TEXT},
#include "runtime/error/Obstacles.def"
#undef KERN_OBSTACLE
};

/// The numbers of a text's places.
std::set<int> placesOf(std::string_view text) {
  std::set<int> places;
  for (size_t i = 0; i + 2 < text.size(); ++i)
    if (text[i] == '{' && text[i + 2] == '}')
      places.insert(text[i + 1] - '0');
  return places;
}

template <size_t N> void checkRows(const Row (&rows)[N]) {
  std::set<std::string_view> names;
  for (const Row &row : rows) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name << " is there twice";
    EXPECT_FALSE(row.text.empty()) << row.name;
    EXPECT_NE(row.text.back(), '.') << row.name;
    int expected = 0;
    for (int place : placesOf(row.text))
      EXPECT_EQ(place, expected++) << row.name << ": " << row.text;
  }
}
} // namespace

TEST(Messages, RowsAreWellFormed) {
  checkRows(errors);
  checkRows(additions);
  checkRows(obstacles);
}

TEST(Messages, PlacesAreFilled) {
  EXPECT_EQ(fill("`{0}` takes {1}", {TextArgument("f"), TextArgument(2)}),
            "`f` takes 2");
  EXPECT_EQ(fill("{1}{0}{1}", {TextArgument("a"), TextArgument("{0}")}),
            "{0}a{0}")
      << "arguments are not filled themselves";
  EXPECT_EQ(fill("x{0}{9}y{}{a}", {TextArgument(std::string_view("."))}),
            "x.y{}{a}");
  EXPECT_EQ(fill("{0}", {TextArgument(INT64_MIN)}), "-9223372036854775808");
}

TEST(Messages, ErrorsHaveTheStatusAndTextOfTheirRow) {
  Error error(ErrorCode::argument_count, {"f", "1 argument", "x", "2 were"});
  EXPECT_EQ(error.status, KERN_ERROR_ARGUMENT);
  EXPECT_EQ(error.code, ErrorCode::argument_count);
  EXPECT_EQ(error.message, "`f` takes 1 argument (x), 2 were given");
  EXPECT_EQ(Error(ErrorCode::code_without_entry).status, KERN_ERROR_INTERNAL);
  EXPECT_EQ(Error(KERN_ERROR_COMPILE, "text").code, std::nullopt);
}

TEST(Messages, ErrorsSayWhere) {
  Error error(ErrorCode::dtype_and_signature);
  EXPECT_EQ(error.in("f").message,
            "`f`: `dtype` and `signature` cannot both be given");
  EXPECT_EQ(error.in("f").code, ErrorCode::dtype_and_signature);
  EXPECT_EQ(error.ofFile("a.ptx").message,
            "'a.ptx': `dtype` and `signature` cannot both be given");
  Error memory(ErrorCode::out_of_memory, {"8 bytes", "the host"});
  memory.add(Addition::for_operand, {"result 1", "(2,)"});
  EXPECT_EQ(memory.in("f").message, "`f`: out of memory: 8 bytes on the host, "
                                    "for result 1 of shape (2,)");
  EXPECT_EQ(memory.in("f").status, KERN_ERROR_MEMORY);
}

TEST(Messages, FilesThatAreMissingAreNotFound) {
  Error missing = fileError("open", "x.ptx", ENOENT);
  EXPECT_EQ(missing.status, KERN_ERROR_NOT_FOUND);
  EXPECT_EQ(missing.message, "cannot open 'x.ptx': No such file or directory");
  EXPECT_EQ(fileError("read", "x.ptx", EACCES).status, KERN_ERROR_IO);
}

TEST(Messages, ObstaclesAreKindsWithTexts) {
  EXPECT_FALSE(Obstacle());
  EXPECT_EQ(Obstacle().text(), "");
  Obstacle obstacle(ObstacleKind::converted,
                    {"argument 1 (`x`)", "i32", "f64"});
  EXPECT_TRUE(obstacle);
  EXPECT_EQ(obstacle.kind(), ObstacleKind::converted);
  EXPECT_EQ(obstacle.text(), "argument 1 (`x`) is converted from i32 to f64");
  EXPECT_NE(obstacle, Obstacle(ObstacleKind::unaligned, {"argument 1 (`x`)"}));
  EXPECT_NE(obstacle, Obstacle(ObstacleKind::converted,
                               {"argument 2 (`y`)", "i32", "f64"}));
}
