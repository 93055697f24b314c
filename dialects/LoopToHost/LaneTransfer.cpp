//===- LaneTransfer.cpp - core elements to and from vectors ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/LaneTransfer.h"

#include <numeric>

using namespace mlir;
using namespace kern::ir::loop;
using Predicate = KernelBuilder::Predicate;

int64_t kern::ir::loop::elementsOf(ArrayRef<int64_t> shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t(1),
                         std::multiplies());
}

SmallVector<int64_t> kern::ir::loop::denseStrides(Type element,
                                                  ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size());
  int64_t stride = storedSize(element);
  for (size_t d = shape.size(); d-- > 0; stride *= shape[d])
    strides[d] = stride;
  return strides;
}

LaneTransfer::LaneTransfer(KernelBuilder &b, unsigned lanes, Value first,
                           Value count)
    : b(b), lanes(lanes), first(first) {
  isFull =
      b.compare(Predicate::sle, b.add(first, b.i64(int64_t(lanes))), count);
  SmallVector<int64_t> numbers(lanes);
  std::iota(numbers.begin(), numbers.end(), 0);
  indices = arith::AddIOp::create(
      b, splat(first),
      arith::ConstantOp::create(
          b, DenseElementsAttr::get(vectorOf(b.getI64Type()),
                                    ArrayRef<int64_t>(numbers))));
  indices = arith::MinSIOp::create(b, indices, splat(b.sub(count, b.i64(1))));
}

VectorType LaneTransfer::vectorOf(Type element) {
  return VectorType::get({int64_t(lanes)}, element);
}

Value LaneTransfer::splat(Value value) {
  Value one = LLVM::InsertElementOp::create(
      b, LLVM::PoisonOp::create(b, vectorOf(value.getType())), value, b.i64(0));
  return LLVM::ShuffleVectorOp::create(b, one, one,
                                       SmallVector<int32_t>(lanes, 0));
}

Value LaneTransfer::allLanes() {
  return arith::ConstantOp::create(
      b, DenseElementsAttr::get(vectorOf(b.getI1Type()), true));
}

Value LaneTransfer::offsetsOf(const GufuncOperand &operand) {
  return arith::MulIOp::create(b, indices, splat(operand.stride));
}

Value LaneTransfer::isDense(const GufuncOperand &operand,
                            ArrayRef<int64_t> shape) {
  auto is = [&](Value stride, int64_t expected) {
    return b.compare(Predicate::eq, stride, b.i64(expected));
  };
  Value all =
      b.bitAnd(isFull, is(operand.stride,
                          elementsOf(shape) * storedSize(operand.element)));
  for (auto [stride, expected] :
       llvm::zip(operand.coreStrides, denseStrides(operand.element, shape)))
    all = b.bitAnd(all, is(stride, expected));
  return all;
}

Value LaneTransfer::denseAddress(const GufuncOperand &operand) {
  return b.offset(operand.pointer, b.mul(first, operand.stride));
}

Value LaneTransfer::pointersOf(const GufuncOperand &operand,
                               ArrayRef<int64_t> shape, int64_t number) {
  Value offset = b.i64(0);
  for (size_t d = shape.size(); d-- > 0; number /= shape[d])
    offset =
        b.add(offset, b.mul(operand.coreStrides[d], b.i64(number % shape[d])));
  return LLVM::GEPOp::create(b, vectorOf(b.pointerType()), b.getI8Type(),
                             b.offset(operand.pointer, offset),
                             ArrayRef<LLVM::GEPArg>{offsetsOf(operand)});
}

