//===- CacheReport.h - what is in the cache, for people ---------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/cache/CacheSettings.h"
#include "runtime/cache/DiskCache.h"

namespace kern::runtime {

/// Number, bytes and hits for each kind of entry.
std::string cacheStatistics(const CacheSettings &settings,
                            const std::vector<DiskCache::Listed> &entries);

/// One line for each entry, in order; of `function` alone if it is not empty.
/// `now` is in seconds since 1970.
std::string cacheList(const std::vector<DiskCache::Listed> &entries,
                      const std::string &function, int64_t now);

/// For each entry, in the order in which they were made, how its key differs
/// from that of the nearest entry made before it.
std::string cacheMisses(std::vector<DiskCache::Listed> entries,
                        const std::string &function);

} // namespace kern::runtime
