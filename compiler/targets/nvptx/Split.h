//===- Split.h - the parts of a module --------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part is compiled by itself. It has some kernels of a file, in one form or
// in all forms. The parts depend on the kernels alone, so that the result is
// the same on every machine.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/targets/Target.h"

namespace kern::compiler::nvptx {

/// Splits a list of kernels, given their numbers of operations, into groups
/// that are each worth a thread. Returns the index at which each group begins;
/// the first is 0.
std::vector<size_t> groupBegins(std::span<const size_t> operations);

/// The facts about a kernel that decide on parts.
struct KernelWork {
  size_t operations = 0; ///< in its body
  size_t calls = 0;      ///< of elementary functions, among the operations
  size_t values = 0;     ///< arguments and results
  bool hasOneForm = false;
};

/// Whether each form of a kernel is worth a part of its own. Not if all forms
/// call one copy of its body (isOutlined() in Passes.h): each part would then
/// have a copy.
bool splitsForms(KernelWork work);

/// Implements Target::split(). Splits a few kernels by their forms, and many
/// into groups. Together the parts have every form of a compiled file; with
/// `allForms`, every form that exists for GPUs of this compute capability.
std::vector<Part> split(mlir::ModuleOp module, bool allForms,
                        unsigned computeCapability);

/// Joins PTX texts for the same GPU into one. They must define different
/// symbols.
std::string joinPtx(std::span<const std::string> texts);

} // namespace kern::compiler::nvptx
