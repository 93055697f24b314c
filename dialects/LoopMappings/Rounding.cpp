//===- Rounding.cpp - whether kernels of all mappings round alike ---------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A GPU's code generator contracts a product and a sum where it sees both. Of
// two products it takes the one that is used less, and it does not see one that
// was moved out of a loop. So `a * a + a * b` has other bits in a tile, whose
// thread computes `a * a` once for several results.
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopMappings/Mappings.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace kern::ir::loop;

/// Whether an operation of floats is rounded by itself. Those of complex
/// numbers and calls are several, and what @fastmath permits depends on their
/// surroundings.
static bool isPlain(Operation &op) {
  auto fast = dyn_cast<arith::ArithFastMathInterface>(op);
  auto flags = fast ? fast.getFastMathFlagsAttr() : arith::FastMathFlagsAttr();
  if (flags && arith::bitEnumContainsAny(flags.getValue(),
                                         arith::FastMathFlags::reassoc))
    return false;
  auto isFloat = llvm::IsaPred<FloatType, ComplexType>;
  if (isa<func::CallOp>(op))
    return llvm::none_of(op.getOperandTypes(), isFloat) &&
           llvm::none_of(op.getResultTypes(), isFloat);
  if (llvm::none_of(op.getResultTypes(), isFloat))
    return true;
  return isa<LoadOp, ReduceOp, arith::ConstantOp, arith::AddFOp, arith::SubFOp,
             arith::MulFOp, arith::DivFOp, arith::NegFOp, arith::MaximumFOp,
             arith::MinimumFOp, arith::SelectOp, arith::ExtFOp, arith::TruncFOp,
             arith::SIToFPOp, arith::UIToFPOp, math::AbsFOp, math::SqrtOp>(
             op) &&
         llvm::none_of(op.getResultTypes(), llvm::IsaPred<ComplexType>);
}

static Value withoutSign(Value value) {
  while (auto negated = value.getDefiningOp<arith::NegFOp>())
    value = negated.getOperand();
  return value;
}

/// The product that a term is or may become: a quotient by a constant does, and
/// a choice of one.
static Operation *productIn(Value term) {
  Operation *op = withoutSign(term).getDefiningOp();
  return isa_and_nonnull<arith::MulFOp, arith::DivFOp, arith::SelectOp>(op)
             ? op
             : nullptr;
}

/// Whether a value is made anew in each iteration of a reduction, whose body
/// the block is, or follows from a reduction in the block.
static bool followsLoop(Value value, Block &block) {
  SmallVector<Value> work = {value};
  llvm::DenseSet<Value> seen;
  while (!work.empty()) {
    Value next = work.pop_back_val();
    if (next.getParentBlock() != &block || !seen.insert(next).second)
      continue;
    Operation *op = next.getDefiningOp();
    if (op ? isa<ReduceOp>(op) : isa<ReduceOp>(block.getParentOp()))
      return true;
    if (op)
      llvm::append_range(work, op->getOperands());
  }
  return false;
}

/// Whether every kernel has the product, if the sum's term is one, in the block
/// of the sum. What a branch passes may be one.
static bool staysBeside(Value term, Block &block) {
  if (auto argument = dyn_cast<BlockArgument>(withoutSign(term)))
    return argument.getOwner()->isEntryBlock();
  Operation *product = productIn(term);
  if (!product)
    return true;
  const bool isInLoop = isa<ReduceOp>(block.getParentOp());
  return product->getBlock() == &block && (isInLoop || product->hasOneUse()) &&
         followsLoop(product->getResult(0), block);
}

bool kern::ir::loop::roundsAlike(KernelOp flattened) {
  const WalkResult result = flattened->walk([](Operation *op) {
    if (isa<KernelOp>(op))
      return WalkResult::advance();
    if (!isPlain(*op))
      return WalkResult::interrupt();
    Block &block = *op->getBlock();
    bool isAlike = true;
    if (isa<arith::AddFOp, arith::SubFOp>(op))
      isAlike =
          !(productIn(op->getOperand(0)) && productIn(op->getOperand(1))) &&
          staysBeside(op->getOperand(0), block) &&
          staysBeside(op->getOperand(1), block);
    else if (isa<YieldOp>(op) && op->getNumOperands() > 0)
      isAlike = staysBeside(op->getOperand(0), block);
    return isAlike ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !result.wasInterrupted();
}
