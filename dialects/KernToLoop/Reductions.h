//===- Reductions.h - which reduction a type needs --------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------===//
#pragma once

#include "dialects/Kern/Kern.h"
#include "dialects/Loop/Loop.h"
#include "runtime/array/DType.h"

#include <optional>

namespace kern {

/// The type of the values that `op` yields; nothing if it yields none.
std::optional<DType> accumulatorType(ReduceOp op);

/// The loop's kind for accumulators of `type`: what sign their integers have is
/// decided here. Nothing where such values cannot be reduced so (any
/// and all of other than bool).
std::optional<loop::ReduceKind> loopKind(ReduceKind kind, DType type);

} // namespace kern
