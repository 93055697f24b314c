//===- DiskCache.h - results in files ---------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A folder of entries that many processes use at once, without locks: an entry
// is written to a file of its own, which then takes its name in one step, and
// every entry is checked when it is read. Entries that others than the user and
// root own, and folders that they can write, are left alone (CacheTrust.h).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/cache/CacheEntry.h"
#include "runtime/error/Expected.h"

#include <array>
#include <atomic>
#include <mutex>

namespace kern {

/// Whether a store that failed with this errno means that others fail too, and
/// not something about one entry at one moment.
bool isLasting(int cause);

class CacheFile;

class DiskCache {
public:
  /// Nothing is made before the first store. Entries take at most `limit`
  /// bytes, those not used for longest going first.
  DiskCache(std::string folder, uint64_t limit);

  /// The payload for exactly this key. An entry that is damaged, or another's
  /// of the same digest, is removed and counts as none.
  std::optional<std::string> find(const CacheKey &key);
  /// KERN_ERROR_IO if it cannot be kept. An entry larger than its share of the
  /// limit (a sixteenth) is not kept, which is no error; neither is anything
  /// after a lasting failure.
  Status store(const CacheKey &key, std::string_view payload);
  void remove(const CacheKey &key);

  struct Listed {
    std::string path;
    uint64_t bytes = 0;
    int64_t lastUse = 0, made = 0; ///< nanoseconds since 1970
    uint64_t uses = 0;
    CacheKey key;
  };
  /// All entries, the latest use first. Damaged ones are left out.
  std::vector<Listed> list() const;
  /// Removes entries not used for longest until they take at most `limit`
  /// bytes, and what processes that ended early left behind.
  void prune(uint64_t limit);

  const std::string &folder() const { return root; }
  /// Why nothing would be kept now, found by trying where the folder is there;
  /// "" if it would. Makes no folder.
  std::string obstacle();
  /// Why something was not kept or not used; "" if all was.
  std::string problem() const;
  /// How many entries were found damaged.
  uint64_t damaged() const { return damagedEntries; }

private:
  static constexpr size_t shards = 16;
  std::string shardPath(size_t shard) const;
  std::string pathOf(const std::string &digest) const;
  /// Never removes `newest`. Returns the bytes that are left.
  uint64_t pruneShard(size_t shard, uint64_t share, const std::string &newest);

  void note(std::string problem, bool replaces);
  /// Whether nobody else can have put anything there; noted if not.
  bool trusts(size_t shard);
  bool trusts(const CacheFile &file, const std::string &path);

  std::string root;
  uint64_t limit;
  std::atomic<uint64_t> damagedEntries{0};
  std::atomic<bool> hasGivenUp{false}; ///< nothing more is written
  mutable std::mutex mutex;
  std::string fault;
  /// What each shard holds, as far as this process has looked, and what this
  /// process has added to those where it has not.
  std::array<std::optional<uint64_t>, shards> known;
  std::array<uint64_t, shards> added = {};
};

} // namespace kern
