//===- CacheEntry.cpp - one entry as bytes --------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/cache/CacheEntry.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

using namespace kern::runtime;

static constexpr std::string_view magic = "kerncch2";
static constexpr size_t checksumAt = 16, checkedFrom = 24;

static void put(std::string &bytes, uint64_t number) {
  for (int shift = 0; shift < 64; shift += 8)
    bytes += char(number >> shift);
}

static uint64_t get(std::string_view bytes, size_t at) {
  uint64_t number = 0;
  for (size_t i = 0; i < 8; ++i)
    number |= uint64_t(uint8_t(bytes[at + i])) << (8 * i);
  return number;
}

static uint64_t checksum(std::string_view bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

std::string kern::runtime::encodeEntry(const CacheKey &key,
                                       std::string_view payload, int64_t made) {
  std::string text = key.text(), rest, bytes(magic);
  rest.reserve(entryHeaderBytes + text.size() + payload.size());
  put(rest, uint64_t(made));
  put(rest, text.size());
  put(rest, payload.size());
  rest += text;
  rest += payload;
  put(bytes, 0);
  put(bytes, checksum(rest));
  return bytes + rest;
}

std::optional<CacheEntry> kern::runtime::decodeEntryHead(std::string_view head,
                                                         uint64_t fileBytes) {
  if (head.size() < entryHeaderBytes || !head.starts_with(magic))
    return std::nullopt;
  uint64_t keyBytes = get(head, 32), payloadBytes = get(head, 40);
  if (fileBytes < entryHeaderBytes || keyBytes > fileBytes - entryHeaderBytes ||
      payloadBytes != fileBytes - entryHeaderBytes - keyBytes ||
      head.size() < entryHeaderBytes + keyBytes)
    return std::nullopt;
  std::optional<CacheKey> key =
      CacheKey::parse(head.substr(entryHeaderBytes, keyBytes));
  if (!key)
    return std::nullopt;
  return CacheEntry{std::move(*key), get(head, entryUsesAt),
                    int64_t(get(head, checkedFrom)),
                    head.substr(entryHeaderBytes + keyBytes)};
}

std::optional<CacheEntry> kern::runtime::decodeEntry(std::string_view bytes) {
  if (bytes.size() < entryHeaderBytes ||
      get(bytes, checksumAt) != checksum(bytes.substr(checkedFrom)))
    return std::nullopt;
  return decodeEntryHead(bytes, bytes.size());
}
