//===- ShortNames.cpp - short forms of names ------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/syntax/format/Layout.h"

#include "compiler/diagnostics/ForeignNames.h"
#include "compiler/syntax/UnicodeLetters.h"

#include <algorithm>
#include <set>
#include <span>

namespace kern::compiler::syntax {
namespace {

constexpr std::string_view libraryModules[] = {"math", "cmath", "np", "numpy"};

bool isLibrary(std::string_view module) {
  return std::ranges::find(libraryModules, module) != std::end(libraryModules);
}

/// Kern's name for NumPy's name of a type.
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
  Shortening(const File &file, std::vector<FormatToken> &tokens)
      : file(file), tokens(tokens), bound(boundNames(file)) {}

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
    removeImports();
  }

private:
  /// The name by which the file refers to the module: `n` in `import m as n`.
  static const std::string &localName(const Import &import) {
    return import.alias ? import.alias->name : import.module.name;
  }

  void readImport(const Import &import) {
    if (!import.names.empty())
      return;
    const std::string &name = localName(import);
    const bool isNumPy =
        import.module.name == "np" || import.module.name == "numpy";
    isNumPy ? void(numpy.insert(name)) : void(numpy.erase(name));
    if (!isLibrary(import.module.name))
      ambiguous.insert(name);
    else if (!bound.contains(name))
      prefixes.insert(name);
  }

  /// The normalised name of a token, whose text stays as written.
  std::string name(size_t i) const { return normalName(tokens[i].text); }

  bool isPrefix(size_t i) const {
    return tokens[i].kind == TokenKind::Name && prefixes.contains(name(i)) &&
           tokens[i + 1].kind == TokenKind::Dot &&
           (i == 0 || tokens[i - 1].kind != TokenKind::Dot);
  }

  /// Whether the name behind a prefix would be one itself without it:
  /// `np.math.exp`.
  bool becomesPrefix(size_t i) const {
    return i + 1 < tokens.size() && prefixes.contains(name(i)) &&
           tokens[i + 1].kind == TokenKind::Dot;
  }

  /// How many arguments the call with its `(` at `open` has by position.
  size_t argumentsByPosition(size_t open) const {
    using enum TokenKind;
    size_t depth = 0, count = 0;
    bool isEmpty = true, isNamed = false;
    for (size_t i = open; i < tokens.size(); ++i) {
      const TokenKind kind = tokens[i].kind;
      depth -= kind == RParen || kind == RBracket;
      if (depth == 0 && i > open)
        break;
      if (depth == 1 && kind == Comma) {
        count += !isNamed;
        isEmpty = true;
        isNamed = false;
      } else if (i > open) {
        isEmpty = false;
        isNamed |= depth == 1 && kind == Equal;
      }
      depth += kind == LParen || kind == LBracket;
    }
    return count + (!isEmpty && !isNamed);
  }

  /// Whether the function behind the prefix takes others than Kern's does:
  /// `np.max(x, 0)`.
  bool hasNumPyOptions(size_t prefix) const {
    const std::optional<size_t> count = numpyArguments(name(prefix + 2));
    return count && numpy.contains(name(prefix)) &&
           prefix + 3 < tokens.size() &&
           tokens[prefix + 3].kind == TokenKind::LParen &&
           argumentsByPosition(prefix + 3) > *count;
  }

  /// A prefix that a name needs anywhere stays everywhere; one that a call
  /// needs stays there.
  void removePrefixes() {
    std::set<size_t> needed;
    for (size_t i = 0; i + 2 < tokens.size(); ++i) {
      if (!isPrefix(i))
        continue;
      if (tokens[i + 2].kind != TokenKind::Name ||
          bound.contains(name(i + 2)) || becomesPrefix(i + 2)) {
        kept.insert(name(i));
      } else if (hasNumPyOptions(i)) {
        needed.insert(i);
        imported.insert(name(i));
      }
    }
    for (size_t i = 0; i + 2 < tokens.size(); ++i)
      if (isPrefix(i) && !kept.contains(name(i)) && !needed.contains(i)) {
        tokens[i].isRemoved = tokens[i + 1].isRemoved = true;
        tokens[i + 2].startsLine = tokens[i].startsLine;
      }
  }

