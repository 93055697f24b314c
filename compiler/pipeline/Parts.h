//===- Parts.h - large modules in parts, at once ----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions do not depend on one another, so that a file of many is compiled in
// parts by several threads. What the parts are follows from the functions
// alone: the result is the same on every machine.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/pipeline/Pipeline.h"

#include <span>
#include <string>
#include <vector>

namespace kern {

/// Cuts a list of functions with these numbers of operations, in order, into
/// parts worth a thread each: the index at which each part begins, 0 first.
std::vector<size_t> partBegins(std::span<const size_t> operations);

/// One PTX text of several for the same GPU. They define different symbols.
std::string joinPtx(std::span<const std::string> texts);

/// runPipeline(), for PTX with a thread for each part of the module as far as
/// there are CPUs. Entries and PTX are in the functions' order; of several
/// failures the first part's is told. `options.timing` gets the time of all
/// threads together.
Expected<PipelineResult>
runPipelineInParts(mlir::OwningOpRef<mlir::ModuleOp> module,
                   const PipelineOptions &options);

} // namespace kern
