//===- LibraryPages.cpp - what the standard library says of itself --------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/LibraryPages.h"

#include "compiler/driver/StandardModules.h"
#include "compiler/syntax/Parser.h"

namespace kern::cli {
namespace {

struct Alias {
  std::string_view name, function;
};
constexpr Alias aliases[] = {
#define KERN_ALIAS(NAME, FUNCTION) {#NAME, #FUNCTION},
#include "dialects/Kern/ScalarFunctions.def"
};

std::string_view unaliased(std::string_view name) {
  for (const Alias &alias : aliases)
    if (alias.name == name)
      return alias.function;
  return name;
}

/// The lines of a docstring, those after the first as far to the left as the
/// first.
std::string dedented(std::string_view text) {
  std::string out;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    size_t blanks = 0;
    while (blanks < line.size() && blanks < 4 && line[blanks] == ' ')
      ++blanks;
    line.remove_prefix(out.empty() ? 0 : blanks);
    out.append(line.empty() ? "" : "    ").append(line).append("\n");
  }
  while (out.ends_with("\n\n"))
    out.pop_back();
  return out;
}

/// The functions of one file that have this name.
void append(std::string_view name, std::string_view text,
            std::string_view module, std::string &page) {
  SourceManager sources;
  const uint32_t index = sources.add("", std::string(text));
  DiagnosticEngine diagnostics(sources);
  const syntax::File file = syntax::parse(index, diagnostics);
  for (const syntax::Item &item : file.items) {
    const auto *function = std::get_if<syntax::Function>(&item.node);
    if (!function || function->name.name != name)
      continue;
    std::string_view header = sources.text(function->header);
    if (header.ends_with(':'))
      header.remove_suffix(1);
    page.append(page.empty() ? "" : "\n").append(header).append("\n");
    if (!module.empty())
      page.append("    from ").append(module).append(" import ").append(name) +=
          "\n";
    if (function->docstring)
      page += dedented(function->docstring->text);
  }
}

} // namespace

std::string libraryPage(std::string_view name) {
  const std::string_view function = unaliased(name);
  std::string page;
  if (const PreludeFile *file = preludeFileOf(function))
    append(function, file->text, "", page);
  for (std::string_view module : standardModules())
    append(function, *standardModule(module), module, page);
  return page;
}

std::vector<std::string> libraryFunctionNames() {
  std::vector<std::string> names;
  for (unsigned i = 0; i < preludeFunctionCount; ++i)
    names.emplace_back(preludeFunctions[i].name);
  return names;
}

} // namespace kern::cli
