//===- Format.cpp - the canonical form of a file --------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/syntax/format/Format.h"

#include "compiler/syntax/Parser.h"
#include "compiler/syntax/format/Layout.h"
#include "compiler/syntax/format/ShortNames.h"

namespace kern::syntax {

std::optional<std::string> format(uint32_t file,
                                  DiagnosticEngine &diagnostics) {
  const unsigned errors = diagnostics.errors();
  const File tree = parse(file, diagnostics);
  if (diagnostics.errors() != errors)
    return std::nullopt;
  const SourceManager &sources = diagnostics.sourceManager();
  std::vector<Piece> pieces = readPieces(file, sources);
  splitLines(pieces);
  shortenNames(tree, pieces);
  return layOut(makeRows(pieces, sources.file(file).text()));
}

} // namespace kern::syntax
