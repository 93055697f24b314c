//===- LocalsTest.cpp - where local arrays lie ----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/Locals.h"

#include <gtest/gtest.h>

using namespace kern::ir::loop;

namespace {

struct Row {
  std::optional<uint64_t> bytes;
  bool isInLoop, isSharedWritten;
  LocalPlace place;
};

TEST(Locals, Places) {
  const Row rows[] = {
      {16, false, false, LocalPlace::Private},
      {16, true, false, LocalPlace::Private},
      // An iteration's own array, which it writes in its loop.
      {16, true, true, LocalPlace::Private},
      // Lanes must see one another's elements.
      {16, false, true, LocalPlace::Element},
      {4096, false, false, LocalPlace::Private},
      {4097, false, false, LocalPlace::Element},
      {4097, true, true, LocalPlace::Lane},
      {std::nullopt, false, false, LocalPlace::Element},
      {std::nullopt, true, false, LocalPlace::Lane},
  };
  for (const Row &row : rows)
    EXPECT_EQ(placeOf({row.bytes, row.isInLoop, row.isSharedWritten}),
              row.place)
        << row.bytes.value_or(0) << ' ' << row.isInLoop << ' '
        << row.isSharedWritten;
}

// A ufunc has no other memory than each lane's own.
TEST(Locals, OfUfuncs) {
  for (uint64_t bytes : {uint64_t(16), uint64_t(4097), uint64_t(16384)})
    EXPECT_EQ(placeOf({bytes, false, false, true}), LocalPlace::Private)
        << bytes;
}

} // namespace
