//===- CacheSettings.h - where the cache is, and how large ------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace kern::runtime {

struct CacheSettings {
  bool isOn = true;
  std::string folder; ///< "": nothing is stored on disk
  uint64_t diskBytes = uint64_t(512) << 20;
  uint64_t memoryBytes = uint64_t(64) << 20;
  std::string problem; ///< what was wrong with the environment; "" if nothing
  bool operator==(const CacheSettings &) const = default;
};

/// A variable of the environment, NULL if it is not set.
using Environment = std::function<const char *(const char *name)>;

/// KERN_CACHE=0 turns the cache off. Its folder is KERN_CACHE_DIR, else `kern`
/// below XDG_CACHE_HOME or ~/.cache; without any of these the cache is only in
/// memory. KERN_CACHE_SIZE limits it on disk: a number of bytes, optionally
/// with the suffix K, M or G.
CacheSettings cacheSettings(const Environment &environment);

/// "512M" → bytes.
bool parseSize(std::string_view text, uint64_t &bytes);

} // namespace kern::runtime
