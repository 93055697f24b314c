//===- CacheEntry.h - one entry as bytes ------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An entry of the cache on disk is a file:
//
//    0  "kerncch2"
//    8  number of uses          (counts may be lost when processes race)
//   16  64-bit XXH3 of everything that follows
//   24  time of creation, in nanoseconds since 1970
//   32  bytes of the key's text
//   40  bytes of the payload
//   48  the key's text, the payload
//
// Numbers are 64-bit, little-endian.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/cache/CacheKey.h"

#include <cstdint>

namespace kern::runtime {

inline constexpr size_t entryHeaderBytes = 48;
inline constexpr size_t entryUsesAt = 8;

struct CacheEntry {
  CacheKey key;
  uint64_t uses = 0;
  int64_t made = 0;         ///< nanoseconds since 1970
  std::string_view payload; ///< into the bytes that were read
};

std::string encodeEntry(const CacheKey &key, std::string_view payload,
                        int64_t made);

/// Nothing if the bytes are not exactly one entry with a correct checksum.
std::optional<CacheEntry> decodeEntry(std::string_view bytes);

/// The same from the first bytes of a file of `fileBytes` bytes, without
/// payload and checksum: for listings. Nothing if `head` is too short for the
/// key.
std::optional<CacheEntry> decodeEntryHead(std::string_view head,
                                          uint64_t fileBytes);

} // namespace kern::runtime
