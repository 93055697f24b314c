//===- Elementwise.cpp - gufuncs that are ufuncs --------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopMappings/Elementwise.h"

#include "dialects/LoopMappings/Affine.h"
#include "dialects/LoopToLLVM/Extents.h"
#include "dialects/LoopToLLVM/GroupSharing.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace kern::ir::loop;
using Access = kern::runtime::Nest::Access;

namespace {

/// A flattened kernel as a ufunc.
class Elementwise {
public:
  explicit Elementwise(KernelOp kernel) : kernel(kernel) {}

  /// False if the kernel is not elementwise.
  bool find();
  std::vector<Access> accesses() const;
  void make();

private:
  /// An input of the ufunc: elements of an array, or a parameter without core
  /// dimensions.
  struct Input {
    Access access;
    SmallVector<Value> values; ///< of the kernel, which it replaces
  };
  struct Output {
    Access access;
    StoreOp store;
  };

  std::optional<Access> accessOf(Operation *op, ValueRange indices);
  bool addInput(Value value, Access access);
  bool addLoad(LoadOp load);
  /// Adds what a stored value is computed from.
  bool addOperands(Value value);

  KernelOp kernel;
  SmallVector<Input> inputs;
  SmallVector<Output> outputs; ///< in the order of the kernel's
  llvm::SetVector<Operation *> work;
};

} // namespace

/// A kernel with more operands would run out of words and registers.
static constexpr size_t maxOperands = 24;

std::optional<Access> Elementwise::accessOf(Operation *op, ValueRange indices) {
  std::optional<unsigned> operand = operandOf(kernel, accessedArray(op));
  if (!operand)
    return std::nullopt;
  Access access;
  access.operand = *operand;
  access.isWrite = isa<StoreOp>(op);
  access.steps.resize(kernel.numFlat());
  for (Value index : indices) {
    auto steps = stepsOf(kernel, index, Value(), 0);
    auto start = dimExpression(kernel, index);
    if (!steps || !start)
      return std::nullopt;
    for (size_t i = 0; i < access.steps.size(); ++i)
      access.steps[i].push_back((*steps)[i]);
    access.start.push_back({{start->begin(), start->end()}});
  }
  return access;
}

bool Elementwise::addInput(Value value, Access access) {
  for (Input &input : inputs)
    if (input.access == access) {
      input.values.push_back(value);
      return true;
    }
  inputs.push_back({std::move(access), {value}});
  return inputs.size() + outputs.size() <= maxOperands;
}

bool Elementwise::addLoad(LoadOp load) {
  std::optional<Access> access = accessOf(load, load.getIndices());
  if (!access)
    return false;
  // An array that is also written must be read at the same place, and earlier.
  for (Output &output : outputs)
    if (output.store.getArray() == load.getArray()) {
      Access other = output.access;
      other.isWrite = false;
      if (!(other == *access) || output.store->isBeforeInBlock(load))
        return false;
    }
  return addInput(load.getResult(), std::move(*access));
}

bool Elementwise::addOperands(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op) {
    // Dimensions and indices are not operands of a ufunc.
    auto inputs = kernel.inputs();
    auto *found = llvm::find(inputs, value);
    if (found == inputs.end())
      return false;
    Access access;
    access.operand = unsigned(found - inputs.begin());
    access.steps.resize(kernel.numFlat());
    return addInput(value, std::move(access));
  }
  if (work.contains(op))
    return true;
  if (auto load = dyn_cast<LoadOp>(op)) {
    work.insert(op);
    return addLoad(load);
  }
  if (op->getNumRegions() || !isMemoryEffectFree(op))
    return false;
  for (Value operand : op->getOperands())
    if (!addOperands(operand))
      return false;
  work.insert(op);
  return true;
}

bool Elementwise::find() {
  if (!kernel.getBody().hasOneBlock())
    return false;
  for (BlockArgument array : kernel.arrayOutputs()) {
    StoreOp store;
    for (Operation *user : array.getUsers())
      if (auto other = dyn_cast<StoreOp>(user)) {
        if (store || other->getBlock() != &kernel.entry())
          return false;
        store = other;
      }
    if (!store)
      return false;
    auto access = accessOf(store, store.getIndices());
    if (!access)
      return false;
    outputs.push_back({std::move(*access), store});
  }
  for (Operation &op : kernel.entry()) {
    bool isOutput = llvm::any_of(
        outputs, [&](const Output &output) { return output.store == &op; });
    // An inout parameter is written, too; it is not an output.
    if (op.getNumRegions() ||
        (!isOutput && !isa<LoadOp, ReturnOp>(op) && !isMemoryEffectFree(&op)))
      return false;
  }
  for (Output &output : outputs)
    if (!addOperands(output.store.getValue()))
      return false;
  return !outputs.empty();
}

std::vector<Access> Elementwise::accesses() const {
  std::vector<Access> list;
  for (const Input &input : inputs)
    list.push_back(input.access);
  for (const Output &output : outputs)
    list.push_back(output.access);
  return list;
}

void Elementwise::make() {
  OpBuilder b(kernel);
  SmallVector<Type> types;
  for (Output &output : outputs)
    types.push_back(output.store.getValue().getType());
  auto ufunc = KernelOp::create(
      b, kernel.getLoc(), kernel.getSymName(), KernelKind::Ufunc, inputs.size(),
      /*num_dims=*/0, SmallVector<int64_t>(outputs.size(), 0),
      b.getTypeArrayAttr(types), /*dim_names=*/ArrayAttr(),
      /*shared_extents=*/ArrayAttr(), kernel.getNonemptyAttr(),
      kernel.getLeastExtentsAttr(),
      /*checks=*/ArrayAttr(), /*core_extents=*/ArrayAttr(),
      /*flat_extents=*/ArrayAttr(), /*launches=*/IntegerAttr(),
      /*sliced_launches=*/IntegerAttr(), /*cooperative=*/false, /*ahead=*/false,
      /*across=*/false,
      /*resident=*/IntegerAttr());
  ufunc->setAttr(flattenedAttribute, b.getUnitAttr());
  if (Attribute phase = kernel->getAttr(phaseAttribute))
    ufunc->setAttr(phaseAttribute, phase);
  Block *entry = b.createBlock(&ufunc.getBody());
  IRMapping map;
  for (Input &input : inputs) {
    Value value =
        entry->addArgument(input.values.front().getType(), kernel.getLoc());
    for (Value old : input.values)
      map.map(old, value);
  }
  for (Operation *op : work)
    if (!isa<LoadOp>(op))
      b.clone(*op, map);
  SmallVector<Value> results;
  for (Output &output : outputs)
    results.push_back(map.lookup(output.store.getValue()));
  ReturnOp::create(b, kernel.getLoc(), results);
  kernel.erase();
}

std::optional<std::vector<Access>>
kern::ir::loop::elementwiseAccesses(KernelOp flattened) {
  Elementwise ufunc(flattened);
  if (!ufunc.find())
    return std::nullopt;
  return ufunc.accesses();
}

void kern::ir::loop::makeUfunc(KernelOp flattened) {
  Elementwise ufunc(flattened);
  bool isUfunc = ufunc.find();
  assert(isUfunc && "the kernel computes no elements from elements");
  (void)isUfunc;
  ufunc.make();
}
