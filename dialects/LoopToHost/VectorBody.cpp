//===- VectorBody.cpp - bodies in vectors across elements -----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/VectorBody.h"

#include "dialects/LoopToHost/Forms.h"
#include "dialects/LoopToHost/IntegerRanges.h"
#include "dialects/LoopToHost/LaneControl.h"
#include "dialects/LoopToHost/LaneSteps.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace kern::ir::loop;

/// Longer bodies would take long to compile.
static constexpr size_t maxBlocks = 400;

llvm::DenseSet<Value> kern::ir::loop::arraysOnlyRead(LLVM::LLVMFuncOp body) {
  llvm::DenseSet<Value> arrays;
  for (Value argument : body.getArguments())
    if (isa<LLVM::LLVMPointerType>(argument.getType()))
      arrays.insert(argument);
  body.walk([&](Operation *op) {
    if (auto store = dyn_cast<LLVM::StoreOp>(op))
      arrays.erase(operandOf(store.getAddr()));
    else if (auto zeroes = dyn_cast<LLVM::MemsetOp>(op))
      arrays.erase(operandOf(zeroes.getDst()));
  });
  return arrays;
}

/// What nothing uses is no reason for fewer lanes.
static void eraseUnused(LLVM::LLVMFuncOp body) {
  for (Block &block : llvm::reverse(body.getBody()))
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
      if (isOpTriviallyDead(&op))
        op.erase();
}

VectorBody::VectorBody(LLVM::LLVMFuncOp body,
                       const llvm::DenseSet<Value> &uniform, Value counter)
    : body(body), graph(body.getBody()), uniform(uniform), counter(counter) {
  eraseUnused(body);
  why = findObstacle();
  if (!why.empty())
    return;
  llvm::DenseSet<Value> unchanged;
  if (counter)
    unchanged = arraysOnlyRead(body);
  divergence.emplace(body.getBody(), graph, uniform, unchanged);
  if (narrowIntegers(body, [&](Value value) {
        Operation *op = value.getDefiningOp();
        if (op && isWidenedToCompare(*op))
          return false;
        // Lanes leave a loop with different values of what is uniform inside.
        return isInVectors(value, value.getParentBlock()) ||
               llvm::any_of(value.getUsers(), [&](Operation *user) {
                 return isInVectors(value, user->getBlock());
               });
      }))
    divergence.emplace(body.getBody(), graph, uniform, unchanged);
  if (dividesAlone())
    why = "divides integers of 64 bits in a loop that elements leave at "
          "different times";
}

/// CPUs have no vectors for such a division. Each lane would go on with it
/// until the last one is done.
bool VectorBody::dividesAlone() {
  for (const auto &level : graph.all())
    for (const auto &node : level->nodes)
      for (Operation &op : *node->block)
        if (level->isLoop() && !node->loop &&
            divergence->isDivergent(level.get()) &&
            isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(
                op) &&
            op.getResult(0).getType().isInteger(64) &&
            varies(op.getResult(0), node->block) &&
            !matchPattern(op.getOperand(1), m_Constant()))
          return true;
  return false;
}

std::string VectorBody::findObstacle() {
  if (!graph.isReducible())
    return "has a loop with several entries";
  if (body.getBody().getBlocks().size() > maxBlocks)
    return "has more than " + std::to_string(maxBlocks) + " blocks";
  for (Value argument : body.getArguments())
    if (isa<VectorType>(argument.getType()))
      return "computes with complex numbers";
    else if (isa<LLVM::LLVMPointerType>(argument.getType()) &&
             !uniform.contains(argument))
      return "has an array whose size is known at the call";
  for (Block &block : body.getBody())
    for (Operation &op : block) {
      std::string why = whyNotInLanes(op);
      if (auto array = dyn_cast<LLVM::AllocaOp>(op); array && why.empty())
        why = whyNotInLanes(array, graph);
      if (!why.empty())
        return why;
    }
  return "";
}

/// Whether a value varies otherwise than with the counter.
bool VectorBody::isInVectors(Value value, Block *use) const {
  return varies(value, use) &&
         !(counter && stepAlong(counter, value, [&](Value other) {
             return !varies(other, use);
           }));
}

