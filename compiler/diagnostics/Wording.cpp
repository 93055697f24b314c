//===- Wording.cpp - numbers in messages ----------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/diagnostics/Wording.h"

#include <algorithm>

namespace kern {

std::string counted(size_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) +
         (count == 1 ? "" : "s");
}

std::string countedAre(size_t count, std::string_view one,
                       std::string_view many) {
  return std::to_string(count) + " " + std::string(count == 1 ? one : many) +
         (count == 1 ? " is" : " are");
}

std::string decimal(__int128 value) {
  const bool isNegative = value < 0;
  auto rest = static_cast<unsigned __int128>(value);
  if (isNegative)
    rest = -rest;
  std::string digits;
  do
    digits += char('0' + int(rest % 10));
  while (rest /= 10);
  if (isNegative)
    digits += '-';
  std::ranges::reverse(digits);
  return digits;
}

} // namespace kern
