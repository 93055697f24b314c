//===- ForcedMapping.cpp - the mapping that KERN_MAPPING names ------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/Schedule.h"

#include <algorithm>

using namespace kern::runtime;

std::optional<Mapping> kern::runtime::parseMapping(std::string_view text) {
  Mapping mapping;
  if (text == kern::runtime::text(mapping))
    return mapping;
  for (;;) {
    size_t comma = text.find(',');
    std::string_view word = text.substr(0, comma);
    auto at = std::ranges::find(mappingWords, word, &MappingWord::name);
    if (word == "tiled")
      mapping.tile = anyTile;
    else if (word == "phases")
      mapping.phase = 1;
    else if (std::optional<unsigned> columns = tileOfWord(word))
      mapping.tile = *columns;
    else if (at == std::end(mappingWords))
      return std::nullopt;
    else
      mapping.*at->member = true;
    if (comma == text.npos)
      return mapping;
    text.remove_prefix(comma + 1);
  }
}
