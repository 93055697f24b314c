//===- Modules.cpp - files of a compilation and their imports -------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/modules/Modules.h"

#include "compiler/syntax/Parser.h"
#include "llvm/ADT/STLExtras.h"

namespace kern::compiler {

/// A longer chain of imports would exhaust the stack.
static constexpr size_t maxDepth = 200;

struct Modules::Module {
  std::string name;  ///< as imported; empty for the file that is compiled
  uint32_t file;     ///< in the source manager
  syntax::File tree; ///< of an imported module
  std::unique_ptr<ModuleScope> scope;
};

ModuleFinder::~ModuleFinder() = default;

Modules::Modules(SourceManager &sources, DiagnosticEngine &diagnostics,
                 ModuleFinder *finder)
    : sources(sources), engine(diagnostics), finder(finder) {}

Modules::~Modules() = default;

/// "geometry" for "lib/geometry.kern".
static std::string stem(std::string_view path) {
  if (size_t slash = path.rfind('/'); slash != path.npos)
    path.remove_prefix(slash + 1);
  return std::string(path.substr(0, path.find('.')));
}

ModuleScope &Modules::open(const syntax::File &file) {
  auto module = std::make_unique<Module>();
  module->name = stem(sources.file(file.file).name());
  module->file = file.file;
  Module &added = *modules.emplace_back(std::move(module));
  loading.push_back(&added);
  added.scope = std::make_unique<ModuleScope>(file, *this, false);
  loading.pop_back();
  return *added.scope;
}

ModuleScope *Modules::cycle(const syntax::Identifier &module,
                            const Module &first) {
  std::string chain;
  bool isInside = false;
  for (const Module *entry : loading) {
    isInside |= entry == &first;
    if (isInside)
      chain += entry->name + " → ";
  }
  engine
      .report(Diag::import_cycle, module.span,
              {module.name, chain + first.name})
      .help = "move what both need into a third module";
  return nullptr;
}

ModuleScope *Modules::import(const syntax::Identifier &module,
                             uint32_t importer) {
  const std::string &from = sources.file(importer).name();
  std::optional<ModuleText> found =
      finder ? finder->find(module.name, from) : std::nullopt;
  if (!found) {
    Diagnostic &diagnostic =
        engine.report(Diag::unknown_module, module.span, {module.name});
    // SciPy's module, which the language's page mentions.
    if (module.name == "special" || module.name == "signal" ||
        module.name == "random")
      diagnostic.help =
          "the standard module `" + module.name + "` is not supported yet";
    else if (llvm::is_contained({"numba", "cupy", "scipy", "jax", "torch",
                                 "typing", "functools", "itertools", "cuda"},
                                llvm::StringRef(module.name).split('.').first))
      diagnostic.help =
          "leave the line out: `prange`, types and functions need "
          "no import";
    else if (finder)
      diagnostic.help = finder->places(from);
    return nullptr;
  }
  if (Module *other = loaded(*found)) {
    if (llvm::is_contained(loading, other))
      return cycle(module, *other);
    return other->scope.get();
  }
  if (loading.size() >= maxDepth) {
    engine.report(Diag::too_deep, module.span, {std::to_string(maxDepth)});
    return nullptr;
  }
  return load(module.name, std::move(*found), /*isPrelude=*/false).scope.get();
}

Modules::Module *Modules::loaded(const ModuleText &text) const {
  for (const std::unique_ptr<Module> &module : modules)
    if (sources.file(module->file).name() == text.name)
      return module.get();
  return nullptr;
}

Modules::Module &Modules::load(std::string name, ModuleText text,
                               bool isPrelude) {
  auto added = std::make_unique<Module>();
  added->name = std::move(name);
  added->file = sources.add(std::move(text.name), std::move(text.text));
  added->tree = syntax::parse(added->file, engine);
  writeMethodsAsFunctions(added->tree);
  Module &entry = *modules.emplace_back(std::move(added));
  loading.push_back(&entry);
  entry.scope = std::make_unique<ModuleScope>(entry.tree, *this, isPrelude);
  loading.pop_back();
  return entry;
}

std::vector<ScopedFunction> Modules::preludeFunctions(std::string_view name) {
  std::optional<ModuleText> text =
      finder ? finder->prelude(name) : std::nullopt;
  if (!text)
    return {};
  Module *module = loaded(*text);
  if (!module)
    module = &load(stem(text->name), std::move(*text), /*isPrelude=*/true);
  std::vector<ScopedFunction> found;
  for (const syntax::Item &item : module->tree.items)
    if (const auto *function = std::get_if<syntax::Function>(&item.node);
        function && function->name.name == name && !function->ellipsis)
      found.push_back({function, module->scope.get()});
  return found;
}

std::vector<std::string_view> Modules::preludeNames() const {
  return finder ? finder->preludeNames() : std::vector<std::string_view>();
}

} // namespace kern::compiler
