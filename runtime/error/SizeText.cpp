//===- SizeText.cpp - numbers of bytes for people -------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/error/SizeText.h"

#include <array>
#include <cstdio>

using namespace kern;

std::string kern::sizeText(uint64_t bytes) {
  static constexpr std::array units = {"bytes", "KiB", "MiB",
                                       "GiB",   "TiB", "PiB"};
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
