//===- DependencyFileTest.cpp - rules for Make and Ninja ------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/DependencyFile.h"

#include <gtest/gtest.h>

namespace kern::cli {
namespace {

TEST(DependencyFile, HasARuleForEachSource) {
  EXPECT_EQ(*dependencyText({{{"a.o", "a.h"}, {"a.kern", "m.kern"}},
                             {{"b.o"}, {"b.kern"}}}),
            "a.o a.h: \\\n  a.kern \\\n  m.kern\nb.o: \\\n  b.kern\n");
  EXPECT_EQ(*dependencyText({}), "");
  EXPECT_EQ(*dependencyText({{{"a.ptx"}, {}}}), "a.ptx:\n");
}

/// The rules of GNU Make's manual (what a backslash quotes), which GCC's -MD
/// follows: compile-several.test lets Make itself read them.
TEST(DependencyFile, EscapesWhatMakeReads) {
  struct Row {
    const char *name, *written;
  };
  for (const Row &row :
       {Row{"plain-1_2.kern", "plain-1_2.kern"},
        Row{"with blank.kern", "with\\ blank.kern"},
        Row{"a#b.kern", "a\\#b.kern"}, Row{"a$b.kern", "a$$b.kern"},
        Row{"c:d.kern", "c\\:d.kern"},
        Row{"back\\slash.kern", "back\\slash.kern"},
        Row{"back\\ blank.kern", "back\\\\\\ blank.kern"},
        Row{"\xc3\xa4.kern", "\xc3\xa4.kern"}})
    EXPECT_EQ(*dependencyText({{{"x"}, {row.name}}}),
              std::string("x: \\\n  ") + row.written + "\n");
}

TEST(DependencyFile, HasNoNameOfTwoLines) {
  EXPECT_FALSE(dependencyText({{{"a\nb.o"}, {"a.kern"}}}));
  EXPECT_FALSE(dependencyText({{{"a.o"}, {"a\nb.kern"}}}));
}

} // namespace
} // namespace kern::cli
