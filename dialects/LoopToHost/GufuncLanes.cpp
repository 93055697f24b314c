//===- GufuncLanes.cpp - gufuncs in vectors across elements ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/GufuncLanes.h"

#include "dialects/LoopToHost/VectorLoops.h"

using namespace mlir;
using namespace kern::ir::loop;
using Predicate = KernelBuilder::Predicate;

std::optional<int64_t> kern::ir::loop::coreElements(KernelOp kernel) {
  auto operands = kernel.getCoreExtents();
  if (!operands || kernel.getNumDims() != 0)
    return std::nullopt;
  int64_t all = 0;
  for (Attribute operand : *operands) {
    int64_t elements = 1;
    for (Attribute dimension : cast<ArrayAttr>(operand)) {
      auto tokens = cast<ArrayAttr>(dimension);
      int64_t extent = 0;
      if (tokens.size() != 1 ||
          cast<StringAttr>(tokens[0]).getValue().getAsInteger(10, extent) ||
          extent > INT16_MAX || elements > INT32_MAX)
        return std::nullopt;
      elements *= extent;
    }
    all += elements;
  }
  return all;
}

GufuncLanes::GufuncLanes(KernelBuilder &b, const KernelFacts &kernel,
                         LLVM::LLVMFuncOp body, int64_t coreElements,
                         unsigned askedLanes)
    : b(b), kernel(kernel), lanes(askedLanes) {
  // With checks, an element must be able to return on its own.
  if (kernel.hasChecks() || !kernel.slots.empty() ||
      !runsAcrossElements(coreElements))
    return;
  plain = make(body, /*hasUniformScalars=*/false);
  bool hasScalars = llvm::any_of(
      kernel.inputs, [](const OperandFacts &input) { return input.rank == 0; });
  if (plain && hasScalars)
    uniform = make(body, /*hasUniformScalars=*/true);
}

LLVM::LLVMFuncOp GufuncLanes::make(LLVM::LLVMFuncOp body,
                                   bool hasUniformScalars) {
  llvm::DenseSet<Value> uniformArguments;
  ArrayRef<BlockArgument> arguments = body.getArguments();
  auto pass = [&](unsigned count, bool isUniform) {
    for (Value argument : arguments.take_front(count))
      if (isUniform)
        uniformArguments.insert(argument);
    arguments = arguments.drop_front(count);
  };
  for (const OperandFacts &input : kernel.inputs)
    pass(input.rank + 1, input.rank > 0 || hasUniformScalars);
  // Results that are scalars are returned.
  for (const OperandFacts &output : kernel.outputs)
    if (output.rank)
      pass(output.rank + 1, true);
  VectorBody vectors(body, uniformArguments);
  if (!vectors.obstacle().empty())
    return {};
  if (!lanes)
    lanes = laneShape(vectors.facts()).lanes;
  return vectors.emit(
      b, kernel.symbol + (hasUniformScalars ? "__uniform" : "__lanes"), lanes);
}

/// A value in all lanes.
static Value splat(KernelBuilder &b, Value value, unsigned lanes) {
  auto type = VectorType::get({int64_t(lanes)}, value.getType());
  Value first = LLVM::InsertElementOp::create(
      b, LLVM::PoisonOp::create(b, type), value, b.i64(0));
  return LLVM::ShuffleVectorOp::create(b, first, first,
                                       SmallVector<int32_t>(lanes, 0));
}

static Value allLanes(KernelBuilder &b, unsigned lanes) {
  return arith::ConstantOp::create(
      b, DenseElementsAttr::get(
             VectorType::get({int64_t(lanes)}, b.getI1Type()), true));
}

/// The offsets of the lanes' elements of an operand.
Value GufuncLanes::offsetsOf(const GufuncOperand &operand, Value indices) {
  return arith::MulIOp::create(b, indices, splat(b, operand.stride, lanes));
}

Value GufuncLanes::pointersOf(const GufuncOperand &operand, Value indices) {
  auto type = VectorType::get({int64_t(lanes)}, b.pointerType());
  return LLVM::GEPOp::create(
      b, type, b.getI8Type(), operand.pointer,
      ArrayRef<LLVM::GEPArg>{offsetsOf(operand, indices)});
}

Value GufuncLanes::load(const GufuncOperand &operand, Value indices) {
  auto type = VectorType::get({int64_t(lanes)}, storedType(operand.element));
  Value vector = LLVM::masked_gather::create(
      b, type, pointersOf(operand, indices), allLanes(b, lanes), ValueRange(),
      /*alignment=*/1);
  if (!operand.element.isInteger(1))
    return vector;
  return arith::CmpIOp::create(
      b, Predicate::ne, vector,
      arith::ConstantOp::create(b, cast<TypedAttr>(b.getZeroAttr(type))));
}

void GufuncLanes::store(Value vector, const GufuncOperand &operand,
                        Value indices) {
  if (operand.element.isInteger(1))
    vector = arith::ExtUIOp::create(
        b, VectorType::get({int64_t(lanes)}, b.getI8Type()), vector);
  LLVM::masked_scatter::create(b, vector, pointersOf(operand, indices),
                               allLanes(b, lanes), /*alignment=*/1);
}

void GufuncLanes::loop(LLVM::LLVMFuncOp function, Value count,
                       ArrayRef<GufuncOperand> operands, Block *end) {
  bool hasUniformScalars = function == uniform;
  Block *header = b.block(TypeRange{b.getI64Type()}), *step = b.block();
  b.branch(header, b.i64(0));
  b.at(header);
  Value first = header->getArgument(0);
  b.branch(b.compare(Predicate::slt, first, count), step, end);
  b.at(step);
  SmallVector<int64_t> numbers;
  for (unsigned lane = 0; lane < lanes; ++lane)
    numbers.push_back(lane);
  auto type = VectorType::get({int64_t(lanes)}, b.getI64Type());
  Value indices = arith::AddIOp::create(
      b, splat(b, first, lanes),
      arith::ConstantOp::create(
          b, DenseElementsAttr::get(type, ArrayRef(numbers))));
  indices = arith::MinSIOp::create(b, indices,
                                   splat(b, b.sub(count, b.i64(1)), lanes));
  SmallVector<Value> arguments;
  SmallVector<const GufuncOperand *> results;
  for (auto [k, operand] : llvm::enumerate(operands)) {
    bool isInput = k < kernel.inputs.size();
    if (!operand.coreStrides.empty()) {
      arguments.push_back(operand.pointer);
      arguments.push_back(offsetsOf(operand, indices));
      arguments.append(operand.coreStrides);
    } else if (!isInput) {
      results.push_back(&operand);
    } else if (hasUniformScalars) {
      arguments.push_back(b.load(operand.element, operand.pointer));
    } else {
      arguments.push_back(load(operand, indices));
    }
  }
  SmallVector<Value> values = b.call(function, arguments);
  for (auto [value, operand] : llvm::zip(values, results))
    store(value, *operand, indices);
  leaveAlone(LLVM::BrOp::create(b, b.add(first, b.i64(lanes)), header));
}

void GufuncLanes::emit(Value count, ArrayRef<GufuncOperand> operands,
                       Block *end) {
  if (uniform) {
    Value strides = b.i64(0);
    for (auto [input, operand] : llvm::zip(kernel.inputs, operands))
      if (input.rank == 0)
        strides = b.bitOr(strides, operand.stride);
    Block *same = b.block(), *different = b.block();
    b.branch(b.compare(Predicate::eq, strides, b.i64(0)), same, different);
    b.at(same);
    loop(uniform, count, operands, end);
    b.at(different);
  }
  loop(plain, count, operands, end);
}
