//===- MappingRemarks.cpp - remarks on the mappings of gufuncs ------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/driver/MappingRemarks.h"

#include "compiler/lowering/Locations.h"
#include "dialects/LoopMappings/Obstacle.h"

#include "llvm/ADT/StringExtras.h"

namespace kern::compiler {

/// The name with which a place of the source begins.
static std::string nameAt(const SourceManager &sources, Span span) {
  return llvm::StringRef(sources.text(span))
      .take_while([](char c) { return llvm::isAlnum(c) || c == '_'; })
      .str();
}

void noteMissingMappings(ir::loop::KernelOp kernel,
                         const SourceManager &sources,
                         std::vector<Note> &notes) {
  for (const ir::loop::MissingMapping &missing :
       ir::loop::missingMappings(kernel)) {
    std::optional<Span> place = toSpan(sources, missing.obstacle.where);
    if (!place)
      continue;
    std::string text = missing.obstacle.why;
    if (size_t at = text.find("{0}"); at != std::string::npos)
      text.replace(at, 3, nameAt(sources, *place));
    text += ": " + missing.mapping.str();
    if (llvm::none_of(notes, [&](const Note &note) {
          return note.span == *place && note.text == text;
        }))
      notes.push_back({*place, std::move(text)});
  }
}

} // namespace kern::compiler
