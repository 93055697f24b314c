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

/// Everything that a cached result follows from, as named fields. Equal keys
/// have equal results.
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
  /// Reads text(); nothing if it is none.
  static std::optional<CacheKey> parse(std::string_view text);
  /// 32 hexadecimal digits of a hash of text().
  std::string digest() const;

private:
  std::vector<std::pair<std::string, std::string>> list;
};

/// 32 hexadecimal digits: XXH3 with 128 bits.
std::string contentHash(std::string_view content);

/// Why a lookup of `wanted` misses although there are entries.
struct CacheDifference {
  size_t nearest = 0;              ///< the entry that differs in fewest fields
  std::vector<std::string> fields; ///< the names of those, in order
};

/// The nearest of `entries` of the same kind and, where they have one, of the
/// same function; the later of two that are as near. Nothing if there is none.
std::optional<CacheDifference> nearestEntry(const CacheKey &wanted,
                                            std::span<const CacheKey> entries);

/// Differs for every build whose code differs: the linker's build ID of the
/// library or program that holds this code, in hexadecimal digits. Where the
/// linker made none, the size and time of that file.
const std::string &buildId();

/// The same of the library or program that holds the code at this address.
std::string buildIdOf(const void *code);

} // namespace kern::runtime
