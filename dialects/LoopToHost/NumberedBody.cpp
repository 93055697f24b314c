//===- NumberedBody.cpp - a loop element as an iteration ------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/NumberedBody.h"

#include "dialects/LoopToHost/IterationLanes.h"
#include "dialects/LoopToHost/LaneSteps.h"

using namespace mlir;
using namespace kern::ir::loop;

/// The number that a body returns as its i-th of so many.
static Value resultOf(LLVM::ReturnOp end, size_t i, size_t count) {
  Value value = end.getOperand(0);
  if (count == 1)
    return value;
  auto field = value.getDefiningOp<LLVM::InsertValueOp>();
  while (field.getPosition().front() != int64_t(i))
    field = field.getContainer().getDefiningOp<LLVM::InsertValueOp>();
  return field.getValue();
}

NumberedBody::NumberedBody(KernelBuilder &b, const KernelFacts &kernel,
                           LLVM::LLVMFuncOp body)
    : body(body) {
  OpBuilder::InsertionGuard guard(b);
  Block *entry = &body.getBody().front();
  Value number = entry->insertArgument(0u, b.getI64Type(), b.getLoc());
  b.setInsertionPointToStart(entry);
  unsigned at = 1;
  auto placeIn = [&](Value array, Type element) {
    return b.offset(array, b.mul(number, b.i64(storedSize(element))));
  };
  auto passArray = [&](const OperandFacts &operand) {
    BlockArgument array = entry->getArgument(at);
    Value place = placeIn(array, operand.element);
    array.replaceAllUsesExcept(place, place.getDefiningOp());
    at += 1 + operand.rank;
    return array;
  };
  for (const OperandFacts &input : kernel.inputs) {
    if (input.rank) {
      BlockArgument array = passArray(input);
      strides.push_back(
          {array, entry->insertArgument(at++, b.getI64Type(), b.getLoc())});
      continue;
    }
    BlockArgument scalar = entry->getArgument(at);
    Value array = entry->insertArgument(at++, b.pointerType(), b.getLoc());
    numbers.push_back({array, storedSize(input.element)});
    scalar.replaceAllUsesWith(
        b.load(input.element, placeIn(array, input.element)));
    entry->eraseArgument(at);
  }
  SmallVector<Value> places;
  for (const OperandFacts &output : kernel.outputs)
    if (output.rank) {
      results.push_back({passArray(output), storedSize(output.element)});
      written.insert(results.back().first);
    } else {
      Value array = entry->insertArgument(at++, b.pointerType(), b.getLoc());
      results.push_back({array, storedSize(output.element)});
      places.push_back(placeIn(array, output.element));
    }
  SmallVector<LLVM::ReturnOp> ends;
  for (Block &block : body.getBody())
    if (auto end = dyn_cast<LLVM::ReturnOp>(block.getTerminator()))
      ends.push_back(end);
  for (LLVM::ReturnOp end : ends) {
    b.setInsertionPoint(end);
    for (auto [i, place] : llvm::enumerate(places))
      b.store(resultOf(end, i, places.size()), place);
    b.ret();
    end.erase();
  }
  body.setFunctionType(LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(b.getContext()),
      SmallVector<Type>(entry->getArgumentTypes())));
  for (Value slot : body.getArguments().take_back(kernel.slots.size()))
    slots.insert(slot);
}

llvm::DenseSet<Value> NumberedBody::allButTheNumber() const {
  llvm::DenseSet<Value> uniform;
  for (Value argument : LLVM::LLVMFuncOp(body).getArguments().drop_front())
    uniform.insert(argument);
  return uniform;
}

bool NumberedBody::isSideBySide(const VectorBody &vectors) const {
  LLVM::LLVMFuncOp function = body; // not const
  llvm::DenseMap<Value, unsigned> sizes;
  for (Block &block : function.getBody())
    for (Operation &op : block) {
      Value address;
      Type type;
      if (auto load = dyn_cast<LLVM::LoadOp>(op)) {
        address = load.getAddr();
        type = load.getType();
      } else if (auto store = dyn_cast<LLVM::StoreOp>(op)) {
        address = store.getAddr();
        type = store.getValue().getType();
      } else if (auto zeroes = dyn_cast<LLVM::MemsetOp>(op)) {
        address = zeroes.getDst();
      }
      if (!address || localArrayOf(address))
        continue;
      if (!type || !type.isIntOrFloat())
        return false;
      unsigned size = storedSize(type);
      if (Value slot = operandOf(address); slots.contains(slot)) {
        if (sizes.try_emplace(slot, size).first->second != size)
          return false;
        continue;
      }
      auto step =
          addressStep(function.getArgument(0), address, [&](Value value) {
            return !vectors.varies(value, &block);
          });
      if (!step || (*step != 0 && *step != size))
        return false;
    }
  return true;
}

bool NumberedBody::changesWhatItReads() const {
  llvm::DenseSet<Value> onlyRead = arraysOnlyRead(body);
  for (auto [array, stride] : strides)
    if (!onlyRead.contains(array))
      return true;
  LLVM::LLVMFuncOp function = body; // not const
  return llvm::any_of(function.getBody().getOps<LLVM::LoadOp>(),
                      [&](LLVM::LoadOp load) {
                        return written.contains(operandOf(load.getAddr()));
                      });
}

void NumberedBody::shareInputs(VectorBody &vectors) const {
  if (strides.size() < 2)
    return; // an array that is all alone lies across
  for (auto [array, stride] : strides)
    vectors.shareWhereZero(array, stride);
}
