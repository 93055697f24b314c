//===- ShortNames.cpp - names that have a shorter form --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/syntax/format/ShortNames.h"

#include "compiler/syntax/format/BoundNames.h"

#include <algorithm>
#include <set>

namespace kern::syntax {
namespace {

constexpr std::string_view libraryModules[] = {"math", "cmath", "np", "numpy"};

bool isLibrary(std::string_view module) {
  return std::ranges::find(libraryModules, module) != std::end(libraryModules);
}

/// NumPy's name of a type to Kern's.
std::string_view shortType(std::string_view name) {
  static constexpr std::pair<std::string_view, std::string_view> types[] = {
      {"int8", "i8"},       {"int16", "i16"},      {"int32", "i32"},
      {"int64", "i64"},     {"uint8", "u8"},       {"uint16", "u16"},
      {"uint32", "u32"},    {"uint64", "u64"},     {"float16", "f16"},
      {"bfloat16", "bf16"}, {"float32", "f32"},    {"float64", "f64"},
      {"complex64", "c64"}, {"complex128", "c128"}};
  for (auto [full, brief] : types)
    if (name == full)
      return brief;
  return {};
}

class Shortening {
public:
  Shortening(const File &file, std::vector<Piece> &pieces)
      : file(file), pieces(pieces), bound(boundNames(file)) {}

  void run() {
    for (std::string_view module : libraryModules)
      if (!bound.contains(std::string(module)))
        prefixes.insert(std::string(module));
    for (const Item &item : file.items)
      if (const auto *import = std::get_if<Import>(&item.node))
        readImport(*import);
    for (const std::string &name : ambiguous)
      prefixes.erase(name);
    removePrefixes();
    shortenTypes();
    for (const Item &item : file.items)
      if (const auto *import = std::get_if<Import>(&item.node))
        if (isUseless(*import))
          removeLine(item.span);
  }

private:
  /// What `import m as n` calls its module.
  static const std::string &localName(const Import &import) {
    return import.alias ? import.alias->name : import.module.name;
  }

  void readImport(const Import &import) {
    if (!import.names.empty())
      return;
    const std::string &name = localName(import);
    if (!isLibrary(import.module.name))
      ambiguous.insert(name);
    else if (!bound.contains(name))
      prefixes.insert(name);
  }

  bool isPrefix(size_t i) const {
    return pieces[i].kind == TokenKind::Name &&
           prefixes.contains(pieces[i].text) &&
           pieces[i + 1].kind == TokenKind::Dot &&
           (i == 0 || pieces[i - 1].kind != TokenKind::Dot);
  }

  /// A prefix stays everywhere once it has to stay somewhere.
  void removePrefixes() {
    for (size_t i = 0; i + 2 < pieces.size(); ++i)
      if (isPrefix(i) && (pieces[i + 2].kind != TokenKind::Name ||
                          bound.contains(pieces[i + 2].text)))
        kept.insert(pieces[i].text);
    for (size_t i = 0; i + 2 < pieces.size(); ++i)
      if (isPrefix(i) && !kept.contains(pieces[i].text)) {
        pieces[i].isRemoved = pieces[i + 1].isRemoved = true;
        pieces[i + 2].startsLine = pieces[i].startsLine;
      }
  }

  void shortenTypes() {
    for (size_t i = 0; i < pieces.size(); ++i) {
      if (pieces[i].kind != TokenKind::Name)
        continue;
      const std::string_view brief = shortType(pieces[i].text);
      const bool attribute = i > 0 && pieces[i - 1].kind == TokenKind::Dot &&
                             !pieces[i - 1].isRemoved;
      if (!brief.empty() && !attribute && !bound.contains(pieces[i].text) &&
          !bound.contains(std::string(brief)))
        pieces[i].text = brief;
    }
  }

  bool isUseless(const Import &import) const {
    if (!isLibrary(import.module.name))
      return false;
    if (import.names.empty()) {
      const std::string &name = localName(import);
      return prefixes.contains(name) && !kept.contains(name);
    }
    return std::ranges::all_of(import.names, [this](const auto &entry) {
      const auto &[name, alias] = entry;
      return (!alias || alias->name == name.name) && !bound.contains(name.name);
    });
  }

  /// Only where the whole line is this one import.
  void removeLine(Span span) {
    size_t first = 0;
    while (pieces[first].begin < span.begin)
      ++first;
    size_t last = first;
    while (!pieces[last].startsLine || last == first)
      ++last;
    if (pieces[first].startsLine && pieces[last - 1].end <= span.end)
      for (size_t i = first; i < last; ++i)
        pieces[i].isRemoved = true;
  }

  const File &file;
  std::vector<Piece> &pieces;
  std::set<std::string> bound;
  std::set<std::string> prefixes;  ///< that mean the standard library
  std::set<std::string> ambiguous; ///< that name a module of the user's
  std::set<std::string> kept;      ///< prefixes that are needed
};

} // namespace

void shortenNames(const File &file, std::vector<Piece> &pieces) {
  Shortening(file, pieces).run();
}

} // namespace kern::syntax
