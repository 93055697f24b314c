//===- BoundNames.h - every name that a file gives a meaning -- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/syntax/Tree.h"

#include <set>
#include <string>

namespace kern::syntax {

/// The names that a file binds in any place: functions, constants, parameters,
/// results, type variables, core dimensions, variables. Of imports, only the
/// names that `as` gives in `from m import f as g`.
std::set<std::string> boundNames(const File &file);

} // namespace kern::syntax
