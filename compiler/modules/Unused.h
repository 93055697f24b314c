//===- Unused.h - imports and helpers without a use ----------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/modules/ModuleScope.h"

namespace kern {

/// Warns of names that a file imports and writes nowhere else: also what no
/// function compiled now reaches may use one, as a `def` for others or a test
/// in a docstring does.
void warnOfUnusedImports(const syntax::File &file,
                         DiagnosticEngine &diagnostics);

/// Reports what is wrong with a `def` whatever it is called with: names and
/// functions that there are not, and recursion. For a `def` that no function of
/// the file led to; all else is found when it is inlined.
void checkUncalled(const syntax::Function &function, ModuleScope &scope);

} // namespace kern
