//===- UnusedImports.cpp - imports without a use --------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/modules/ModuleScope.h"

#include "compiler/syntax/Lexer.h"
#include "compiler/syntax/UnicodeLetters.h"

using namespace kern::compiler::syntax;

namespace kern::compiler {

void warnOfUnusedImports(const File &file, DiagnosticEngine &diagnostics) {
  std::map<std::string_view, const Identifier *> unused;
  std::vector<Span> imports;
  for (const Item &item : file.items) {
    const auto *import = std::get_if<Import>(&item.node);
    if (!import)
      continue;
    imports.push_back(item.span);
    if (import->names.empty()) {
      const Identifier &name = import->alias ? *import->alias : import->module;
      unused.emplace(name.name, &name);
    }
    for (const auto &[name, alias] : import->names) {
      const Identifier &local = alias ? *alias : name;
      unused.emplace(local.name, &local);
    }
  }
  if (unused.empty())
    return;

  const SourceManager &sources = diagnostics.sourceManager();
  DiagnosticEngine ignored(sources); // the parser has reported the errors
  Lexer lexer(file.file, ignored);
  auto import = imports.begin();
  for (Token token = lexer.next(); token.kind != TokenKind::EndOfFile;
       token = lexer.next()) {
    while (import != imports.end() && import->end <= token.begin)
      ++import;
    if (import != imports.end() && import->begin <= token.begin)
      continue;
    std::string_view text = sources.text({file.file, token.begin, token.end});
    if (token.kind == TokenKind::String)
      std::erase_if(unused, [&](const auto &entry) {
        return text.find(entry.first) != text.npos;
      });
    else if (auto used = unused.find(syntax::normalName(text));
             used != unused.end())
      unused.erase(used);
  }
  for (const auto &[name, place] : unused)
    diagnostics.report(Diag::unused_import, place->span, {std::string(name)});
}

} // namespace kern::compiler
