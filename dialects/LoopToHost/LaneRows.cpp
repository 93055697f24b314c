//===- LaneRows.cpp - lanes of short rows ---------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/LaneCode.h"

using namespace mlir;
using namespace kern::ir::loop;

Value LaneCode::numbers() {
  SmallVector<int64_t> all;
  for (unsigned lane = 0; lane < lanes; ++lane)
    all.push_back(lane);
  return arith::ConstantOp::create(
      b, DenseElementsAttr::get(vectorOf(b.getI64Type()), ArrayRef(all)));
}

Mask LaneCode::isBelow(Value count) {
  return arith::CmpIOp::create(b, arith::CmpIPredicate::slt, numbers(),
                               splat(count));
}

Value LaneCode::lanesOf(Value vector, unsigned first, unsigned count) {
  SmallVector<int32_t> order;
  for (unsigned lane = first; lane < first + count; ++lane)
    order.push_back(int32_t(lane));
  return LLVM::ShuffleVectorOp::create(b, vector, vector, order);
}

Value LaneCode::loadHalves(Type element, const Place &place, Mask mask) {
  unsigned half = lanes / 2;
  auto type = VectorType::get({int64_t(half)}, element);
  Value halves[2];
  for (unsigned i : {0u, 1u}) {
    Value address = i == 0 ? place.address : place.second;
    halves[i] =
        mask ? LLVM::FreezeOp::create(
                   b, LLVM::MaskedLoadOp::create(b, type, address,
                                                 lanesOf(mask, i * half, half),
                                                 poison(type), place.alignment))
                   .getResult()
             : LLVM::LoadOp::create(b, type, address, place.alignment)
                   .getResult();
  }
  SmallVector<int32_t> order;
  for (unsigned lane = 0; lane < lanes; ++lane)
    order.push_back(int32_t(lane));
  return LLVM::ShuffleVectorOp::create(b, halves[0], halves[1], order);
}

void LaneCode::storeHalves(Value value, const Place &place, Mask mask) {
  unsigned half = lanes / 2;
  for (unsigned i : {0u, 1u}) {
    Value address = i == 0 ? place.address : place.second;
    Value part = lanesOf(value, i * half, half);
    if (mask)
      LLVM::MaskedStoreOp::create(
          b, part, address, lanesOf(mask, i * half, half), place.alignment);
    else
      LLVM::StoreOp::create(b, part, address, place.alignment);
  }
}

Value LaneCode::loadPresent(Type element, const Place &place, Mask mask) {
  Value read =
      mask ? arith::AndIOp::create(b, mask, present).getResult() : present;
  VectorType type = vectorOf(element);
  Value loaded = LLVM::FreezeOp::create(
      b, LLVM::MaskedLoadOp::create(b, type, place.address, read, poison(type),
                                    place.alignment));
  Value first = LLVM::ExtractElementOp::create(b, loaded, b.i64(0));
  return arith::SelectOp::create(b, present, loaded, splat(first));
}
