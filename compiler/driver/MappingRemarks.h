//===- MappingRemarks.h - remarks on the mappings of gufuncs ----*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/diagnostics/Diagnostics.h"
#include "dialects/Loop/Loop.h"

namespace kern::compiler {

/// Adds what keeps a kernel from mappings, where it is written, unless `notes`
/// say so already: "`b` is indexed by data: no tiles".
void noteMissingMappings(ir::loop::KernelOp kernel,
                         const SourceManager &sources,
                         std::vector<Note> &notes);

} // namespace kern::compiler
