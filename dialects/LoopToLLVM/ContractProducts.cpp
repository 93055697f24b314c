//===- ContractProducts.cpp - products that are added at once -------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/ContractProducts.h"

#include "dialects/LoopToLLVM/Body.h"
#include "dialects/Passes.h"

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

#include <optional>

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

namespace {
/// What waits for values that a loop in order carries from iteration to
/// iteration. An addition takes less time than a product and an addition at
/// once, so a product that does not wait is best left beside one that does.
class Waiting {
public:
  explicit Waiting(KernelOp kernel) : body(kernel.getBody()) {
    // Cores of constant size run in vectors, where time is what units take.
    if (kernel.getNumDims() > 0 && !body.hasOneBlock())
      loops.emplace(dominance.getDomTree(&body));
  }

  /// Whether a term of an operation waits. Loops inside of others run in
  /// vectors.
  bool operator()(Value term, Operation *at) {
    if (!loops || at->getParentRegion() != &body)
      return false;
    CFGLoop *loop = loops->getLoopFor(at->getBlock());
    llvm::DenseSet<Value> seen;
    return loop && waits(term, *loop, seen);
  }

private:
  bool waits(Value value, CFGLoop &loop, llvm::DenseSet<Value> &seen);

  Region &body;
  DominanceInfo dominance;
  std::optional<CFGLoopInfo> loops;
};
} // namespace

bool Waiting::waits(Value value, CFGLoop &loop, llvm::DenseSet<Value> &seen) {
  Block *block = value.getParentBlock();
  if (!isa<FloatType>(value.getType()) || !loop.contains(block) ||
      !seen.insert(value).second)
    return false;
  if (Operation *op = value.getDefiningOp())
    return llvm::any_of(op->getOperands(), [&](Value operand) {
      return waits(operand, loop, seen);
    });
  if (block == loop.getHeader())
    return true;
  for (auto it = block->pred_begin(); it != block->pred_end(); ++it) {
    auto branch = cast<BranchOpInterface>((*it)->getTerminator());
    unsigned number = cast<BlockArgument>(value).getArgNumber();
    if (waits(branch.getSuccessorOperands(it.getSuccessorIndex())
                  .getForwardedOperands()[number],
              loop, seen))
      return true;
  }
  return false;
}

template <typename Sum> static void contract(Sum sum, Waiting &waits) {
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
  arith::MulFOp product = productIn(sum.getLhs());
  arith::MulFOp other = productIn(sum.getRhs());
  bool isLate[] = {waits(sum.getLhs(), sum), waits(sum.getRhs(), sum)};
  if (isLate[0] != isLate[1] && (isLate[0] ? !product : !other))
    return;
  SmallVector<Value> terms;
  if (product && !(other && isLate[1] && !isLate[0])) {
    terms = {product.getLhs(), product.getRhs(),
             negatedIfDifference(sum.getRhs())};
  } else {
    product = other;
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
  kernel->setAttr(productsChosenAttribute, UnitAttr::get(kernel.getContext()));
  SmallVector<Operation *> sums;
  kernel.walk([&](Operation *op) {
    if (isa<arith::AddFOp, arith::SubFOp>(op))
      sums.push_back(op);
  });
  kernel.walk([](AccumulateOp op) {
    if (arith::MulFOp product = productIn(op.getValue()))
      product.setFastmath(product.getFastmath() |
                          arith::FastMathFlags::contract);
  });
  Waiting waits(kernel);
  for (Operation *op : sums)
    if (auto sum = dyn_cast<arith::AddFOp>(op))
      contract(sum, waits);
    else
      contract(cast<arith::SubFOp>(op), waits);
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
