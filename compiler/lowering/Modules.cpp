//===- Modules.cpp - the files of one compilation and their imports -------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/Modules.h"

#include "compiler/syntax/Parser.h"
#include "llvm/ADT/STLExtras.h"

namespace kern {

/// A chain of imports longer than this would exhaust the stack.
static constexpr size_t maxDepth = 200;

struct Modules::Module {
  std::string name;  ///< as it is imported; empty: the file compiled
  uint32_t file;     ///< in the source manager
  syntax::File tree; ///< of an imported module
  std::unique_ptr<ModuleScope> scope;
};

ModuleFinder::~ModuleFinder() = default;

Modules::Modules(SourceManager &sources, DiagnosticEngine &diagnostics,
                 ModuleFinder *finder)
    : sources(sources), engine(diagnostics), finder(finder) {}

Modules::~Modules() = default;

/// "geometry" of "lib/geometry.kern".
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
  added.scope = std::make_unique<ModuleScope>(file, *this);
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
    if (finder)
      diagnostic.help = finder->places(from);
    return nullptr;
  }
  for (const std::unique_ptr<Module> &other : modules)
    if (sources.file(other->file).name() == found->name) {
      if (llvm::is_contained(loading, other.get()))
        return cycle(module, *other);
      return other->scope.get();
    }
  if (loading.size() >= maxDepth) {
    engine.report(Diag::too_deep, module.span, {std::to_string(maxDepth)});
    return nullptr;
  }
  auto added = std::make_unique<Module>();
  added->name = module.name;
  added->file = sources.add(std::move(found->name), std::move(found->text));
  added->tree = syntax::parse(added->file, engine);
  Module &entry = *modules.emplace_back(std::move(added));
  loading.push_back(&entry);
  entry.scope = std::make_unique<ModuleScope>(entry.tree, *this);
  loading.pop_back();
  return entry.scope.get();
}

} // namespace kern
