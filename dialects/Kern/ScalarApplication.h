//===- ScalarApplication.h - the loop of an application ---------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chooses the typed loop of a scalar function for its operands. Constants,
// inference and typed code share this one rule.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Kern/ScalarFunctions.h"
#include "dialects/Kern/TypeSet.h"

namespace kern::ir {

/// The types that an application computes in, and the types of its results.
struct Application {
  ScalarLoop loop;
  llvm::SmallVector<ValueType, 2> results; ///< weak if all operands are
};

/// Nothing if the function has no loop for the operands.
std::optional<Application>
resolveApplication(const ScalarFunctionInfo &function,
                   llvm::ArrayRef<ValueType> operands);

/// The type of a result computed from weak operands alone: weak, except for
/// bool.
ValueType weakResult(runtime::DType result, bool fromIndex);

} // namespace kern::ir
