//===- TableReductions.h - reductions over tables ---------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `sum(c * x for c in TABLE)` costs what the products cost that it stands for:
// a short reduction whose elements look up values of a table is written out,
// and the values become constants.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"

namespace kern::ir::loop {

/// Writes out one reduction, with one block, in the order of its iterations.
/// Those inside it then stand beside it. False, with nothing changed but some
/// constants, if its extent is not constant or has more than `most` iterations.
bool writeOut(ReduceOp reduce, int64_t most);

/// Writes out the short reductions of a kernel whose iterations look up
/// different values of tables. The pass loop-write-out does this for each
/// kernel of a module.
void writeOutTables(KernelOp kernel);

} // namespace kern::ir::loop
