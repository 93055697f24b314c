//===- Loops.h - the typed loops of an input --------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/driver/Unit.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace kern::fuzz {

/// Calls `use` for loops of a unit without errors: the first few that headers
/// declare, and of generic functions a few for argument types that follow from
/// `seed`, as far as they are accepted.
void forEachLoop(compiler::Unit &unit, uint64_t seed,
                 llvm::function_ref<void(ir::FuncOp typed)> use);

/// A number that follows from the bytes.
uint64_t seedOf(const uint8_t *data, size_t size);

} // namespace kern::fuzz
