//===- CacheSettings.cpp - where the cache is, and how large --------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/cache/CacheSettings.h"

#include <charconv>

using namespace kern::runtime;

bool kern::runtime::parseSize(std::string_view text, uint64_t &bytes) {
  uint64_t number = 0;
  auto [end, failure] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc())
    return false;
  std::string_view unit(end, size_t(text.data() + text.size() - end));
  int shift = unit.empty()                 ? 0
              : unit == "K" || unit == "k" ? 10
              : unit == "M" || unit == "m" ? 20
              : unit == "G" || unit == "g" ? 30
                                           : -1;
  if (shift < 0 || number > UINT64_MAX >> shift)
    return false;
  bytes = number << shift;
  return true;
}

CacheSettings kern::runtime::cacheSettings(const Environment &environment) {
  auto value = [&](const char *name) -> std::string {
    const char *text = environment(name);
    return text ? text : "";
  };
  CacheSettings settings;
  if (value("KERN_CACHE") == "0") {
    settings.isOn = false;
    return settings;
  }
  if (std::string chosen = value("KERN_CACHE_DIR"); !chosen.empty())
    settings.folder = chosen;
  // The XDG base directory specification: relative paths are invalid.
  else if (std::string base = value("XDG_CACHE_HOME"); base.starts_with("/"))
    settings.folder = base + "/kern";
  else if (std::string home = value("HOME"); home.starts_with("/"))
    settings.folder = home + "/.cache/kern";
  if (std::string size = value("KERN_CACHE_SIZE"); !size.empty())
    if (!parseSize(size, settings.diskBytes))
      settings.problem = "KERN_CACHE_SIZE is not a size: '" + size +
                         "' (write bytes, or 512M)";
  return settings;
}
