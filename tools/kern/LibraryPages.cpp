//===- LibraryPages.cpp - what the standard library says of itself --------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/kern/Explanations.h"

#include "compiler/driver/StandardModules.h"
#include "compiler/syntax/Parser.h"

#include <algorithm>

namespace kern::cli {

using compiler::DiagnosticEngine;
using compiler::SourceManager;

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

/// The lines of a docstring, without the common indentation of those after the
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

/// The functions of one file that have this name, or all for "".
void append(std::string_view name, std::string_view text,
            std::string_view module, std::string &page) {
  SourceManager sources;
  const uint32_t index = sources.add("", std::string(text));
  DiagnosticEngine diagnostics(sources);
  const compiler::syntax::File file =
      compiler::syntax::parse(index, diagnostics);
  for (const compiler::syntax::Item &item : file.items) {
    const auto *function = std::get_if<compiler::syntax::Function>(&item.node);
    if (!function || (!name.empty() && function->name.name != name))
      continue;
    std::string_view header = sources.text(function->header);
    if (header.ends_with(':'))
      header.remove_suffix(1);
    page.append(page.empty() ? "" : "\n").append(header).append("\n");
    if (!module.empty())
      page.append("    from ").append(module).append(" import ");
    if (!module.empty())
      page.append(function->name.name).append("\n");
    if (function->docstring)
      page += dedented(function->docstring->text);
  }
}

bool isModule(std::string_view name) {
  return std::ranges::find(compiler::standardModules(), name) !=
         compiler::standardModules().end();
}

/// The names of the functions of a module, each once.
std::vector<std::string> functionsOf(std::string_view module) {
  SourceManager sources;
  const uint32_t index =
      sources.add("", std::string(*compiler::standardModule(module)));
  DiagnosticEngine diagnostics(sources);
  const compiler::syntax::File file =
      compiler::syntax::parse(index, diagnostics);
  std::vector<std::string> names;
  for (const compiler::syntax::Item &item : file.items)
    if (const auto *function =
            std::get_if<compiler::syntax::Function>(&item.node))
      if (std::ranges::find(names, function->name.name) == names.end())
        names.push_back(function->name.name);
  return names;
}

/// A prefix that means the standard library alone.
bool isPlainPrefix(std::string_view name) {
  return name == "math" || name == "cmath" || name == "np" || name == "numpy";
}

} // namespace

std::string libraryPage(std::string_view name) {
  std::string page;
  const size_t dot = name.find('.');
  std::string_view prefix = name.substr(0, dot == name.npos ? 0 : dot);
  if (isModule(prefix)) {
    const std::string_view function = name.substr(dot + 1);
    if (!function.empty())
      append(function, *compiler::standardModule(prefix), prefix, page);
    return page;
  }
  if (isModule(name)) {
    append("", *compiler::standardModule(name), name, page);
    return page;
  }
  if (isPlainPrefix(prefix))
    name.remove_prefix(dot + 1);
  const std::string_view function = unaliased(name);
  if (const compiler::PreludeFile *file = compiler::preludeFileOf(function))
    append(function, file->text, "", page);
  if (!function.empty())
    for (std::string_view module : compiler::standardModules())
      append(function, *compiler::standardModule(module), module, page);
  return page;
}

std::vector<std::string> libraryNames() {
  std::vector<std::string> names;
  for (unsigned i = 0; i < compiler::preludeFunctionCount; ++i)
    names.emplace_back(compiler::preludeFunctions[i].name);
  for (std::string_view module : compiler::standardModules()) {
    names.emplace_back(module);
    for (const std::string &function : functionsOf(module)) {
      names.push_back(function);
      names.push_back(std::string(module) + "." + function);
    }
  }
  return names;
}

} // namespace kern::cli
