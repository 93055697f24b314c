//===- Lowering.cpp - syntax tree to the kern dialect ---------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/Lowering.h"

#include "compiler/lowering/FunctionLowering.h"
#include "compiler/modules/ModuleScope.h"
#include "compiler/modules/Modules.h"

using namespace mlir;

namespace kern::compiler {

OwningOpRef<ModuleOp> lower(const syntax::File &file, MLIRContext &context,
                            SourceManager &sources,
                            DiagnosticEngine &diagnostics, ModuleFinder *finder,
                            Checks checks) {
  Modules modules(sources, diagnostics, finder);
  ModuleScope &scope = modules.open(file);
  OpBuilder builder(&context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(builder.getUnknownLoc());
  for (const syntax::Item &item : file.items) {
    const auto *function = std::get_if<syntax::Function>(&item.node);
    if (!function || function->kind == syntax::ItemKind::Def)
      continue;
    std::optional<ScopedFunction> named = scope.function(function->name.name);
    if (!named || named->function != function)
      continue; // a second definition of the name, which is reported
    if (function->ellipsis) {
      diagnostics.report(Diag::ellipsis_value, *function->ellipsis).help =
          "an empty block says `pass`; dimensions that are mapped over need no "
          "index";
      continue;
    }
    builder.setInsertionPointToEnd(module->getBody());
    ir::FuncOp lowered = lowerFunction(scope, *function, builder, checks);
    // A function without code must have an error.
    if (!lowered && !diagnostics.hasErrors())
      diagnostics.report(
          Diag::internal_error, function->name.span,
          {"lowering", "`" + function->name.name + "` has no code"});
  }
  for (const syntax::Item &item : file.items) {
    const auto *function = std::get_if<syntax::Function>(&item.node);
    if (!function || function->kind != syntax::ItemKind::Def)
      continue;
    for (const syntax::Parameter &parameter : function->parameters)
      if (parameter.defaultValue)
        evaluateDefault(*function, parameter, scope);
    if (!modules.wasInlined(*function))
      checkUncalled(*function, scope);
  }
  if (!diagnostics.hasErrors())
    for (const syntax::Item &item : file.items)
      if (const auto *function = std::get_if<syntax::Function>(&item.node))
        warnOfNegativeIndices(*function, diagnostics);
  // After an error the use of an import may be what is missing.
  if (!diagnostics.hasErrors())
    warnOfUnusedImports(file, diagnostics);
  return module;
}

} // namespace kern::compiler
