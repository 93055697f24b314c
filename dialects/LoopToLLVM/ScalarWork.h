//===- ScalarWork.h - work on scalar inputs ---------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"

namespace kern::ir::loop {

/// True if a ufunc gains from a path of its own for calls with an array as the
/// first input and scalars as all others. Most functions with parameters are
/// called like this. Such a path can do some work once for all elements:
/// operations on later inputs alone, and a division's work on its divisor. It
/// can also read more elements at a time if only a later input is wide. False
/// for larger ufuncs, which gain less than a second path costs in code.
bool hasScalarWork(KernelOp kernel);

/// True if another copy of the body costs almost nothing, as for a sum, a
/// product or a comparison.
bool isTiny(KernelOp kernel);

} // namespace kern::ir::loop
