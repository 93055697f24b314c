//===- Computed.cpp - what loops have computed of an element --------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/Computed.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace kern::ir::loop;

static bool isSameConstant(Value a, Value b) {
  Attribute first, second;
  return matchPattern(a, m_Constant(&first)) &&
         matchPattern(b, m_Constant(&second)) && first == second;
}

static bool isSame(Operation &known, Operation &op, const IRMapping &map) {
  if (known.getName() != op.getName() ||
      known.getResultTypes() != op.getResultTypes() ||
      known.getAttrDictionary() != op.getAttrDictionary() ||
      known.getNumOperands() != op.getNumOperands())
    return false;
  return llvm::all_of(
      llvm::zip(known.getOperands(), op.getOperands()), [&](auto pair) {
        auto [a, b] = pair;
        return a == map.lookupOrDefault(b) || isSameConstant(a, b);
      });
}

Operation *Computed::find(Operation &op, const IRMapping &map) const {
  for (Operation *known : operations)
    if (isSame(*known, op, map))
      return known;
  return nullptr;
}

Value Computed::keep(Operation *op) {
  Value &value = kept[op];
  if (!value) {
    ImplicitLocOpBuilder b(op->getLoc(), op->getContext());
    b.setInsertionPointAfter(op);
    value = KeepOp::create(b, op->getResult(0));
  }
  return value;
}