SmallVector<Value> LaneTransfer::load(const GufuncOperand &operand,
                                      ArrayRef<int64_t> shape) {
  int64_t elements = elementsOf(shape);
  VectorType type = vectorOf(storedType(operand.element));
  Block *whole = b.block(), *apart = b.block(),
        *after = b.block(SmallVector<Type>(elements, type));
  b.branch(isDense(operand, shape), whole, apart);
  SmallVector<Value> vectors;
  b.at(whole);
  Value all = LLVM::LoadOp::create(
      b, VectorType::get({elements * int64_t(lanes)}, type.getElementType()),
      denseAddress(operand), /*alignment=*/1);
  for (int64_t element = 0; element < elements; ++element) {
    SmallVector<int32_t> order;
    for (unsigned lane = 0; lane < lanes; ++lane)
      order.push_back(int32_t(lane * elements + element));
    vectors.push_back(LLVM::ShuffleVectorOp::create(b, all, all, order));
  }
  b.branch(after, vectors);
  b.at(apart);
  vectors.clear();
  for (int64_t element = 0; element < elements; ++element)
    vectors.push_back(LLVM::masked_gather::create(
        b, type, pointersOf(operand, shape, element), allLanes(), ValueRange(),
        /*alignment=*/1));
  b.branch(after, vectors);
  b.at(after);
  return SmallVector<Value>(after->getArguments());
}

void LaneTransfer::store(ArrayRef<Value> vectors, const GufuncOperand &operand,
                         ArrayRef<int64_t> shape) {
  Block *whole = b.block(), *apart = b.block(), *after = b.block();
  b.branch(isDense(operand, shape), whole, apart);
  b.at(whole);
  // One vector after the other, and then in the order of memory.
  int64_t elements = int64_t(vectors.size());
  Value all = vectors.front();
  if (elements > 1) {
    auto type = cast<VectorType>(all.getType());
    all = LLVM::PoisonOp::create(
        b, VectorType::get({elements * int64_t(lanes)}, type.getElementType()));
    for (auto [element, vector] : llvm::enumerate(vectors))
      all =
          LLVM::vector_insert::create(b, all, vector, int64_t(element) * lanes);
    SmallVector<int32_t> order;
    for (unsigned lane = 0; lane < lanes; ++lane)
      for (int64_t element = 0; element < elements; ++element)
        order.push_back(int32_t(element * lanes + lane));
    all = LLVM::ShuffleVectorOp::create(b, all, all, order);
  }
  LLVM::StoreOp::create(b, all, denseAddress(operand), /*alignment=*/1);
  b.branch(after);
  b.at(apart);
  for (auto [element, vector] : llvm::enumerate(vectors))
    LLVM::masked_scatter::create(b, vector,
                                 pointersOf(operand, shape, int64_t(element)),
                                 allLanes(), /*alignment=*/1);
  b.branch(after);
  b.at(after);
}

Value LaneTransfer::place(KernelBuilder &b, Type element,
                          ArrayRef<int64_t> shape, unsigned lanes) {
  constexpr unsigned alignment = 64;
  return LLVM::AllocaOp::create(
      b, b.pointerType(), b.getI8Type(),
      b.i64(elementsOf(shape) * storedSize(element) * lanes), alignment);
}

void LaneTransfer::fill(Value place, const GufuncOperand &operand,
                        ArrayRef<int64_t> shape) {
  int64_t bytes = int64_t(storedSize(operand.element)) * lanes;
  for (auto [k, vector] : llvm::enumerate(load(operand, shape)))
    LLVM::StoreOp::create(b, vector,
                          b.offset(place, b.i64(int64_t(k) * bytes)));
}

void LaneTransfer::drain(Value place, const GufuncOperand &operand,
                         ArrayRef<int64_t> shape) {
  int64_t bytes = int64_t(storedSize(operand.element)) * lanes;
  SmallVector<Value> vectors;
  for (int64_t k = 0; k < elementsOf(shape); ++k)
    vectors.push_back(
        LLVM::LoadOp::create(b, vectorOf(storedType(operand.element)),
                             b.offset(place, b.i64(k * bytes))));
  store(vectors, operand, shape);
}

Value LaneTransfer::loadNumber(const GufuncOperand &operand) {
  Value vector = load(operand, {})[0];
  if (!operand.element.isInteger(1))
    return vector;
  return arith::CmpIOp::create(
      b, Predicate::ne, vector,
      arith::ConstantOp::create(
          b, cast<TypedAttr>(b.getZeroAttr(vector.getType()))));
}

void LaneTransfer::storeNumber(Value vector, const GufuncOperand &operand) {
  if (operand.element.isInteger(1))
    vector = arith::ExtUIOp::create(b, vectorOf(b.getI8Type()), vector);
  store(vector, operand, {});
}
