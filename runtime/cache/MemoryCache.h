//===- MemoryCache.h - results in memory ------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

namespace kern::runtime {

/// Texts by name: at most `limit` bytes, the least recently used removed first.
/// Thread-safe.
class MemoryCache {
public:
  explicit MemoryCache(uint64_t limit) : limit(limit) {}
  /// NULL if there is none.
  std::shared_ptr<const std::string> find(const std::string &name);
  /// Stores the text, or returns the one that another thread stored meanwhile.
  std::shared_ptr<const std::string>
  store(const std::string &name, std::shared_ptr<const std::string> text);
  void remove(const std::string &name);

private:
  using Entry = std::pair<std::string, std::shared_ptr<const std::string>>;
  void shrink();

  uint64_t limit, held = 0;
  std::mutex mutex;
  std::list<Entry> entries; ///< most recently used first
  std::unordered_map<std::string, std::list<Entry>::iterator> index;
};

} // namespace kern::runtime
