//===- SourceImports.h - what one source imports ----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/driver/ModuleFiles.h"

#include <mutex>

namespace kern {

/// An import and what was found for it.
struct Import {
  std::string module;
  std::string importer; ///< the file that asks; "" for the source itself
  std::string path;     ///< of the file that was found
  std::string hash;     ///< of its text
  bool operator==(const Import &) const = default;
};

/// Finds modules as ModuleFiles does and remembers what it found: who asks
/// again, as each compilation of a source does, gets the same text, though the
/// file may have changed since. Safe for several threads.
class SourceImports : public ModuleFinder {
public:
  /// For the source that messages call `source`.
  SourceImports(std::string source, std::vector<std::string> folders);

  std::optional<ModuleText> find(std::string_view module,
                                 std::string_view importer) override;
  std::string places(std::string_view importer) const override {
    return files.places(importer);
  }
  std::optional<ModuleText> prelude(std::string_view function) override {
    return files.prelude(function);
  }
  std::vector<std::string_view> preludeNames() const override {
    return files.preludeNames();
  }

  /// What was found, in the order in which it was asked for.
  std::vector<Import> list() const;
  /// Whether every import of `known` is found again with the same text in the
  /// same place, and so will be from now on.
  bool finds(const std::vector<Import> &known);

private:
  struct Found {
    Import import;
    ModuleText text;
  };
  const std::string source;
  ModuleFiles files;
  mutable std::mutex mutex;
  std::vector<Found> found;
};

/// As an entry of the cache has them.
std::string packImports(const std::vector<Import> &imports);
/// Nothing for a text that is none of these.
std::optional<std::vector<Import>> unpackImports(std::string_view text);

} // namespace kern
