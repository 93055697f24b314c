//===- Reduction.h - the arithmetic of reductions ---------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace kern::ir::loop {

/// The state of a reduction: a value and, if carriesPosition(), its position.
/// The position is an i64, or null for other kinds.
struct Accumulator {
  mlir::Value value;
  mlir::Value index;
};

/// The identity of the reduction. Its position, if it carries one, is the
/// largest i64, so that it loses every tie.
Accumulator identity(mlir::ImplicitLocOpBuilder &builder, ReduceKind kind,
                     mlir::Type type);

/// Combines two accumulators. Complex numbers may be vectors of their parts
/// (Body.h). The value is commutative up to the sign and payload of NaN. A NaN
/// wins over any number, and the smaller position wins a tie.
Accumulator combine(mlir::ImplicitLocOpBuilder &builder, ReduceKind kind,
                    Accumulator a, Accumulator b);

/// Likewise, if the position of `b` comes after that of `a`, or is the same.
Accumulator combineLater(mlir::ImplicitLocOpBuilder &builder, ReduceKind kind,
                         Accumulator a, Accumulator b);

/// Of a kind of arg_, the one that finds the value alone.
ReduceKind withoutPosition(ReduceKind kind);

/// Whether value `b` is better than value `a`, for a kind of arg_.
mlir::Value isBetter(mlir::ImplicitLocOpBuilder &builder, ReduceKind kind,
                     mlir::Value a, mlir::Value b);

/// The reduction's result: the value, or the position (-1 if there is none).
mlir::Value result(mlir::ImplicitLocOpBuilder &builder, ReduceKind kind,
                   Accumulator accumulator);

} // namespace kern::ir::loop
