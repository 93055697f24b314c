//===- TileBuilder.h - code of a tile's threads -----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopMappings/Tiling.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace kern::ir::loop {

/// Builds index arithmetic, in 64 or 32 bits, and blocks of a kernel.
class TileBuilder : public mlir::ImplicitLocOpBuilder {
public:
  using Predicate = mlir::arith::CmpIPredicate;
  using Value = mlir::Value;

  explicit TileBuilder(KernelOp kernel)
      : ImplicitLocOpBuilder(kernel.getLoc(), kernel.getContext()),
        kernel(kernel) {}

  Value i64(int64_t value) {
    return mlir::arith::ConstantOp::create(*this, getI64IntegerAttr(value));
  }
  Value i32(int64_t value) {
    return mlir::arith::ConstantOp::create(*this,
                                           getI32IntegerAttr(int32_t(value)));
  }
  Value add(Value x, Value y) {
    return createOrFold<mlir::arith::AddIOp>(x, y);
  }
  Value sub(Value x, Value y) {
    return createOrFold<mlir::arith::SubIOp>(x, y);
  }
  Value mul(Value x, Value y) {
    return createOrFold<mlir::arith::MulIOp>(x, y);
  }
  /// By a constant; of unsigned numbers.
  Value div(Value x, int64_t y) {
    return y == 1 ? x
                  : createOrFold<mlir::arith::DivUIOp>(x, constantLike(x, y));
  }
  Value rem(Value x, int64_t y) {
    return createOrFold<mlir::arith::RemUIOp>(x, constantLike(x, y));
  }
  Value scale(Value x, int64_t by) { return mul(x, constantLike(x, by)); }
  Value plus(Value x, int64_t by) { return add(x, constantLike(x, by)); }
  Value least(Value x, Value y) {
    return createOrFold<mlir::arith::MinSIOp>(x, y);
  }
  Value most(Value x, Value y) {
    return createOrFold<mlir::arith::MaxSIOp>(x, y);
  }
  Value compare(Predicate predicate, Value x, Value y) {
    return createOrFold<mlir::arith::CmpIOp>(predicate, x, y);
  }
  Value both(Value x, Value y) {
    return createOrFold<mlir::arith::AndIOp>(x, y);
  }
  Value select(Value condition, Value x, Value y) {
    return createOrFold<mlir::arith::SelectOp>(condition, x, y);
  }
  Value narrow(Value x) {
    return mlir::arith::TruncIOp::create(*this, getI32Type(), x);
  }
  /// Of a number that is not negative.
  Value widen(Value x) {
    return mlir::arith::ExtUIOp::create(*this, getI64Type(), x);
  }
  Value absolute(Value x) { return most(x, sub(i64(0), x)); }

  mlir::Block *block(mlir::TypeRange types = {}) {
    auto *made = new mlir::Block;
    kernel.getBody().push_back(made);
    for (mlir::Type type : types)
      made->addArgument(type, getLoc());
    return made;
  }
  void at(mlir::Block *block) { setInsertionPointToEnd(block); }
  void branch(mlir::Block *to, mlir::ValueRange values = {}) {
    mlir::cf::BranchOp::create(*this, to, values);
  }
  void branch(Value condition, mlir::Block *yes, mlir::ValueRange yesValues,
              mlir::Block *no, mlir::ValueRange noValues = {}) {
    mlir::cf::CondBranchOp::create(*this, condition, yes, yesValues, no,
                                   noValues);
  }
  /// An array of one dimension in shared memory, from the byte `at` on.
  Value sharedArray(mlir::Type element, unsigned at);

private:
  Value constantLike(Value x, int64_t value) {
    return x.getType().isInteger(32) ? i32(value) : i64(value);
  }
  KernelOp kernel;
};

/// A thread's place in its tile, and how much of the tile exists.
struct TilePlace {
  mlir::Value lane;                    ///< i32
  mlir::Value inWarp;                  ///< i32
  mlir::Value rowWarp, columnWarp;     ///< i32, of a tile with warps
  mlir::Value rowThread, columnThread; ///< i64
  mlir::Value firstRow, firstColumn;   ///< i64
  /// i32: how many rows and columns of the tile are iterations.
  mlir::Value rowCount, columnCount;
};

/// The row of the tile that is row `number` of the tile's first thread.
inline unsigned rowOf(const TilePlan &shape, unsigned number) {
  return number / shape.rowRun * shape.rowRun * shape.rowThreads +
         number % shape.rowRun;
}
inline unsigned columnOf(const TilePlan &shape, unsigned number) {
  return number / shape.columnRun * shape.columnRun * shape.columnThreads +
         number % shape.columnRun;
}

} // namespace kern::ir::loop
