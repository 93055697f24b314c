//===- Recentre.h - sums of squares about a mean ----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// sum((x - c)^2) waits for its centre c, mostly a mean of the same x. Each
// slice can add up squares about its own mean m instead, from its own sum of x.
// With n elements, r = sum(x - m) and d = sum((x - m)^2), its part of the sum
// about c is
//
//   d - r^2 / n  +  n ((m - c) + r / n)^2
//
// for every c and m. Both terms are at least 0, r is the rounding error of m,
// and m - c has none where both are close. So the sum is as accurate as that of
// the squares about c, however far c is from 0.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <optional>

namespace kern::ir::loop {

/// The difference of which a reduction adds up the square.
struct Distance {
  mlir::arith::MulFOp square;
  mlir::arith::SubFOp difference;
  unsigned centre; ///< its operand that stands still in the loop
  mlir::Value fromCentre() { return difference->getOperand(centre); }
  mlir::Value value() { return difference->getOperand(1 - centre); }
};
/// Nothing unless the reduction is a plain sum of such squares, of f32 or f64,
/// whose products may be contracted: precise mode adds up what is written.
std::optional<Distance> squaredDistance(ReduceOp squares);

/// The reduction before `squares` that adds up, over the same range, the values
/// whose squared distances `squares` adds up; null if there is none.
ReduceOp sumOfSameValues(ReduceOp squares);

/// What a slice finds. Its mean is that of sliceMean().
struct SliceSums {
  mlir::Value count;     ///< of its elements, an i64
  mlir::Value values;    ///< the sum of x
  mlir::Value distances; ///< the sum of x - mean
  mlir::Value squares;   ///< the sum of (x - mean)^2
};
/// The mean of `count` values, an i64; 0 of none.
mlir::Value sliceMean(mlir::ImplicitLocOpBuilder &builder, mlir::Value values,
                      mlir::Value count);
/// The slice's part of the sum of squares about `centre`.
mlir::Value squaresAbout(mlir::ImplicitLocOpBuilder &builder,
                         const SliceSums &slice, mlir::Value centre);

/// Whether the nest of a kernel recentres (Nest::recentres).
bool recentres(KernelOp kernel);

} // namespace kern::ir::loop
