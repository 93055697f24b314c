//===- Unused.h - imports and helpers without a use ----------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/modules/ModuleScope.h"

namespace kern::compiler {

/// Warns of names that a file imports and mentions nowhere else. Any mention
/// counts as a use: a `def` for other files may need the import, or a test in a
/// docstring.
void warnOfUnusedImports(const syntax::File &file,
                         DiagnosticEngine &diagnostics);

/// Reports errors that a `def` has with any arguments: unknown names and
/// functions, and recursion. For a `def` that no function of the file calls;
/// its other errors are found when it is inlined.
void checkUncalled(const syntax::Function &function, ModuleScope &scope);

} // namespace kern::compiler
