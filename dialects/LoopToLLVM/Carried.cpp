//===- Carried.cpp - what a loop carries for a reduction ------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/Carried.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace kern::ir::loop;

static Value constant(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantOp::create(b, b.getI64IntegerAttr(value));
}

SmallVector<Value> Carried::list() const {
  SmallVector<Value> values = {sum.value};
  for (Value value : {sum.index, kept})
    if (value)
      values.push_back(value);
  return values;
}

Carried Carried::from(ReduceOp op, ValueRange values) {
  Carried carried;
  carried.sum.value = values.front();
  if (carriesPosition(op.getKind(), op.getValueType()))
    carried.sum.index = values[1];
  if (op.getKept())
    carried.kept = values.back();
  return carried;
}

Carried Carried::initial(ImplicitLocOpBuilder &b, ReduceOp op) {
  return {identity(b, op.getKind(), op.getValueType()),
          op.getKept() ? constant(b, 0) : Value()};
}

Carried kern::ir::loop::accumulate(ImplicitLocOpBuilder &b, ReduceKind kind,
                                   Carried sum, ValueRange yielded, Value k) {
  bool isFiltered = yielded.size() >= 2;
  bool isComplex = isa<ComplexType>(yielded[0].getType());
  auto select = [&](Value x, Value y) {
    return b.createOrFold<arith::SelectOp>(yielded[1], x, y);
  };
  Carried next;
  if (sum.kept) {
    Value count = yielded.size() == 3 ? yielded[2] : constant(b, 1);
    if (isFiltered)
      count = select(count, constant(b, 0));
    next.kept = b.createOrFold<arith::AddIOp>(sum.kept, count);
  }
  if (isFiltered && !isArg(kind) && !isComplex) {
    // The identity replaces a value that is not kept, so that the loop can be
    // vectorised. This is wrong for complex products: one times an infinite
    // number gives NaN.
    Value none = identity(b, kind, yielded[0].getType()).value;
    next.sum = combine(b, kind, sum.sum, {select(yielded[0], none), k});
    return next;
  }
  next.sum = combine(b, kind, sum.sum, {yielded[0], k});
  if (isFiltered) {
    next.sum.value = select(next.sum.value, sum.sum.value);
    if (next.sum.index)
      next.sum.index = select(next.sum.index, sum.sum.index);
  }
  return next;
}
