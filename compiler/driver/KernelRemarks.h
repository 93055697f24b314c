//===- KernelRemarks.h - remarks on forms and mappings ----------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/diagnostics/Diagnostics.h"
#include "dialects/LoopToHost/LoopToHost.h"
#include "runtime/artefact/Manifest.h"

#include <span>

namespace kern::compiler {

/// The forms of a loop's GPU kernels as a remark (K0904) describes them:
/// "contiguous kernels (4 elements a thread, 16 bytes at a time), inner, tiled
/// and strided ones". Empty without kernels.
std::string describeForms(std::span<const runtime::KernelInfo> kernels);

/// How many elements of a ufunc a CPU computes at once: "on a CPU 8 elements at
/// once". Empty if it is one, which has a remark of its own.
std::string describeVectors(const ir::loop::VectorUse &use);

/// Adds a note for each construct that keeps a kernel from a mapping, at its
/// place, unless `notes` has it already: "`b` is indexed by data: no tiles".
void noteMissingMappings(ir::loop::KernelOp kernel,
                         const SourceManager &sources,
                         std::vector<Note> &notes);

} // namespace kern::compiler