  void shortenTypes() {
    for (size_t i = 0; i < tokens.size(); ++i) {
      if (tokens[i].kind != TokenKind::Name)
        continue;
      const std::string_view brief = shortType(name(i));
      const bool attribute = i > 0 && tokens[i - 1].kind == TokenKind::Dot &&
                             !tokens[i - 1].isRemoved;
      if (!brief.empty() && !attribute && !bound.contains(name(i)) &&
          !bound.contains(std::string(brief)))
        tokens[i].text = brief;
    }
  }

  bool isUseless(const Import &import) const {
    if (!isLibrary(import.module.name))
      return false;
    if (import.names.empty()) {
      const std::string &name = localName(import);
      return prefixes.contains(name) && !kept.contains(name) &&
             !imported.contains(name);
    }
    return std::ranges::all_of(import.names, [this](const auto &entry) {
      const auto &[name, alias] = entry;
      return (!alias || alias->name == name.name) && !bound.contains(name.name);
    });
  }

  size_t tokenAt(uint32_t begin) const {
    return size_t(
        std::ranges::lower_bound(tokens, begin, {}, &FormatToken::begin) -
        tokens.begin());
  }

  /// Works line by line: `import a, b` is two items.
  void removeImports() {
    const std::span<const Item> items(file.items);
    auto isImport = [](const Item &item) {
      return std::holds_alternative<Import>(item.node);
    };
    for (size_t first = 0; first < items.size();) {
      size_t end = first + 1;
      if (isImport(items[first])) {
        while (end < items.size() && isImport(items[end]) &&
               !tokens[tokenAt(items[end].span.begin)].startsLine)
          ++end;
        removeUseless(items.subspan(first, end - first));
      }
      first = end;
    }
  }

  /// Removes the useless imports of one line, and the line if none is left.
  void removeUseless(std::span<const Item> imports) {
    std::vector<bool> useless;
    for (const Item &item : imports)
      useless.push_back(isUseless(std::get<Import>(item.node)));
    const size_t first = tokenAt(imports.front().span.begin);
    size_t last = first + 1;
    while (!tokens[last].startsLine)
      ++last;
    if (!tokens[first].startsLine ||
        tokens[last - 1].end > imports.back().span.end)
      return;
    if (std::ranges::find(useless, false) == useless.end()) {
      for (size_t i = first; i < last; ++i)
        tokens[i].isRemoved = true;
      return;
    }
    for (size_t k = 0; k < imports.size(); ++k) {
      if (!useless[k])
        continue;
      size_t i = tokenAt(imports[k].span.begin);
      i += k == 0; // the word `import` stays
      for (; i < last && tokens[i].begin < imports[k].span.end; ++i)
        tokens[i].isRemoved = true;
      // One comma goes with it: the next one, or for the last import the
      // previous one.
      if (k + 1 == imports.size())
        while (tokens[i].kind != TokenKind::Comma || tokens[i].isRemoved)
          --i;
      tokens[i].isRemoved = true;
    }
  }

  const File &file;
  std::vector<FormatToken> &tokens;
  std::set<std::string> bound;
  std::set<std::string> prefixes; ///< names of the standard library's modules
  std::set<std::string> numpy{"np", "numpy"}; ///< names of NumPy
  std::set<std::string> ambiguous;            ///< names of user modules
  std::set<std::string> kept;                 ///< prefixes that are needed
  std::set<std::string> imported;             ///< prefixes that some calls need
};

} // namespace

void shortenNames(const File &file, std::vector<FormatToken> &tokens) {
  Shortening(file, tokens).run();
}

} // namespace kern::compiler::syntax
