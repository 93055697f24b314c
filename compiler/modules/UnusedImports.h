//===- UnusedImports.h - imports without a use ---------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/diagnostics/Diagnostics.h"
#include "compiler/syntax/Tree.h"

namespace kern {

/// Warns of names that a file imports and writes nowhere else: also what no
/// function compiled now reaches may use one, as a `def` for others or a test
/// in a docstring does.
void warnOfUnusedImports(const syntax::File &file,
                         DiagnosticEngine &diagnostics);

} // namespace kern
