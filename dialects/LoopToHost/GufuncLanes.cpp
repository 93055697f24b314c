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

std::optional<CoreShapes> kern::ir::loop::constantShapes(KernelOp kernel) {
  auto operands = kernel.getCoreExtents();
  if (!operands || kernel.getNumDims() != 0)
    return std::nullopt;
  CoreShapes shapes;
  for (Attribute operand : *operands) {
    SmallVector<int64_t> &shape = shapes.emplace_back();
    for (Attribute dimension : cast<ArrayAttr>(operand)) {
      auto tokens = cast<ArrayAttr>(dimension);
      int64_t extent = 0;
      if (tokens.size() != 1 ||
          cast<StringAttr>(tokens[0]).getValue().getAsInteger(10, extent) ||
          extent > INT16_MAX || elementsOf(shape) > INT32_MAX)
        return std::nullopt;
      shape.push_back(extent);
    }
  }
  return shapes;
}

GufuncLanes::GufuncLanes(KernelBuilder &b, const KernelFacts &kernel,
                         LLVM::LLVMFuncOp body, const CoreShapes &shapes,
                         unsigned askedLanes)
    : b(b), kernel(kernel), shapes(shapes), lanes(askedLanes) {
  int64_t elements = 0;
  for (ArrayRef<int64_t> shape : shapes)
    elements += elementsOf(shape);
  // With checks, an element must be able to return on its own.
  if (kernel.hasChecks() || !kernel.slots.empty() ||
      !runsAcrossElements(elements))
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
  SmallVector<Value> arrays; // or numbers
  ArrayRef<BlockArgument> arguments = body.getArguments();
  auto pass = [&](ArrayRef<int64_t> shape, bool isUniform) {
    unsigned count = unsigned(shape.size()) + 1; // an array and its strides
    arrays.push_back(arguments.front());
    for (Value argument : arguments.take_front(count))
      if (isUniform)
        uniformArguments.insert(argument);
    arguments = arguments.drop_front(count);
  };
  for (size_t k = 0; k < kernel.inputs.size(); ++k)
    pass(shapes[k], !shapes[k].empty() || hasUniformScalars);
  // Results that are scalars are returned.
  for (ArrayRef<int64_t> shape :
       ArrayRef(shapes).drop_front(kernel.inputs.size()))
    if (shape.empty())
      arrays.emplace_back();
    else
      pass(shape, true);
  VectorBody vectors(body, uniformArguments);
  if (!vectors.obstacle().empty())
    return {};
  if (!lanes)
    lanes = laneShape(vectors.facts()).lanes;
  llvm::DenseSet<Value> onlyRead = arraysOnlyRead(body), inVectors;
  written.clear();
  for (auto [array, shape] : llvm::zip(arrays, shapes)) {
    written.push_back(!onlyRead.contains(array));
    if (isInVectors(shape))
      inVectors.insert(array);
  }
  return vectors.emit(
      b, kernel.symbol + (hasUniformScalars ? "__uniform" : "__lanes"), lanes,
      inVectors);
}

bool GufuncLanes::isInVectors(ArrayRef<int64_t> shape) const {
  return !shape.empty() && passesInVectors(elementsOf(shape), lanes);
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
  LaneTransfer transfer(b, lanes, first, count);
  SmallVector<Value> arguments;
  SmallVector<size_t> results, arrays;
  for (auto [k, operand] : llvm::enumerate(operands)) {
    ArrayRef<int64_t> shape = shapes[k];
    if (isInVectors(shape)) {
      arrays.push_back(k);
      arguments.push_back(places[k]);
      transfer.fill(places[k], operand, shape);
      for (int64_t stride : denseStrides(operand.element, shape))
        arguments.push_back(b.i64(stride));
    } else if (!shape.empty()) {
      arguments.push_back(operand.pointer);
      arguments.push_back(transfer.offsetsOf(operand));
      arguments.append(operand.coreStrides);
    } else if (k >= kernel.inputs.size()) {
      results.push_back(k);
    } else if (hasUniformScalars) {
      arguments.push_back(b.load(operand.element, operand.pointer));
    } else {
      arguments.push_back(transfer.loadNumber(operand));
    }
  }
  SmallVector<Value> values = b.call(function, arguments);
  for (size_t k : arrays)
    if (written[k])
      transfer.drain(places[k], operands[k], shapes[k]);
  for (auto [value, k] : llvm::zip(values, results))
    transfer.storeNumber(value, operands[k]);
  leaveAlone(LLVM::BrOp::create(b, b.add(first, b.i64(lanes)), header));
}

void GufuncLanes::emit(Value count, ArrayRef<GufuncOperand> operands,
                       Block *end) {
  for (auto [operand, shape] : llvm::zip(operands, shapes))
    places.push_back(isInVectors(shape)
                         ? LaneTransfer::place(b, operand.element, shape, lanes)
                         : Value());
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
