//===- IndexBuilder.h - arithmetic on indices -------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace kern::ir::loop {

/// The base of what transforms loops: builds arithmetic on i64, and folds it.
class IndexBuilder {
protected:
  using Predicate = mlir::arith::CmpIPredicate;

  IndexBuilder(mlir::Location location, mlir::MLIRContext *context)
      : b(location, context) {}

  template <typename Op> mlir::Value fold(mlir::Value x, mlir::Value y) {
    return b.createOrFold<Op>(x, y);
  }
  mlir::Value constant(int64_t value) {
    return mlir::arith::ConstantOp::create(b, b.getI64IntegerAttr(value));
  }
  mlir::Value compare(Predicate predicate, mlir::Value x, mlir::Value y) {
    return b.createOrFold<mlir::arith::CmpIOp>(predicate, x, y);
  }
  mlir::Value select(mlir::Value condition, mlir::Value x, mlir::Value y) {
    return b.createOrFold<mlir::arith::SelectOp>(condition, x, y);
  }

  mlir::ImplicitLocOpBuilder b;
};

} // namespace kern::ir::loop
