//===- Reduction.h - what the kinds of reduction compute --------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace kern::loop {

/// What a reduction carries: a value and, where carriesPosition, its place (an
/// i64; null for the others).
struct Accumulator {
  mlir::Value value;
  mlir::Value index;
};

/// The accumulator that any value replaces. Its position, if it carries one, is
/// the greatest i64, so that it loses every tie.
Accumulator identity(mlir::ImplicitLocOpBuilder &builder, ReduceKind kind,
                     mlir::Type type);

/// Complex numbers may be vectors of their parts (Body.h). Commutative in its
/// value up to the sign and payload of NaN; of equal extrema the smaller
/// position wins, and any NaN wins over a number.
Accumulator combine(mlir::ImplicitLocOpBuilder &builder, ReduceKind kind,
                    Accumulator a, Accumulator b);

/// What the reduction gives: the value, or the position (-1 if there was none).
mlir::Value result(mlir::ImplicitLocOpBuilder &builder, ReduceKind kind,
                   Accumulator accumulator);

} // namespace kern::loop
