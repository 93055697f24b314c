//===- WholeByRunning.cpp - runs kernels of constants to see stores -------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopMappings/StagePlan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace kern::ir::loop;

/// Takes some milliseconds.
static constexpr unsigned mostSteps = 100'000;

namespace {

/// Runs a kernel as far as it follows from constants.
class Writes {
public:
  Writes(KernelOp kernel, ArrayRef<Staging> arrays);
  bool run(Region &region);
  bool isWhole(const Staging &staging) const;

private:
  std::optional<int64_t> valueOf(Value value) const;
  SmallVector<Attribute> known(ValueRange list) const;
  void set(Value value, Attribute attribute);
  void compute(Operation &op);
  void store(StoreOp op);
  bool iterate(ParallelOp op, unsigned d);
  /// Where a block goes on; null at the end of its region. False if it cannot
  /// be told.
  bool next(Operation *terminator, Block *&block);

  KernelOp kernel;
  PostDominanceInfo postDominance;
  llvm::DenseMap<Value, Attribute> values; ///< those that are known
  struct Written {
    SmallVector<int64_t> extents;
    llvm::BitVector elements;
  };
  llvm::DenseMap<Value, Written> written;
  unsigned steps = 0;
};

} // namespace

Writes::Writes(KernelOp kernel, ArrayRef<Staging> arrays)
    : kernel(kernel), postDominance(kernel) {
  for (const Staging &staging : arrays) {
    std::optional<uint64_t> count = constantCount(staging.extents);
    if (!staging.isWritten || !count || *count > mostSteps)
      continue;
    Written &each = written[staging.array];
    for (const DimTokens &extent : staging.extents)
      each.extents.push_back(extent[0].value);
    each.elements.resize(unsigned(*count));
  }
}

bool Writes::isWhole(const Staging &staging) const {
  auto found = written.find(staging.array);
  return found != written.end() && found->second.elements.all();
}

std::optional<int64_t> Writes::valueOf(Value value) const {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  auto number = dyn_cast_or_null<IntegerAttr>(values.lookup(value));
  return number ? std::optional(number.getValue().getSExtValue())
                : std::nullopt;
}

/// The values that are known, and null for others.
SmallVector<Attribute> Writes::known(ValueRange list) const {
  SmallVector<Attribute> found;
  for (Value value : list) {
    Attribute constant = values.lookup(value);
    if (!constant)
      matchPattern(value, m_Constant(&constant));
    found.push_back(constant);
  }
  return found;
}

void Writes::set(Value value, Attribute attribute) {
  if (attribute)
    values[value] = attribute;
  else
    values.erase(value);
}

void Writes::compute(Operation &op) {
  SmallVector<OpFoldResult> results;
  if (isa<arith::ArithDialect>(op.getDialect())) {
    // Without results, an operation was changed to another form of the same, as
    // this one must not be.
    Operation *copy = op.clone();
    while (succeeded(copy->fold(known(copy->getOperands()), results)) &&
           results.empty()) {
    }
    copy->erase();
  }
  const bool isFolded = results.size() == op.getNumResults();
  for (auto [i, result] : llvm::enumerate(op.getResults())) {
    Attribute found;
    if (isFolded) {
      found = dyn_cast<Attribute>(results[i]);
      if (!found)
        found = values.lookup(cast<Value>(results[i]));
    }
    set(result, found);
  }
}

void Writes::store(StoreOp op) {
  auto found = written.find(op.getArray());
  if (found == written.end())
    return;
  int64_t number = 0;
  for (auto [index, extent] :
       llvm::zip(op.getIndices(), found->second.extents)) {
    std::optional<int64_t> at = valueOf(index);
    if (!at || *at < 0 || *at >= extent)
      return;
    number = number * extent + *at;
  }
  found->second.elements.set(unsigned(number));
}

bool Writes::iterate(ParallelOp op, unsigned d) {
  if (d == op.getLower().size())
    return run(op.getBody());
  std::optional<int64_t> low = valueOf(op.getLower()[d]),
                         high = valueOf(op.getUpper()[d]),
                         step = valueOf(op.getStep()[d]);
  if (!low || !high || step != 1)
    return true; // what it may write does not count
  for (int64_t i = *low; i < *high; ++i) {
    set(op.entry().getArgument(d),
        IntegerAttr::get(IntegerType::get(op.getContext(), 64), i));
    if (!iterate(op, d + 1))
      return false;
  }
  return true;
}

bool Writes::next(Operation *terminator, Block *&block) {
  auto enter = [&](Block *to, ValueRange operands) {
    SmallVector<Attribute> given = known(operands);
    for (auto [argument, attribute] : llvm::zip(to->getArguments(), given))
      set(argument, attribute);
    block = to;
  };
  if (auto branch = dyn_cast<cf::BranchOp>(terminator)) {
    enter(branch.getDest(), branch.getDestOperands());
    return true;
  }
  if (auto branch = dyn_cast<cf::CondBranchOp>(terminator)) {
    if (std::optional<int64_t> condition = valueOf(branch.getCondition())) {
      if (*condition)
        enter(branch.getTrueDest(), branch.getTrueDestOperands());
      else
        enter(branch.getFalseDest(), branch.getFalseDestOperands());
      return true;
    }
    // It goes on where both ways meet.
    auto *node = postDominance.getNode(terminator->getBlock());
    block = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    if (!block)
      return false;
    for (Value argument : block->getArguments())
      values.erase(argument);
    return true;
  }
  block = nullptr;
  return isa<ReturnOp, YieldOp>(terminator);
}

bool Writes::run(Region &region) {
  for (Block *block = &region.front(); block;) {
    for (Operation &op : block->without_terminator()) {
      if (++steps > mostSteps)
        return false;
      if (auto parallel = dyn_cast<ParallelOp>(op)) {
        if (!iterate(parallel, 0))
          return false;
      } else if (auto write = dyn_cast<StoreOp>(op)) {
        store(write);
      } else {
        compute(op);
      }
    }
    if (++steps > mostSteps || !next(block->getTerminator(), block))
      return false;
  }
  return true;
}

std::vector<bool> kern::ir::loop::areWrittenWhole(KernelOp kernel,
                                                  ArrayRef<Staging> arrays) {
  Writes writes(kernel, arrays);
  const bool isKnown = writes.run(kernel.getBody());
  std::vector<bool> list;
  for (const Staging &staging : arrays)
    list.push_back(isKnown && writes.isWhole(staging));
  return list;
}
