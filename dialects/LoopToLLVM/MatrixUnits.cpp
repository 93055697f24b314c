//===- MatrixUnits.cpp - units that multiply matrices ---------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/MatrixUnits.h"

using namespace mlir;
using namespace kern::ir::loop;

bool MatrixUnits::lower(
    KernelBuilder &b, Operation &op,
    llvm::function_ref<Value(Value array, Value index)> address) {
  if (auto load = dyn_cast<LoadMatricesOp>(op)) {
    load.replaceAllUsesWith(
        loadMatrices(b, load, address(load.getArray(), load.getIndex())));
  } else if (auto product = dyn_cast<MultiplyMatricesOp>(op)) {
    product.replaceAllUsesWith(multiply(b, product));
  } else if (auto fence = dyn_cast<FenceSharedOp>(op)) {
    fenceShared(b, fence);
  } else if (auto start = dyn_cast<StartProductOp>(op)) {
    Value left = address(start.getLeft(), start.getLeftIndex());
    Value right = address(start.getRight(), start.getRightIndex());
    start.replaceAllUsesWith(startProduct(b, start, left, right));
  } else if (auto product = dyn_cast<AwaitProductOp>(op)) {
    product.replaceAllUsesWith(awaitProduct(b, product));
  } else {
    return false;
  }
  return true;
}
