//===- SharedElements.cpp - updates of elements that data selects ---------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/dependence/Dependence.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;

/// The operand of an index value; `value` itself if it is none.
static Value withoutIndex(Value value) {
  while (auto index = value ? value.getDefiningOp<IndexOp>() : nullptr)
    value = index.getValue();
  return value;
}

//===----------------------------------------------------------------------===//
// Elements that depend on data
//===----------------------------------------------------------------------===//

/// Whether two values are computed in the same way; loads of the same element
/// are equal.
static bool isSame(Value a, Value b, unsigned depth = 0) {
  constexpr unsigned deepest = 8;
  if (a == b)
    return true;
  Operation *x = a.getDefiningOp(), *y = b.getDefiningOp();
  if (!x || !y || depth > deepest || x->getName() != y->getName() ||
      !isa<ConstantOp, DimOp, ApplyOp, IndexOp, CastOp, LoadOp>(x) ||
      x->getNumOperands() != y->getNumOperands() ||
      x->getAttrDictionary() != y->getAttrDictionary())
    return false;
  return llvm::all_of(
      llvm::zip(x->getOperands(), y->getOperands()), [&](auto pair) {
        return isSame(std::get<0>(pair), std::get<1>(pair), depth + 1);
      });
}

/// Calls `visit` with every load that a value is computed from, until it
/// returns true.
static bool anyLoad(Value value, llvm::function_ref<bool(LoadOp)> visit) {
  llvm::SmallPtrSet<Operation *, 16> seen;
  llvm::SmallPtrSet<Value, 8> joined;
  SmallVector<Value> rest{value};
  while (!rest.empty()) {
    Value value = rest.pop_back_val();
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      // Of `a if c else b`, one of two values. Those of loops come round.
      Block *block = argument.getOwner();
      if (joined.insert(argument).second)
        for (Block *source : block->getPredecessors())
          if (auto branch = dyn_cast<cf::BranchOp>(source->getTerminator()))
            rest.push_back(branch.getDestOperands()[argument.getArgNumber()]);
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (!op || !seen.insert(op).second)
      continue;
    if (auto load = dyn_cast<LoadOp>(op); load && visit(load))
      return true;
    if (isa<ApplyOp, IndexOp, CastOp, TruthOp>(op))
      llvm::append_range(rest, op->getOperands());
  }
  return false;
}

LoadOp updatedLoad(ParallelOp parallel, StoreOp store) {
  SmallPtrSet<Value, 4> plain;
  bool isDecidedByData = false;
  for (Value index : store.getIndices()) {
    plain.insert(withoutIndex(index));
    isDecidedByData |= anyLoad(index, [](LoadOp) { return true; });
  }
  bool isOwn = llvm::all_of(parallel.getBody().getArguments(),
                            [&](Value index) { return plain.contains(index); });
  if (!isDecidedByData || isOwn)
    return nullptr;
  LoadOp found;
  auto isUpdated = [&](LoadOp load) {
    bool isIt =
        load.getArray() == store.getArray() &&
        llvm::all_of(llvm::zip(load.getIndices(), store.getIndices()),
                     [](auto pair) {
                       return isSame(std::get<0>(pair), std::get<1>(pair));
                     });
    if (isIt)
      found = load;
    return isIt;
  };
  if (anyLoad(store.getValue(), isUpdated))
    return found;
  // `if v < h[e]: h[e] = v`
  Block *block = store->getBlock();
  while (Block *before = block->getSinglePredecessor()) {
    auto branch = dyn_cast<cf::CondBranchOp>(before->getTerminator());
    if (branch && anyLoad(branch.getCondition(), isUpdated))
      return found;
    block = before;
  }
  return nullptr;
}

} // namespace kern::compiler
