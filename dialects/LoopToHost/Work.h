//===- Work.h - how much a kernel has to do ---------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"

namespace kern::loop {

/// About how many simple operations a distributed kernel takes for one loop
/// element, at least 1. Divisions and calls of the library count as several, a
/// loop as often as it runs. Where that is not plain from the code, a ufunc's
/// loop counts as some turns, and one of a gufunc, which mostly goes along core
/// dimensions, as one: those are known at the call.
int64_t operationsOf(KernelOp kernel);

} // namespace kern::loop
