//===- CacheKey.h - what a cached result follows from -----------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kern::runtime {

/// Everything that a cached result depends on, as named fields. Equal keys have
/// equal results.
class CacheKey {
public:
  CacheKey() = default;
  /// `kind` is the first field: "module", "loop", "kernel" …
  explicit CacheKey(std::string_view kind) { add("kind", kind); }

  /// Line breaks in a value become blanks.
  CacheKey &add(std::string_view name, std::string_view value);

  const std::vector<std::pair<std::string, std::string>> &fields() const {
    return list;
  }
  /// The value of a field; "" if there is none.
  std::string_view value(std::string_view name) const;

  /// One line `name=value` for each field.
  std::string text() const;
  /// Parses what text() writes; nothing if the text is malformed.
  static std::optional<CacheKey> parse(std::string_view text);
  /// 32 hexadecimal digits of a hash of text().
  std::string digest() const;

private:
  std::vector<std::pair<std::string, std::string>> list;
};

/// 32 hexadecimal digits of the 128-bit XXH3.
std::string contentHash(std::string_view content);

/// Why a lookup of `wanted` misses although there are entries.
struct CacheDifference {
  size_t nearest = 0;              ///< the entry that differs in fewest fields
  std::vector<std::string> fields; ///< the names of those, in order
};

/// The nearest of the `entries` of the same kind and, for kinds that have one,
/// of the same function; of two equally near ones the later. Nothing if there
/// is none.
std::optional<CacheDifference> nearestEntry(const CacheKey &wanted,
                                            std::span<const CacheKey> entries);

/// Differs between builds whose code differs: the build ID, in hexadecimal
/// digits, of the library or program that contains this code. Without a build
/// ID, the size and time of that file.
const std::string &buildId();

/// The same for the library or program that contains the code at this address.
std::string buildIdOf(const void *code);

} // namespace kern::runtime
