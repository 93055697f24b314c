//===- DiskCache.h - results in files ---------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A folder of entries that many processes use at once, without locks. An entry
// is written to a temporary file, which is then renamed, and is checked when it
// is read. Entries that belong to other users, and folders that they can write
// to, are not used (CacheFile.h).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/cache/CacheEntry.h"
#include "runtime/error/Expected.h"

#include <array>
#include <atomic>
#include <mutex>

namespace kern::runtime {

/// Whether later stores will fail with this errno too.
bool isLasting(int cause);

class CacheFile;

class DiskCache {
public:
  /// Creates nothing before the first store. Entries take at most `limit`
  /// bytes; the least recently used are removed first.
  DiskCache(std::string folder, uint64_t limit);

  /// The payload of exactly this key. A damaged entry, or one of another key
  /// with the same digest, is removed and counts as a miss.
  std::optional<std::string> find(const CacheKey &key);
  /// KERN_ERROR_IO if the entry cannot be stored. An entry larger than a
  /// sixteenth of the limit is not stored, and nothing is after a lasting
  /// failure; neither is an error.
  Status store(const CacheKey &key, std::string_view payload);
  void remove(const CacheKey &key);

  struct Listed {
    std::string path;
    uint64_t bytes = 0;
    int64_t lastUse = 0, made = 0; ///< nanoseconds since 1970
    uint64_t uses = 0;
    CacheKey key;
  };
  /// All entries, most recently used first, without the damaged ones.
  std::vector<Listed> list() const;
  /// Removes the least recently used entries until the rest take at most
  /// `limit` bytes, and temporary files of processes that were killed.
  void prune(uint64_t limit);

  const std::string &folder() const { return root; }
  /// Why an entry could not be stored now, or "". Tries it if the folder
  /// exists; creates no folder.
  std::string obstacle();
  /// Why something was not stored or not used; "" if there was no problem.
  std::string problem() const;
  /// The number of damaged entries found.
  uint64_t damaged() const { return damagedEntries; }

private:
  static constexpr size_t shards = 16;
  std::string shardPath(size_t shard) const;
  std::string pathOf(const std::string &digest) const;
  /// Never removes `newest`. Returns the bytes that are left.
  uint64_t pruneShard(size_t shard, uint64_t share, const std::string &newest);

  void note(std::string problem, bool replaces);
  /// Whether no other user can have written there. If one can, notes it.
  bool trusts(size_t shard);
  bool trusts(const CacheFile &file, const std::string &path);

  std::string root;
  uint64_t limit;
  std::atomic<uint64_t> damagedEntries{0};
  std::atomic<bool> hasGivenUp{false}; ///< nothing more is written
  mutable std::mutex mutex;
  std::string fault;
  /// The bytes of each shard that this process has scanned; of the others, the
  /// bytes that it has added.
  std::array<std::optional<uint64_t>, shards> known;
  std::array<uint64_t, shards> added = {};
};

} // namespace kern::runtime
