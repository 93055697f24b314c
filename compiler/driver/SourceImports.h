//===- SourceImports.h - the imports of one source --------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/driver/ModuleFiles.h"

#include <mutex>

namespace kern::compiler {

/// An import and the file found for it.
struct Import {
  std::string module;
  std::string importer; ///< the importing file; "" for the source itself
  std::string path;     ///< of the file
  std::string hash;     ///< of its text
  bool operator==(const Import &) const = default;
};

/// Finds modules like ModuleFiles and remembers them: later requests, as for
/// each compilation of a source, get the same text even if the file has
/// changed. Thread-safe.
class SourceImports : public ModuleFinder {
public:
  /// `source` is the source's name in messages.
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

  /// The imports found, in the order of the requests.
  std::vector<Import> list() const;
  /// Whether every import of `known` is found with the same text in the same
  /// place. If so, later requests get these texts.
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

/// The form of imports in a cache entry.
std::string packImports(const std::vector<Import> &imports);
/// Nothing for an invalid text.
std::optional<std::vector<Import>> unpackImports(std::string_view text);

} // namespace kern::compiler
