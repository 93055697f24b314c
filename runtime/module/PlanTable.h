//===- PlanTable.h - the plans of a function's calls ------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plans by their keys. A look-up takes no lock: it reads an immutable table
// through an atomic pointer, and a counter of readers keeps the table from
// being freed. An insertion publishes a new table. The number of plans is
// bounded: a full table is emptied.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace kern::runtime {

class CallPlan;

/// A plan and the key that it was made for.
struct PlanEntry {
  uint64_t hash = 0;
  std::vector<uint64_t> key;
  std::shared_ptr<const CallPlan> plan;
};

class PlanTable {
  struct Table {
    /// Open addressing with linear probing; a power of two, at most half full.
    std::vector<std::shared_ptr<const PlanEntry>> slots;
    size_t count = 0;
    void put(std::shared_ptr<const PlanEntry> entry);
  };

public:
  /// The most plans that are kept.
  static constexpr size_t capacity = 256;

  PlanTable();
  PlanTable(const PlanTable &) = delete;
  PlanTable &operator=(const PlanTable &) = delete;

  /// A look-up. What it finds stays alive as long as this does.
  class Reader {
  public:
    explicit Reader(const PlanTable &table)
        : pin(table.pins[threadGroup()].readers) {
      pin.fetch_add(1);
      read = table.published.load();
    }
    ~Reader() { pin.fetch_sub(1, std::memory_order_release); }
    Reader(const Reader &) = delete;
    Reader &operator=(const Reader &) = delete;

    /// The first plan of this key for which `fits(plan)`, or NULL. Several
    /// plans may have one key (CallKey.h).
    template <typename Fits>
    const CallPlan *find(uint64_t hash, std::span<const uint64_t> key,
                         Fits fits) const {
      size_t mask = read->slots.size() - 1;
      for (size_t at = hash & mask; read->slots[at]; at = (at + 1) & mask) {
        const PlanEntry &entry = *read->slots[at];
        if (entry.hash == hash && std::ranges::equal(entry.key, key) &&
            fits(*entry.plan))
          return entry.plan.get();
      }
      return nullptr;
    }

  private:
    std::atomic<uint32_t> &pin;
    const Table *read;
  };

  /// Thread-safe, as everything here.
  void insert(PlanEntry entry);

private:
  /// One counter for each of a few groups of threads, each in its own cache
  /// line.
  struct alignas(64) Pin {
    std::atomic<uint32_t> readers = 0;
  };
  static constexpr size_t groups = 8;
  /// Old tables that a reader may still read. If long calls hold more of them
  /// than this, nothing is inserted.
  static constexpr size_t maxRetired = 16;
  static size_t threadGroup();
  bool isRead() const;

  mutable std::array<Pin, groups> pins;
  std::atomic<const Table *> published;
  std::mutex mutex;
  std::unique_ptr<const Table> current;
  std::vector<std::unique_ptr<const Table>> retired;
};

} // namespace kern::runtime
