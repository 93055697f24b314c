//===- ScalarWork.h - what scalars let a kernel do once ---------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"

namespace kern::loop {

/// True if a call with an array for the first input and scalars for all others,
/// which is how most functions with parameters are called, can do some of the
/// kernel's work once for all elements: operations on later inputs alone, and
/// what a division needs of its divisor; or can read more elements at a time,
/// since only a later input is wide. Only of small ufuncs: in others that part
/// matters less than the code that a second path costs.
bool hasScalarWork(KernelOp kernel);

/// True if another copy of the body costs next to nothing: a sum, a product, a
/// comparison.
bool isTiny(KernelOp kernel);

} // namespace kern::loop
