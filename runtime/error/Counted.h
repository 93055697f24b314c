//===- Counted.h - numbers of things in messages ----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace kern::runtime {

/// The plural of an English noun: "dimensions", "entries", "indices", "axes",
/// "classes".
inline std::string plural(std::string_view noun) {
  const std::string one(noun);
  auto stem = [&](size_t cut) { return one.substr(0, one.size() - cut); };
  if (noun.ends_with("index"))
    return stem(2) + "ices";
  if (noun.ends_with("axis"))
    return stem(2) + "es";
  const bool afterVowel =
      noun.size() > 1 &&
      std::string_view("aeiou").find(noun[noun.size() - 2]) != noun.npos;
  if (noun.ends_with("y") && !afterVowel)
    return stem(1) + "ies";
  for (std::string_view hiss : {"s", "x", "ch", "sh"})
    if (noun.ends_with(hiss))
      return one + "es";
  return one + "s";
}

/// "1 dimension", "2 dimensions", "3 entries".
inline std::string counted(size_t count, std::string_view noun) {
  return std::to_string(count) + " " +
         (count == 1 ? std::string(noun) : plural(noun));
}

/// "512 bytes", "1.5 GiB".
inline std::string sizeText(uint64_t bytes) {
  constexpr std::array units = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
  size_t unit = 0;
  double value = double(bytes);
  while (value >= 1024 && unit + 1 < units.size()) {
    value /= 1024;
    ++unit;
  }
  char text[64];
  std::snprintf(text, sizeof text, unit ? "%.1f %s" : "%.0f %s", value,
                units[unit]);
  return text;
}

/// "1 index is", "2 indices are".
inline std::string countedAre(size_t count, std::string_view noun) {
  return counted(count, noun) + (count == 1 ? " is" : " are");
}

} // namespace kern::runtime
