//===- SourceImports.cpp - the imports of one source ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/driver/SourceImports.h"

#include "runtime/cache/CacheKey.h"

#include <charconv>

namespace kern::compiler {

SourceImports::SourceImports(std::string source,
                             std::vector<std::string> folders)
    : source(std::move(source)), files(std::move(folders)) {}

std::optional<ModuleText> SourceImports::find(std::string_view module,
                                              std::string_view importer) {
  std::string_view asking = importer == source ? "" : importer;
  std::lock_guard lock(mutex);
  for (const Found &known : found)
    if (known.import.module == module && known.import.importer == asking)
      return known.text;
  std::optional<ModuleText> text = files.find(module, importer);
  if (!text)
    return std::nullopt;
  // Another file may import the same one; it is read once.
  for (const Found &known : found)
    if (known.text.name == text->name)
      text = known.text;
  found.push_back({{std::string(module), std::string(asking), text->name,
                    runtime::contentHash(text->text)},
                   *text});
  return text;
}

std::vector<Import> SourceImports::list() const {
  std::lock_guard lock(mutex);
  std::vector<Import> imports;
  for (const Found &known : found)
    imports.push_back(known.import);
  return imports;
}

bool SourceImports::finds(const std::vector<Import> &known) {
  for (const Import &import : known)
    if (!find(import.module,
              import.importer.empty() ? source : import.importer))
      return false;
  return list() == known;
}

// Four fields per import, as "LENGTH:BYTES": paths may hold anything.
std::string packImports(const std::vector<Import> &imports) {
  std::string text;
  for (const Import &import : imports)
    for (const std::string *field :
         {&import.module, &import.importer, &import.path, &import.hash})
      text.append(std::to_string(field->size())).append(":").append(*field);
  return text;
}

std::optional<std::vector<Import>> unpackImports(std::string_view text) {
  auto take = [&](std::string &field) {
    size_t length = 0;
    auto [end, failure] =
        std::from_chars(text.data(), text.data() + text.size(), length);
    auto digits = size_t(end - text.data());
    if (failure != std::errc() || digits == text.size() || *end != ':' ||
        length > text.size() - digits - 1)
      return false;
    field = text.substr(digits + 1, length);
    text.remove_prefix(digits + 1 + length);
    return true;
  };
  std::vector<Import> imports;
  while (!text.empty()) {
    Import &import = imports.emplace_back();
    if (!take(import.module) || !take(import.importer) || !take(import.path) ||
        !take(import.hash))
      return std::nullopt;
  }
  return imports;
}

} // namespace kern::compiler
