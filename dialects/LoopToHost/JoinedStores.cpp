//===- JoinedStores.cpp - one store where ways meet -----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/Forms.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace kern::ir::loop;

/// Whether two values are computed alike from the same values, by a few
/// operations.
static bool isAlike(Value a, Value b, unsigned depth = 8) {
  if (a == b)
    return true;
  if (depth == 0)
    return false;
  Operation *x = a.getDefiningOp(), *y = b.getDefiningOp();
  return x && y && isPure(x) && x->getName() == y->getName() &&
         x->getAttrDictionary() == y->getAttrDictionary() &&
         x->getResultTypes() == y->getResultTypes() &&
         x->getNumResults() == 1 &&
         llvm::all_of(llvm::zip_equal(x->getOperands(), y->getOperands()),
                      [&](auto pair) {
                        return isAlike(std::get<0>(pair), std::get<1>(pair),
                                       depth - 1);
                      });
}

/// Computes a value again that isAlike() found in all ways to the builder's
/// block. Only what all of them have in common is there already.
static Value again(OpBuilder &b, Value value, DominanceInfo &dominance,
                   IRMapping &copies) {
  if (dominance.dominates(value.getParentBlock(), b.getInsertionBlock()))
    return value;
  if (Value known = copies.lookupOrNull(value))
    return known;
  IRMapping operands;
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    operands.map(operand, again(b, operand, dominance, copies));
  Value copy = b.clone(*op, operands)->getResult(0);
  copies.map(value, copy);
  return copy;
}

/// The store at the end of a way that leads to `block` only.
static LLVM::StoreOp lastStore(Block *way, Block *block) {
  auto branch = dyn_cast<cf::BranchOp>(way->getTerminator());
  if (!branch || branch.getDest() != block)
    return {};
  for (Operation &op : llvm::reverse(way->without_terminator())) {
    if (auto store = dyn_cast<LLVM::StoreOp>(op))
      return store;
    if (!isPure(&op))
      return {};
  }
  return {};
}

/// Whether it found a store that all ways to the block end with.
static bool joinStoresAt(Block &block, DominanceInfo &dominance) {
  SmallVector<LLVM::StoreOp> stores;
  for (Block *way : block.getPredecessors()) {
    LLVM::StoreOp store = lastStore(way, &block);
    if (!store || dominance.dominates(&block, way) ||
        (!stores.empty() &&
         (store.getValue().getType() != stores.front().getValue().getType() ||
          store->getAttrDictionary() != stores.front()->getAttrDictionary() ||
          !isAlike(store.getAddr(), stores.front().getAddr()))))
      return false;
    stores.push_back(store);
  }
  if (stores.size() < 2)
    return false;
  LLVM::StoreOp first = stores.front();
  BlockArgument value =
      block.addArgument(first.getValue().getType(), first.getLoc());
  OpBuilder b(&block, block.begin());
  IRMapping copies;
  Value address = again(b, first.getAddr(), dominance, copies);
  Operation *made = b.clone(*first);
  made->setOperands({value, address});
  for (LLVM::StoreOp store : stores) {
    auto branch = cast<cf::BranchOp>(store->getBlock()->getTerminator());
    branch.getDestOperandsMutable().append(store.getValue());
    store.erase();
  }
  return true;
}

void kern::ir::loop::joinStores(LLVM::LLVMFuncOp body) {
  if (body.getBody().hasOneBlock())
    return;
  DominanceInfo dominance(body);
  // In the order of blocks, so that a store passes all ends of nested branches.
  for (Block &block : body.getBody())
    while (joinStoresAt(block, dominance)) {
    }
}