VectorFacts VectorBody::facts() const {
  VectorFacts facts;
  facts.widest = 1;
  facts.operations = 0;
  facts.hasLoops = graph.all().size() > 1;
  facts.waits = llvm::any_of(graph.all(), [&](const auto &level) {
    return level->isLoop() && divergence->isDivergent(level.get());
  });
  auto see = [&](Value value) {
    if (value.getType().isIntOrFloat() &&
        isInVectors(value, value.getParentBlock()))
      facts.widest = std::max(
          facts.widest, (value.getType().getIntOrFloatBitWidth() + 7) / 8);
  };
  LLVM::LLVMFuncOp function = body; // not const
  for (Block &block : function.getBody()) {
    for (BlockArgument argument : block.getArguments())
      see(argument);
    for (Operation &op : block) {
      facts.operations += !op.hasTrait<OpTrait::ConstantLike>();
      facts.hasCalls |= isFunctionCall(op);
      if (!isWidenedToCompare(op))
        for (Value result : op.getResults())
          see(result);
    }
  }
  return facts;
}

int64_t VectorBody::localBytes() const {
  int64_t bytes = 0;
  LLVM::LLVMFuncOp function = body; // not const
  for (auto array : function.getBody().front().getOps<LLVM::AllocaOp>()) {
    APInt own;
    matchPattern(array.getArraySize(), m_ConstantInt(&own));
    bytes += own.getSExtValue();
  }
  return bytes;
}

LLVM::LLVMFuncOp VectorBody::emit(KernelBuilder &b, StringRef name,
                                  unsigned lanes,
                                  const llvm::DenseSet<Value> &inVectors,
                                  ShortRows shortRows) {
  OpBuilder::InsertionGuard guard(b);
  LaneCode code(b, lanes, graph, *divergence);
  auto vectorsOf = [&](Type type) -> Type {
    auto structure = dyn_cast<LLVM::LLVMStructType>(type);
    if (!structure)
      return isa<LLVM::LLVMVoidType>(type) ? type : code.vectorOf(type);
    SmallVector<Type> fields;
    for (Type field : structure.getBody())
      fields.push_back(code.vectorOf(field));
    return LLVM::LLVMStructType::getLiteral(b.getContext(), fields);
  };
  auto hasOffsets = [&](Value argument) {
    return isa<LLVM::LLVMPointerType>(argument.getType()) && !counter &&
           !inVectors.contains(argument);
  };
  SmallVector<Type> arguments;
  for (Value argument : body.getArguments()) {
    bool isUniform = uniform.contains(argument) || argument == counter;
    arguments.push_back(isUniform ? argument.getType()
                                  : vectorsOf(argument.getType()));
    if (hasOffsets(argument))
      arguments.push_back(code.vectorOf(b.getI64Type()));
  }
  if (shortRows != ShortRows::None)
    arguments.push_back(b.getI64Type());
  Type result = vectorsOf(body.getFunctionType().getReturnType());
  auto function = LLVM::LLVMFuncOp::create(
      b, name, LLVM::LLVMFunctionType::get(result, arguments),
      LLVM::Linkage::Internal);
  function.setAlwaysInline(true);
  function.setPassthroughAttr(body.getPassthroughAttr());
  b.at(function.addEntryBlock(b));
  ArrayRef<BlockArgument> given = function.getArguments();
  Value gap, present;
  if (shortRows == ShortRows::Halves)
    gap = given.back();
  if (shortRows == ShortRows::First)
    present = code.isBelow(given.back());
  for (Value old : body.getArguments()) {
    bool isArray = hasOffsets(old);
    if (old == counter)
      code.setCounter(old, given[0], gap, present);
    else if (isArray)
      code.setArray(old, given[0], given[1]);
    else if (inVectors.contains(old))
      code.setVectors(old, given[0]);
    else
      code.set(old, given[0]);
    given = given.drop_front(isArray ? 2 : 1);
  }
  for (auto [array, stride] : strides)
    code.setSame(array, b.compare(KernelBuilder::Predicate::eq,
                                  code.get(stride), b.i64(0)));
  SmallVector<Value> values =
      LaneControl(b, code, body.getBody(), graph, *divergence).emit();
  if (values.size() < 2) {
    LLVM::ReturnOp::create(b, values);
    return function;
  }
  Value all = LLVM::UndefOp::create(b, result);
  for (auto [i, value] : llvm::enumerate(values))
    all = LLVM::InsertValueOp::create(b, all, value,
                                      ArrayRef<int64_t>{int64_t(i)});
  LLVM::ReturnOp::create(b, all);
  return function;
}
