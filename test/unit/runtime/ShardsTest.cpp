//===- ShardsTest.cpp - how an axis is dealt over GPUs --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/Shards.h"

#include <gtest/gtest.h>

using namespace kern::runtime;

TEST(Shards, AreAsEvenAsCanBe) {
  const struct {
    int64_t extent;
    size_t count;
    Extents begins;
  } rows[] = {
      {8, 4, {0, 2, 4, 6, 8}},
      {10, 4, {0, 3, 6, 8, 10}},
      {3, 4, {0, 1, 2, 3, 3}},
      {0, 2, {0, 0, 0}},
      {5, 1, {0, 5}},
      {INT64_MAX, 2, {0, INT64_MAX / 2 + 1, INT64_MAX}},
  };
  for (const auto &row : rows)
    EXPECT_EQ(deal(row.extent, row.count), row.begins)
        << row.extent << " over " << row.count;
}

namespace {
struct Row {
  std::vector<ShardedOperand> operands;
  const char *refusal; ///< a part of the message; NULL: none
};
const ShardedOperand dealt34 = {"a", {3, 4}, 0, true};
} // namespace

TEST(Shards, MustLieAlike) {
  const Row rows[] = {
      {{dealt34, dealt34}, nullptr},
      // What is whole broadcasts along axis 0.
      {{dealt34, {"b", {4}}}, nullptr},
      {{dealt34, {"b", {1, 4}}}, nullptr},
      {{dealt34, {"b", {}}}, nullptr},
      {{{"b", {4}}, dealt34}, nullptr},
      // Core dimensions do not count.
      {{{"v", {3, 9}, 1, true}, {"m", {9, 9}, 2}}, nullptr},
      {{{"v", {3, 9}, 1, true}, {"m", {1, 9, 9}, 2}}, nullptr},
      {{{"b", {4}}}, "no argument is dealt"},
      {{}, "no argument is dealt"},
      {{{"v", {9}, 1, true}},
       "v is dealt along axis 0, which is a core dimension: of its 1 "
       "dimension"},
      {{{"m", {9}, 2, true}}, "core dimension"},
      {{dealt34, {"b", {3}, 0, true}}, "a has 2 loop dimensions, and b has 1"},
      {{dealt34, {"b", {1, 4}, 0, true}},
       "a has extent 3 along axis 0, and b has 1"},
      {{dealt34, {"out", {1, 4}, 0, false, true}},
       "out is written and not dealt over GPUs as a is"},
      {{dealt34, {"out", {3, 4}, 0, true, true}}, nullptr},
      {{dealt34, {"b", {3, 4}}},
       "b, of shape (3, 4), is not dealt over GPUs as a is"},
      {{dealt34, {"b", {1, 1, 4}}}, "b, of shape (1, 1, 4), is not dealt"},
      {{{"v", {3, 9}, 1, true}, {"m", {3, 9, 9}, 2}}, "m, of shape (3, 9, 9)"},
  };
  for (const Row &row : rows) {
    Status status = checkShards(row.operands);
    const std::string message = status ? "" : status.error().message;
    EXPECT_EQ(bool(status), row.refusal == nullptr) << message;
    if (row.refusal)
      EXPECT_NE(message.find(row.refusal), std::string::npos) << message << "\n"
                                                              << row.refusal;
  }
}
