//===- Work.h - the estimated work of a kernel ------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"

namespace kern::ir::loop {

/// The estimated number of simple operations of a distributed kernel for one
/// loop element, at least 1. Divisions and library calls count as several. A
/// loop's body counts once for each iteration. If the number of iterations is
/// not constant, a ufunc's loop counts as a fixed number of them. A gufunc's
/// loop then counts as one: it mostly runs along core dimensions, which are
/// known at the call.
int64_t operationsOf(KernelOp kernel);

} // namespace kern::ir::loop
