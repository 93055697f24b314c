//===- DifferenceTest.cpp - differences of texts --------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/Difference.h"

#include <gtest/gtest.h>

using kern::cli::lineDifference;

namespace {

// Expected values: `diff -u` of GNU diffutils.
TEST(Difference, EqualTextsHaveNone) {
  EXPECT_EQ(lineDifference("", ""), "");
  EXPECT_EQ(lineDifference("a\nb\n", "a\nb\n"), "");
}

TEST(Difference, ShowsThreeLinesAround) {
  EXPECT_EQ(lineDifference("1\n2\n3\n4\n5\n6\n7\n8\n9\n",
                           "1\n2\n3\n4\nfive\n6\n7\n8\n9\n"),
            "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
  EXPECT_EQ(lineDifference("a\nb\n", "b\n"), "@@ -1,2 +1 @@\n-a\n b\n");
  EXPECT_EQ(lineDifference("", "a\n"), "@@ -0,0 +1 @@\n+a\n");
}

TEST(Difference, FarChangesAreApartAndNearOnesTogether) {
  EXPECT_EQ(
      lineDifference("a\n1\n2\n3\n4\n5\n6\nb\n", "A\n1\n2\n3\n4\n5\n6\nB\n"),
      "@@ -1,8 +1,8 @@\n-a\n+A\n 1\n 2\n 3\n 4\n 5\n 6\n-b\n+B\n");
  EXPECT_EQ(lineDifference("a\n1\n2\n3\n4\n5\n6\n7\nb\n",
                           "A\n1\n2\n3\n4\n5\n6\n7\nB\n"),
            "@@ -1,4 +1,4 @@\n-a\n+A\n 1\n 2\n 3\n"
            "@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-b\n+B\n");
}

TEST(Difference, AMissingEndOfLineIsOne) {
  EXPECT_NE(lineDifference("a", "a\n"), "");
}

} // namespace
