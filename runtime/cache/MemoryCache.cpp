//===- MemoryCache.cpp - results in memory --------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/cache/MemoryCache.h"

using namespace kern::runtime;

std::shared_ptr<const std::string> MemoryCache::find(const std::string &name) {
  std::lock_guard lock(mutex);
  auto at = index.find(name);
  if (at == index.end())
    return nullptr;
  entries.splice(entries.begin(), entries, at->second);
  return at->second->second;
}

std::shared_ptr<const std::string>
MemoryCache::store(const std::string &name,
                   std::shared_ptr<const std::string> text) {
  std::lock_guard lock(mutex);
  if (auto at = index.find(name); at != index.end())
    return at->second->second;
  held += text->size();
  entries.emplace_front(name, text);
  index[name] = entries.begin();
  shrink();
  return text;
}

void MemoryCache::remove(const std::string &name) {
  std::lock_guard lock(mutex);
  auto at = index.find(name);
  if (at == index.end())
    return;
  held -= at->second->second->size();
  entries.erase(at->second);
  index.erase(at);
}

void MemoryCache::shrink() {
  while (held > limit && !entries.empty()) {
    held -= entries.back().second->size();
    index.erase(entries.back().first);
    entries.pop_back();
  }
}
