//===- Cache.h - results of compilations ------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/cache/CacheSettings.h"
#include "runtime/cache/DiskCache.h"
#include "runtime/cache/MemoryCache.h"

#include <atomic>

namespace kern::runtime {

struct CacheCounts {
  uint64_t memoryHits = 0, diskHits = 0, misses = 0, stored = 0, damaged = 0;
};

/// Results of earlier compilations, in memory and on disk. It never fails: a
/// result that cannot be stored is compiled again. Thread-safe.
class Cache {
public:
  explicit Cache(CacheSettings settings);
  /// The process's cache. It reads the environment when it is first used.
  static Cache &shared();

  /// NULL if there is none.
  std::shared_ptr<const std::string> find(const CacheKey &key);
  /// Stores a result, or returns the one that another thread stored meanwhile.
  std::shared_ptr<const std::string> store(const CacheKey &key,
                                           std::string payload);
  /// Removes a result that turned out to be unusable.
  void remove(const CacheKey &key);

  bool isOn() const { return settings.isOn; }
  const std::string &folder() const { return settings.folder; }
  CacheCounts counts() const;
  /// Why nothing is stored on disk, or another problem that compilation
  /// survived; "" if there is none.
  std::string problem() const;

private:
  std::shared_ptr<const std::string> lookUp(const CacheKey &key);
  std::shared_ptr<const std::string>
  keep(const CacheKey &key, const std::shared_ptr<const std::string> &text);

  CacheSettings settings;
  MemoryCache memory;
  DiskCache disk;
  std::atomic<uint64_t> memoryHits{0}, diskHits{0}, misses{0}, stored{0};
};

} // namespace kern::runtime
