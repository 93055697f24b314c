//===- Modules.h - files of a compilation and their imports --- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/modules/ModuleScope.h"

#include <memory>

namespace kern::compiler {

/// A module's text, and its name in messages.
struct ModuleText {
  std::string name;
  std::string text;
};

/// Where imported modules come from.
class ModuleFinder {
public:
  virtual ~ModuleFinder();
  /// The module that the file `importer` imports; nothing if there is none.
  virtual std::optional<ModuleText> find(std::string_view module,
                                         std::string_view importer) = 0;
  /// Where it looks, for the message about a missing module.
  virtual std::string places(std::string_view importer) const = 0;
  /// The prelude file with functions of this name; nothing if there is none.
  virtual std::optional<ModuleText> prelude(std::string_view function) = 0;
  /// The names of the prelude's functions.
  virtual std::vector<std::string_view> preludeNames() const = 0;
};

/// The scopes of a file and of all modules that it imports, directly or not.
/// Each module is read once.
class Modules {
public:
  /// Without a finder the library is the table of scalar functions alone.
  Modules(SourceManager &sources, DiagnosticEngine &diagnostics,
          ModuleFinder *finder);
  ~Modules();

  /// Opens the file that is compiled. `file` must outlive this.
  ModuleScope &open(const syntax::File &file);
  /// The scope of a module that the file `importer` imports. Null after an
  /// error, which is reported: it does not exist, or it imports itself.
  ModuleScope *import(const syntax::Identifier &module, uint32_t importer);

  /// The prelude's Kern functions of this name, one for each number of
  /// parameters. A prelude file is read when one of its functions is first
  /// asked for.
  std::vector<ScopedFunction> preludeFunctions(std::string_view name);
  std::vector<std::string_view> preludeNames() const;

  /// The functions that were inlined into others.
  void noteInlined(const syntax::Function &function) {
    inlined.insert(&function);
  }
  bool wasInlined(const syntax::Function &function) const {
    return inlined.contains(&function);
  }

  DiagnosticEngine &diagnostics() { return engine; }

private:
  struct Module;
  ModuleScope *cycle(const syntax::Identifier &module, const Module &first);
  /// The module with this text, if it was read before.
  Module *loaded(const ModuleText &text) const;
  Module &load(std::string name, ModuleText text, bool isPrelude);

  SourceManager &sources;
  DiagnosticEngine &engine;
  ModuleFinder *finder;
  std::vector<std::unique_ptr<Module>> modules;
  std::set<const syntax::Function *> inlined;
  std::vector<const Module *>
      loading; ///< modules whose imports are being followed
};

//===--- Methods.cpp ------------------------------------------------------===//
/// Makes functions of methods: `x.sum(0)` is `np.sum(x, 0)`, `x.astype(f64)`
/// `f64(x)`, and `z.real` `np.real(z)`. Methods that are no such functions
/// stay.
void writeMethodsAsFunctions(syntax::File &file);

} // namespace kern::compiler
