//===- Contraction.cpp - sums of products ---------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/KernToLoop/KernToLoop.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"

using namespace mlir;

namespace kern::ir {

/// The product of two halves in f32, which is exact, if `value` is what it is
/// after rounding; else the product that `value` is, if it is one.
static arith::MulFOp productOf(Value value) {
  auto isWidenedHalf = [](Value factor) {
    auto wide = factor.getDefiningOp<arith::ExtFOp>();
    return wide && wide.getIn().getType().getIntOrFloatBitWidth() == 16;
  };
  auto wide = value.getDefiningOp<arith::ExtFOp>();
  if (!wide)
    return value.getDefiningOp<arith::MulFOp>();
  auto rounded = wide.getIn().getDefiningOp<arith::TruncFOp>();
  auto product = rounded ? rounded.getIn().getDefiningOp<arith::MulFOp>()
                         : arith::MulFOp();
  return product && product.getType() == value.getType() &&
                 isWidenedHalf(product.getLhs()) &&
                 isWidenedHalf(product.getRhs())
             ? product
             : arith::MulFOp();
}

template <typename Op> static void contract(Op op) {
  op.setFastmath(op.getFastmath() | arith::FastMathFlags::contract);
}

/// Lets the parts of a product of complex numbers be added one by one.
static void contractComplex(Value value) {
  auto number = value.getDefiningOp<complex::CreateOp>();
  if (!number)
    return;
  auto re = number.getReal().getDefiningOp<arith::SubFOp>();
  auto im = number.getImaginary().getDefiningOp<arith::AddFOp>();
  auto isOfProducts = [](auto op) {
    return op && op.getLhs().template getDefiningOp<arith::MulFOp>() &&
           op.getRhs().template getDefiningOp<arith::MulFOp>();
  };
  if (isOfProducts(re) && isOfProducts(im)) {
    contract(re);
    contract(im);
  }
}

void contractSums(loop::KernelOp kernel) {
  kernel.walk([](loop::YieldOp yield) {
    auto reduce = dyn_cast<loop::ReduceOp>(yield->getParentOp());
    if (!reduce || reduce.getKind() != loop::ReduceKind::Sum)
      return;
    Value value = yield.getValues().front();
    contractComplex(value);
    arith::MulFOp product = productOf(value);
    if (!product)
      return;
    contract(product);
    if (product.getResult() == value)
      return;
    Operation *widened = value.getDefiningOp();
    Operation *rounded = widened->getOperand(0).getDefiningOp();
    yield->setOperand(0, product);
    for (Operation *op : {widened, rounded})
      if (op->use_empty())
        op->erase();
  });
}

} // namespace kern::ir
