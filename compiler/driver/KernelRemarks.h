//===- KernelRemarks.h - remarks on forms and mappings ----------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/diagnostics/Diagnostics.h"
#include "dialects/Loop/Loop.h"
#include "runtime/artefact/Manifest.h"

#include <span>

namespace kern::compiler {

/// The forms of a loop's GPU kernels as a remark (K0904) describes them:
/// "contiguous kernels (4 elements a thread, 16 bytes at a time), inner, tiled
/// and strided ones". Empty without kernels.
std::string describeForms(std::span<const runtime::KernelInfo> kernels);

/// Adds a note for each construct that keeps a loop's kernel from a mapping, at
/// its place, unless `notes` has it already: "`b` is indexed by data: no
/// tiles". Says whether a CPU runs a kernel in vectors: of a ufunc by a note at
/// `place`, where the function's name is, "f32(f32): on a CPU 16 elements at
/// once", or by a remark that has the reason; of a gufunc by notes there and at
/// its loops.

void remarkOnKernel(ir::loop::KernelOp kernel, const runtime::LoopInfo &loop,
                    Span place, DiagnosticEngine &diagnostics,
                    std::vector<Note> &notes);

} // namespace kern::compiler
