//===- Parts.h - large modules in parts, at once ----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels do not depend on one another, nor do the forms of one, so that the
// parts of a file (Split.h) are compiled by several threads. The result does
// not depend on how many there are.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/pipeline/Pipeline.h"

#include <span>
#include <string>

namespace kern {

/// One PTX text of several for the same GPU. They define different symbols.
std::string joinPtx(std::span<const std::string> texts);

/// runPipeline(), for the PTX of a compiled file with a thread for each part of
/// the module, up to `mostThreads` (0: one for each CPU). Entries and PTX are
/// in the order of parts; of several failures the first part's is told.
/// `options.timing` gets the time of all threads together.
Expected<PipelineResult>
runPipelineInParts(mlir::OwningOpRef<mlir::ModuleOp> module,
                   const PipelineOptions &options, unsigned mostThreads = 0);

} // namespace kern
