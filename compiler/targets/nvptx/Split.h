//===- Split.h - the parts of a module --------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What can be compiled by itself: some kernels of a file, in one form or in all
// of them. What the parts are follows from the kernels alone, so that the
// result is the same on every machine.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/targets/Target.h"

namespace kern::nvptx {

/// Cuts a list of kernels with these numbers of operations, in order, into
/// groups worth a thread each: the index at which each group begins, 0 first.
std::vector<size_t> groupBegins(std::span<const size_t> operations);

/// Of a kernel.
struct KernelWork {
  size_t operations = 0; ///< of its body
  size_t calls = 0;      ///< of elementary functions, among them
  size_t values = 0;     ///< arguments and results
  bool hasOneForm = false;
};

/// Whether each form of a kernel is worth a part of its own: not where all
/// forms share its body as a function (Passes.h), which then
/// would be there once for each.
bool splitsForms(KernelWork work);

/// As Target::split():
/// of a few kernels by their forms, of many by groups. Together they have every
/// form of a compiled file; with `allForms`, each that there is.
std::vector<Part> split(mlir::ModuleOp module, bool allForms);

/// One PTX text of several for the same GPU. They define different symbols.
std::string joinPtx(std::span<const std::string> texts);

} // namespace kern::nvptx
