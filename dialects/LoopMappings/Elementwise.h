//===- Elementwise.h - gufuncs that are ufuncs ------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"
#include "runtime/artefact/Nest.h"

#include <optional>

namespace kern::ir::loop {

/// The accesses of a flattened kernel that computes elements of its results
/// from elements of its operands: one for each input of the ufunc that it is,
/// then one for each output. Nothing if it does anything else.
std::optional<std::vector<kern::runtime::Nest::Access>>
elementwiseAccesses(KernelOp flattened);

/// Replaces the kernel by that ufunc, which takes its name.
void makeUfunc(KernelOp flattened);

} // namespace kern::ir::loop
