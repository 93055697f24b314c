//===- PlanTableTest.cpp - the table of call plans ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/module/PlanTable.h"
#include "runtime/launch/CallPlan.h"

#include <gtest/gtest.h>

using namespace kern::runtime;

TEST(PlanTable, FindsAndForgets) {
  PlanTable table;
  auto insert = [&](uint64_t key) {
    auto plan = std::make_shared<CallPlan>();
    plan->function = std::to_string(key);
    table.insert({key % 3, {key}, plan}); // many collisions
  };
  auto find = [&](uint64_t key) {
    PlanTable::Reader reader(table);
    std::vector<uint64_t> words = {key};
    const CallPlan *plan =
        reader.find(key % 3, words, [](const CallPlan &) { return true; });
    return plan ? plan->function : "";
  };
  EXPECT_EQ(find(1), "");
  for (uint64_t key = 0; key < PlanTable::capacity; ++key)
    insert(key);
  for (uint64_t key = 0; key < PlanTable::capacity; ++key)
    EXPECT_EQ(find(key), std::to_string(key));
  insert(1000);
  EXPECT_EQ(find(1000), "1000");
  EXPECT_EQ(find(1), "") << "a full table starts again";
  // Plans that do not fit are skipped.
  PlanTable::Reader reader(table);
  std::vector<uint64_t> words = {1000};
  EXPECT_EQ(
      reader.find(1000 % 3, words, [](const CallPlan &) { return false; }),
      nullptr);
}

TEST(PlanTable, WhatIsReadStaysAlive) {
  PlanTable table;
  auto plan = std::make_shared<CallPlan>();
  std::weak_ptr<CallPlan> watch = plan;
  table.insert({1, {1}, plan});
  plan.reset();
  std::vector<uint64_t> words = {1};
  {
    PlanTable::Reader reader(table);
    ASSERT_NE(reader.find(1, words, [](const CallPlan &) { return true; }),
              nullptr);
    for (uint64_t key = 2; key < 1000; ++key)
      table.insert({key, {key}, std::make_shared<CallPlan>()});
    EXPECT_FALSE(watch.expired());
  }
  for (uint64_t key = 1000; key < 2000; ++key)
    table.insert({key, {key}, std::make_shared<CallPlan>()});
  EXPECT_TRUE(watch.expired()) << "tables are freed once nobody reads them";
}
