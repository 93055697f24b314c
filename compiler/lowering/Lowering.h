//===- Lowering.h - syntax tree to the kern dialect ----------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/diagnostics/Diagnostics.h"
#include "compiler/lowering/Checks.h"
#include "compiler/syntax/Tree.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace kern::compiler {

class ModuleFinder;

/// Lowers a parsed file to a module with one polymorphic kern.func for each
/// ufunc and gufunc. `def`s are inlined, tuples and views become scalars and
/// accesses, control flow becomes blocks; types stay open. Imported files are
/// found by `finder` and added to `sources`; without a finder an import is an
/// error. Errors go to `diagnostics`; a function with an error is left out of
/// the module. `checks` are compiled into the functions.
mlir::OwningOpRef<mlir::ModuleOp>
lower(const syntax::File &file, mlir::MLIRContext &context,
      SourceManager &sources, DiagnosticEngine &diagnostics,
      ModuleFinder *finder, Checks checks = {});

} // namespace kern::compiler
