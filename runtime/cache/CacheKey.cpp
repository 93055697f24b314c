//===- CacheKey.cpp - what a cached result depends on ---------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/cache/CacheKey.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstdio>

using namespace kern::runtime;

CacheKey &CacheKey::add(std::string_view name, std::string_view value) {
  std::string line(value);
  std::replace(line.begin(), line.end(), '\n', ' ');
  list.emplace_back(name, std::move(line));
  return *this;
}

std::string_view CacheKey::value(std::string_view name) const {
  for (const auto &[field, value] : list)
    if (field == name)
      return value;
  return "";
}

std::string CacheKey::text() const {
  std::string out;
  for (const auto &[name, value] : list)
    out.append(name).append("=").append(value).append("\n");
  return out;
}

std::optional<CacheKey> CacheKey::parse(std::string_view text) {
  CacheKey key;
  while (!text.empty()) {
    size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    size_t equals = line.find('=');
    if (end == std::string_view::npos || equals == std::string_view::npos)
      return std::nullopt;
    key.list.emplace_back(line.substr(0, equals), line.substr(equals + 1));
    text.remove_prefix(end + 1);
  }
  return key;
}

std::string kern::runtime::contentHash(std::string_view content) {
  XXH128_hash_t hash = XXH3_128bits(content.data(), content.size());
  char digits[33];
  std::snprintf(digits, sizeof digits, "%016llx%016llx",
                static_cast<unsigned long long>(hash.high64),
                static_cast<unsigned long long>(hash.low64));
  return digits;
}

std::string CacheKey::digest() const { return contentHash(text()); }

std::optional<CacheDifference>
kern::runtime::nearestEntry(const CacheKey &wanted,
                            std::span<const CacheKey> entries) {
  std::optional<CacheDifference> nearest;
  for (size_t i = 0; i < entries.size(); ++i) {
    const CacheKey &entry = entries[i];
    if (entry.value("kind") != wanted.value("kind") ||
        entry.value("function") != wanted.value("function"))
      continue;
    CacheDifference difference{i, {}};
    for (const auto &[name, value] : wanted.fields())
      if (entry.value(name) != value)
        difference.fields.push_back(name);
    for (const auto &[name, value] : entry.fields())
      if (wanted.value(name).empty() && !value.empty())
        difference.fields.push_back(name);
    if (!nearest || difference.fields.size() <= nearest->fields.size())
      nearest = std::move(difference);
  }
  return nearest;
}
