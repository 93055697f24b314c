//===- ScalarApplication.h - loops of applications --------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which loop of a scalar function an application takes: one rule for constants,
// for inference and for typed code.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Kern/ScalarFunctions.h"
#include "dialects/Kern/TypeSet.h"

namespace kern {

/// The types that an application computes in, and those its results have.
struct Application {
  ScalarLoop loop;
  llvm::SmallVector<ValueType, 2> results; ///< weak if all operands are
};

/// Nothing if the function has no loop for the operands.
std::optional<Application>
resolveApplication(const ScalarFunctionInfo &function,
                   llvm::ArrayRef<ValueType> operands);

/// The weak type of a result that is computed from weak operands alone.
ValueType weakResult(DType result, bool fromIndex);

} // namespace kern
