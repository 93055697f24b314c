//===- Cache.cpp - results of compilations --------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/cache/Cache.h"
#include "runtime/trace/Trace.h"

#include <cstdlib>

using namespace kern::runtime;

Cache::Cache(CacheSettings given)
    : settings(std::move(given)), memory(settings.memoryBytes),
      disk(settings.folder, settings.diskBytes) {}

Cache &Cache::shared() {
  static Cache cache(
      cacheSettings([](const char *name) { return std::getenv(name); }));
  return cache;
}

/// Of an entry: its function's name, or that of its kind.
static TraceLabel labelOf(const char *step, const CacheKey &key) {
  std::string_view function = key.value("function");
  return {KERN_TRACE_CACHE, step,
          function.empty() ? key.value("kind") : function};
}

std::shared_ptr<const std::string> Cache::find(const CacheKey &key) {
  if (!settings.isOn)
    return nullptr;
  return traced([&] { return labelOf("find", key); },
                [&] { return lookUp(key); });
}

std::shared_ptr<const std::string> Cache::lookUp(const CacheKey &key) {
  std::string name = key.digest();
  if (auto known = memory.find(name)) {
    ++memoryHits;
    return known;
  }
  if (!settings.folder.empty())
    if (std::optional<std::string> payload = disk.find(key)) {
      ++diskHits;
      return memory.store(
          name, std::make_shared<const std::string>(std::move(*payload)));
    }
  ++misses;
  return nullptr;
}

std::shared_ptr<const std::string> Cache::store(const CacheKey &key,
                                                std::string payload) {
  auto text = std::make_shared<const std::string>(std::move(payload));
  if (!settings.isOn)
    return text;
  auto label = [&] {
    TraceLabel label = labelOf("store", key);
    label.bytes = text->size();
    return label;
  };
  return traced(label, [&] { return keep(key, text); });
}

std::shared_ptr<const std::string>
Cache::keep(const CacheKey &key,
            const std::shared_ptr<const std::string> &text) {
  auto kept = memory.store(key.digest(), text);
  ++stored;
  if (!settings.folder.empty())
    // The disk cache records why.
    static_cast<void>(disk.store(key, *text));
  return kept;
}

void Cache::remove(const CacheKey &key) {
  memory.remove(key.digest());
  if (!settings.folder.empty())
    disk.remove(key);
}

CacheCounts Cache::counts() const {
  return {memoryHits, diskHits, misses, stored, disk.damaged()};
}

std::string Cache::problem() const {
  std::string problem = disk.problem();
  return problem.empty() ? settings.problem : problem;
}
