//===- Nest.h - the description of a kernel ---------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"
#include "runtime/artefact/Nest.h"

namespace kern::ir::loop {

/// Describes the loops of a gufunc and leaves the kernel unchanged. Call it
/// before loop-map and loop-distribute. The description of a ufunc, or of a
/// kernel with checks, is empty.
kern::runtime::Nest nestOf(KernelOp kernel);

} // namespace kern::ir::loop
