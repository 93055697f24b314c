//===- ContractProducts.cpp - products that are added at once -------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/ContractProducts.h"

#include "dialects/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace kern::ir::loop;

/// @fastmath leaves the choice to LLVM.
static bool mayBeRegrouped(arith::FastMathFlags flags) {
  return arith::bitEnumContainsAny(flags, arith::FastMathFlags::reassoc);
}

/// The product that a term is, if nothing else needs it.
static arith::MulFOp productIn(Value term) {
  auto product = term.getDefiningOp<arith::MulFOp>();
  bool fits =
      product && product->hasOneUse() && !mayBeRegrouped(product.getFastmath());
  return fits ? product : arith::MulFOp();
}

template <typename Sum> static void contract(Sum sum) {
  constexpr bool isDifference = std::is_same_v<Sum, arith::SubFOp>;
  Type type = sum.getType();
  if (!(type.isF32() || type.isF64()) || mayBeRegrouped(sum.getFastmath()))
    return;
  OpBuilder b(sum);
  auto negatedIfDifference = [&](Value value) -> Value {
    if (!isDifference)
      return value;
    return arith::NegFOp::create(b, sum.getLoc(), value);
  };
  SmallVector<Value> terms;
  arith::MulFOp product = productIn(sum.getLhs());
  if (product) {
    terms = {product.getLhs(), product.getRhs(),
             negatedIfDifference(sum.getRhs())};
  } else {
    product = productIn(sum.getRhs());
    if (!product)
      return;
    terms = {negatedIfDifference(product.getLhs()), product.getRhs(),
             sum.getLhs()};
  }
  auto contracted = LLVM::CallIntrinsicOp::create(
      b, sum.getLoc(), type, b.getStringAttr("llvm.fmuladd"), terms);
  sum->replaceAllUsesWith(ValueRange(contracted->getResults()));
  sum->erase();
  product->erase();
}

void kern::ir::loop::contractProducts(KernelOp kernel) {
  if (kernel.isUfunc())
    return;
  SmallVector<Operation *> sums;
  kernel.walk([&](Operation *op) {
    if (isa<arith::AddFOp, arith::SubFOp>(op))
      sums.push_back(op);
  });
  for (Operation *op : sums)
    if (auto sum = dyn_cast<arith::AddFOp>(op))
      contract(sum);
    else
      contract(cast<arith::SubFOp>(op));
}

namespace kern::ir {

#define GEN_PASS_DEF_LOOPCONTRACTPRODUCTS
#include "dialects/Passes.h.inc"

namespace {
struct ContractProductsPass
    : impl::LoopContractProductsBase<ContractProductsPass> {
  void runOnOperation() override {
    for (KernelOp kernel : getOperation().getOps<KernelOp>())
      contractProducts(kernel);
  }
};
} // namespace

} // namespace kern::ir
