//===- PlanTable.cpp - the plans of a function's calls --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/module/PlanTable.h"

#include <bit>

using namespace kern::runtime;

size_t PlanTable::threadGroup() {
  static std::atomic<size_t> threads{0};
  thread_local const size_t group = threads.fetch_add(1) % groups;
  return group;
}

void PlanTable::Table::put(std::shared_ptr<const PlanEntry> entry) {
  size_t mask = slots.size() - 1;
  size_t at = entry->hash & mask;
  while (slots[at])
    at = (at + 1) & mask;
  slots[at] = std::move(entry);
  ++count;
}

PlanTable::PlanTable() {
  auto empty = std::make_unique<Table>();
  empty->slots.resize(2);
  published = empty.get();
  current = std::move(empty);
}

bool PlanTable::isRead() const {
  // A reader that pins itself after the new table was published reads the new
  // table. So once a counter has been seen at 0, it no longer protects the old
  // tables.
  constexpr int tries = 64;
  return !std::ranges::all_of(pins, [](const Pin &pin) {
    for (int i = 0; i < tries; ++i)
      if (pin.readers.load() == 0)
        return true;
    return false;
  });
}

void PlanTable::insert(PlanEntry entry) {
  auto added = std::make_shared<const PlanEntry>(std::move(entry));
  std::lock_guard lock(mutex);
  if (retired.size() >= maxRetired && isRead())
    return;
  bool isFull = current->count == capacity;
  auto next = std::make_unique<Table>();
  next->slots.resize(std::bit_ceil(isFull ? 2 : 2 * current->count + 2));
  if (!isFull)
    for (const auto &slot : current->slots)
      if (slot)
        next->put(slot);
  next->put(std::move(added));
  retired.push_back(std::move(current));
  published = next.get();
  current = std::move(next);
  if (!isRead())
    retired.clear();
}
