//===- CacheReport.cpp - the contents of the cache, for people ------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/cache/CacheReport.h"
#include "runtime/error/Counted.h"

#include <algorithm>
#include <cstdio>
#include <map>

using namespace kern::runtime;
using Listed = DiskCache::Listed;

static std::string ageText(int64_t seconds) {
  if (seconds < 120)
    return std::to_string(std::max<int64_t>(seconds, 0)) + " s";
  if (seconds < 2 * 3600)
    return std::to_string(seconds / 60) + " min";
  if (seconds < 2 * 86400)
    return std::to_string(seconds / 3600) + " h";
  return counted(size_t(seconds / 86400), "day");
}

/// Names and versions in full, and the first digits of hashes.
static std::string shortValue(std::string_view value) {
  constexpr size_t maxLength = 24;
  return value.size() <= maxLength ? std::string(value)
                                   : std::string(value.substr(0, 12)) + "…";
}

/// "f(f32, f32) contiguous sm_90", with the parts that the key has.
static std::string title(const CacheKey &key) {
  std::string text(key.value("function"));
  if (!key.value("types").empty())
    text += "(" + std::string(key.value("types")) + ")";
  if (text.empty())
    text = key.value("file");
  if (text.empty() && !key.value("source").empty())
    text = "source " + shortValue(key.value("source"));
  for (const char *field : {"form", "target"})
    if (!key.value(field).empty())
      text += (text.empty() ? "" : " ") + std::string(key.value(field));
  if (key.value("disjoint") == "yes")
    text += " disjoint";
  return text;
}

static bool isWanted(const CacheKey &key, const std::string &function) {
  return function.empty() || key.value("function") == function;
}

std::string kern::runtime::cacheStatistics(const CacheSettings &settings,
                                           const std::vector<Listed> &entries) {
  struct Sum {
    uint64_t entries = 0, bytes = 0, uses = 0;
  };
  std::map<std::string, Sum> kinds;
  Sum all;
  for (const Listed &entry : entries)
    for (Sum *sum : {&kinds[std::string(entry.key.value("kind"))], &all}) {
      ++sum->entries;
      sum->bytes += entry.bytes;
      sum->uses += entry.uses;
    }
  std::string text =
      settings.folder + ", at most " + sizeText(settings.diskBytes) + "\n";
  auto row = [&](const std::string &kind, const Sum &sum) {
    char line[128];
    std::snprintf(line, sizeof line, "%-8s %14s  %12s  %11s\n", kind.c_str(),
                  counted(sum.entries, "entry").c_str(),
                  sizeText(sum.bytes).c_str(),
                  counted(sum.uses, "hit").c_str());
    text += line;
  };
  for (const auto &[kind, sum] : kinds)
    row(kind, sum);
  row("in all", all);
  return text;
}

std::string kern::runtime::cacheList(const std::vector<Listed> &entries,
                                     const std::string &function, int64_t now) {
  std::string text;
  for (const Listed &entry : entries) {
    if (!isWanted(entry.key, function))
      continue;
    char line[96];
    std::snprintf(line, sizeof line, "%-7s %10s %9s %9s ago  ",
                  std::string(entry.key.value("kind")).c_str(),
                  sizeText(entry.bytes).c_str(),
                  counted(entry.uses, "hit").c_str(),
                  ageText(now - entry.lastUse / 1000000000).c_str());
    text += line + title(entry.key) + "\n";
  }
  return text;
}

std::string kern::runtime::cacheMisses(std::vector<Listed> entries,
                                       const std::string &function) {
  std::ranges::sort(entries, [](const Listed &a, const Listed &b) {
    return a.made != b.made ? a.made < b.made : a.path < b.path;
  });
  std::string text;
  std::vector<CacheKey> older;
  for (const Listed &entry : entries) {
    if (isWanted(entry.key, function)) {
      text += std::string(entry.key.value("kind")) + " " + title(entry.key);
      auto nearest = nearestEntry(entry.key, older);
      if (!nearest) {
        text += ": the first of its kind\n";
      } else {
        const CacheKey &other = older[nearest->nearest];
        text += ":\n";
        for (const std::string &field : nearest->fields)
          text += "  another " + field + ": " +
                  shortValue(entry.key.value(field)) + ", and before " +
                  shortValue(other.value(field)) + "\n";
        if (nearest->fields.empty())
          text += "  made again: it was damaged or removed\n";
      }
    }
    older.push_back(entry.key);
  }
  return text;
}
