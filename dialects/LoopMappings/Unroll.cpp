//===- Unroll.cpp - short loops inside of iterations ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopMappings/Unroll.h"

#include "dialects/LoopMappings/Affine.h"
#include "dialects/LoopToLLVM/GroupSharing.h"
#include "dialects/LoopToLLVM/Ranges.h"
#include "dialects/LoopToLLVM/TableReductions.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace kern::ir::loop;

namespace {

class UnrollingFinder {
public:
  explicit UnrollingFinder(KernelOp kernel) : kernel(kernel) {}
  std::optional<Unrolling> find();

private:
  bool takeReduction(ReduceOp reduce);
  bool takeAccess(Operation &op, ReduceOp reduce);
  void count(const DimTokens &tokens, kern::runtime::DimToken with);

  KernelOp kernel;
  Unrolling unrolling;
  llvm::SmallPtrSet<Value, 4> written;
  bool slides = false; ///< along which there are elements to share
  unsigned operations = 0;
};

} // namespace

/// Whether an access is along its last core dimension where it moves with the
/// last flat index. One that depends on data is no neighbour of others.
bool UnrollingFinder::takeAccess(Operation &op, ReduceOp reduce) {
  Value array = accessedArray(&op);
  std::optional<unsigned> operand = operandOf(kernel, array);
  auto load = dyn_cast<LoadOp>(op);
  if (!operand || (load && written.contains(array)))
    return false;
  OperandRange indices =
      load ? load.getIndices() : cast<StoreOp>(op).getIndices();
  size_t last = kernel.numFlat() - 1;
  for (auto [d, index] : llvm::enumerate(indices)) {
    APInt step(64, 1);
    if (reduce && !matchPattern(reduce.getStep(), m_ConstantInt(&step)))
      return false;
    auto steps =
        stepsOf(kernel, index, reduce ? Value(reduce.inductionVar()) : Value(),
                step.getSExtValue());
    if (!steps)
      continue;
    bool movesDown = last > 0 && (*steps)[last - 1] != 0;
    bool movesAlong = (*steps)[last] != 0;
    if (movesAlong && d + 1 != indices.size())
      return false;
    slides |= reduce && steps->back() != 0 && (movesDown || movesAlong);
    if (movesAlong && !llvm::is_contained(unrolling.rowOperands, *operand))
      unrolling.rowOperands.push_back(*operand);
  }
  return true;
}

/// Joins the iterations so far with others, by an operator.
void UnrollingFinder::count(const DimTokens &tokens,
                            kern::runtime::DimToken with) {
  bool isFirst = unrolling.iterations.empty();
  unrolling.iterations.append(tokens.begin(), tokens.end());
  if (!isFirst)
    unrolling.iterations.push_back(std::move(with));
}

/// The iterations of a reduction and those inside of it.
static std::optional<DimTokens> iterationsOf(KernelOp kernel, ReduceOp reduce) {
  auto tokens = tripExpression(kernel, reduce.getLower(), reduce.getUpper(),
                               reduce.getStep());
  for (auto inner : reduce.entry().getOps<ReduceOp>()) {
    auto inside = iterationsOf(kernel, inner);
    if (!tokens || !inside)
      return std::nullopt;
    tokens->append(inside->begin(), inside->end());
    tokens->push_back(kern::runtime::DimToken::Kind::Multiply);
  }
  return tokens;
}

bool UnrollingFinder::takeReduction(ReduceOp reduce) {
  if (!reduce.getBody().hasOneBlock())
    return false;
  unsigned inside = 0;
  for (Operation &op : reduce.entry().without_terminator()) {
    ++operations;
    if (auto inner = dyn_cast<ReduceOp>(op)) {
      if (++inside > 1 || !takeReduction(inner))
        return false;
    } else if (isa<LoadOp>(op)) {
      if (!takeAccess(op, reduce))
        return false;
    } else if (!isa<func::CallOp>(op) &&
               (op.getNumRegions() > 0 || !isMemoryEffectFree(&op))) {
      return false;
    }
  }
  return true;
}

std::optional<Unrolling> UnrollingFinder::find() {
  // Each is written out for each iteration and result.
  constexpr unsigned maxOperations = 24;
  if (kernel.numFlat() == 0 || kernel.getChecks() ||
      !kernel.getResultTypes().empty() || !kernel.getBody().hasOneBlock())
    return std::nullopt;
  kernel->walk([&](Operation *op) {
    if (isa<StoreOp, AccumulateOp>(op))
      written.insert(accessedArray(op));
  });
  for (Operation &op : kernel.entry().without_terminator()) {
    if (auto reduce = dyn_cast<ReduceOp>(op)) {
      auto iterations = iterationsOf(kernel, reduce);
      if (!iterations || !takeReduction(reduce))
        return std::nullopt;
      count(*iterations, kern::runtime::DimToken::Kind::Add);
    } else if (isa<LoadOp, StoreOp>(op)) {
      if (!takeAccess(op, ReduceOp()))
        return std::nullopt;
    } else if (!isa<func::CallOp>(op) &&
               (op.getNumRegions() > 0 || !isMemoryEffectFree(&op))) {
      return std::nullopt;
    }
  }
  if (!slides || operations > maxOperations)
    return std::nullopt;
  return unrolling;
}

std::optional<Unrolling> kern::ir::loop::unrollingOf(KernelOp flattened) {
  return UnrollingFinder(flattened).find();
}

bool kern::ir::loop::unroll(KernelOp flattened) {
  for (;;) {
    auto reductions = flattened.entry().getOps<ReduceOp>();
    if (reductions.empty())
      return true;
    if (!writeOut(*reductions.begin(), INT64_MAX))
      return false;
  }
}
