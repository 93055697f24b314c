//===- Carried.cpp - what a reduction's loop carries ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/Carried.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"

using namespace mlir;
using namespace kern::ir::loop;

static Value constant(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantOp::create(b, b.getI64IntegerAttr(value));
}

static Value select(ImplicitLocOpBuilder &b, Value condition, Value x,
                    Value y) {
  return b.createOrFold<arith::SelectOp>(condition, x, y);
}

/// Whether some iterations may yield a value that does not count.
static bool isFiltered(ReduceOp op) {
  return llvm::any_of(op.getBody(), [](Block &block) {
    auto yield = dyn_cast<YieldOp>(block.getTerminator());
    return yield && yield.getValues().size() > 1;
  });
}

/// The first of an arg_ kind's iterations holds the identity's place, so that
/// later ones need to be better.
Carried Carried::initial(ImplicitLocOpBuilder &b, ReduceOp op, Value begin) {
  Carried carried = {identity(b, op.getKind(), op.getValueType()),
                     op.getKept() ? constant(b, 0) : Value()};
  if (carried.sum.index && !isFiltered(op))
    carried.sum.index = begin;
  return carried;
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

SmallVector<Value> Carried::list() const {
  SmallVector<Value> values = {sum.value};
  for (Value value : {sum.index, kept})
    if (value)
      values.push_back(value);
  return values;
}

void kern::ir::loop::contractWith(Value sum, Value term) {
  auto product = term.getDefiningOp<arith::MulFOp>();
  auto addition = sum.getDefiningOp<arith::AddFOp>();
  const auto contract = arith::FastMathFlags::contract;
  if (product && addition &&
      arith::bitEnumContainsAll(product.getFastmath(), contract))
    addition.setFastmath(addition.getFastmath() | contract);
}

/// The sum with a product of complex numbers that may be contracted: each part
/// adds its two products one after the other, as FMAs do. Null for other terms.
static Value withProduct(ImplicitLocOpBuilder &b, Value sum, Value term) {
  auto number = term.getDefiningOp<complex::CreateOp>();
  if (!number)
    return {};
  auto re = number.getReal().getDefiningOp<arith::SubFOp>();
  auto im = number.getImaginary().getDefiningOp<arith::AddFOp>();
  auto isContracted = [](auto op) {
    return op &&
           arith::bitEnumContainsAll(op.getFastmath(),
                                     arith::FastMathFlags::contract) &&
           op.getLhs().template getDefiningOp<arith::MulFOp>() &&
           op.getRhs().template getDefiningOp<arith::MulFOp>();
  };
  if (!isContracted(re) || !isContracted(im))
    return {};
  auto add = [&](Value x, Value y) -> Value {
    return arith::AddFOp::create(b, x, y, arith::FastMathFlags::contract);
  };
  Value first = add(complex::ReOp::create(b, sum), re.getLhs());
  Value second = add(complex::ImOp::create(b, sum), im.getLhs());
  return complex::CreateOp::create(
      b, sum.getType(),
      arith::SubFOp::create(b, first, re.getRhs(),
                            arith::FastMathFlags::contract),
      add(second, im.getRhs()));
}

Carried kern::ir::loop::accumulate(ImplicitLocOpBuilder &b, ReduceKind kind,
                                   Carried sum, ValueRange yielded, Value k) {
  bool isFiltered = yielded.size() >= 2;
  bool isComplex = isa<ComplexType>(yielded[0].getType());
  Carried next;
  if (sum.kept) {
    Value count = yielded.size() == 3 ? yielded[2] : constant(b, 1);
    if (isFiltered)
      count = select(b, yielded[1], count, constant(b, 0));
    next.kept = b.createOrFold<arith::AddIOp>(sum.kept, count);
  }
  if (isFiltered && !isArg(kind) && !isComplex) {
    // The identity replaces a value that is not kept, so that the loop can be
    // vectorised. This is wrong for complex products: one times an infinite
    // number gives NaN.
    Value none = identity(b, kind, yielded[0].getType()).value;
    next.sum =
        combine(b, kind, sum.sum, {select(b, yielded[1], yielded[0], none), k});
    return next;
  }
  Value product = isComplex && kind == ReduceKind::Sum
                      ? withProduct(b, sum.sum.value, yielded[0])
                      : Value();
  next.sum = product      ? Accumulator{product, sum.sum.index}
             : isFiltered ? combine(b, kind, sum.sum, {yielded[0], k})
                          : combineLater(b, kind, sum.sum, {yielded[0], k});
  if (kind == ReduceKind::Sum && !isFiltered && !isComplex)
    contractWith(next.sum.value, yielded[0]);
  if (isFiltered) {
    next.sum.value = select(b, yielded[1], next.sum.value, sum.sum.value);
    if (next.sum.index)
      next.sum.index = select(b, yielded[1], next.sum.index, sum.sum.index);
  }
  return next;
}

void kern::ir::loop::replaceReduction(ImplicitLocOpBuilder &b, ReduceOp op,
                                      Carried sum, bool isShared) {
  auto combined = [&](ReduceKind kind, Type type, Accumulator mine) -> Value {
    if (isShared)
      return CombineOp::create(b, type, kind, mine.value, mine.index,
                               op->hasAttr(toFirstAttribute));
    return result(b, kind, mine);
  };
  op.getResult().replaceAllUsesWith(
      combined(op.getKind(), op.getResult().getType(), sum.sum));
  if (op.getKept())
    op.getKept().replaceAllUsesWith(
        combined(ReduceKind::Sum, b.getI64Type(), {sum.kept, Value()}));
}
