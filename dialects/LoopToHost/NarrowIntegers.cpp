//===- NarrowIntegers.cpp - integers with fewer bits ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Integers that one operation needs in one type are a class: they have the same
// number of bits before and after. All numbers of a class fit the new type with
// their sign, so sums, products and comparisons are those of the wide type.
//
//===----------------------------------------------------------------------===//

#include "dialects/LoopToHost/IntegerRanges.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/EquivalenceClasses.h"

using namespace mlir;
using namespace kern::ir::loop;

namespace {
class Narrowing {
public:
  Narrowing(LLVM::LLVMFuncOp body, llvm::function_ref<bool(Value)> counts)
      : body(body), counts(counts) {}

  bool run();

private:
  struct Class {
    unsigned bits = 8;   ///< that its numbers need
    bool counts = false; ///< one of its values becomes a vector
    unsigned after = 0;  ///< 0: as before
  };

  void join(Value a, Value b);
  void findClasses();
  /// The bits that the values of each class need, and those of the widest value
  /// that counts.
  void measure();
  void measureOther(Operation &op);
  void keep(Value value);
  void see(Value value);
  Class *classOf(Value value);
  unsigned narrowed(Value value);
  void rewrite();
  void rewrite(Operation &op);
  void narrowConstants(Operation &op);

  LLVM::LLVMFuncOp body;
  llvm::function_ref<bool(Value)> counts;
  IntegerRanges ranges;
  llvm::EquivalenceClasses<const void *> together;
  llvm::DenseMap<const void *, Class> classes; ///< by their leaders
  unsigned widest = 8;
  SmallVector<Operation *> replaced;
};
} // namespace

static bool isInteger(Value value) {
  return value.getType().isInteger() &&
         value.getType().getIntOrFloatBitWidth() > 1;
}

static bool isConstant(Value value) {
  return matchPattern(value, m_Constant());
}

/// Whether an operation's result has the low bits that follow from the low bits
/// of its operands, or its operands are compared as numbers.
static bool isSameInFewerBits(Operation &op) {
  return isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::AndIOp,
             arith::OrIOp, arith::XOrIOp, arith::MaxSIOp, arith::MinSIOp,
             arith::SelectOp, arith::CmpIOp>(op);
}

static bool isResize(Operation &op) {
  return isa<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(op);
}

void Narrowing::join(Value a, Value b) {
  if (isInteger(a) && isInteger(b) && !isConstant(a) && !isConstant(b))
    together.unionSets(a.getAsOpaquePointer(), b.getAsOpaquePointer());
}

void Narrowing::findClasses() {
  for (Block &block : body.getBody()) {
    for (BlockArgument argument : block.getArguments())
      if (isInteger(argument))
        together.insert(argument.getAsOpaquePointer());
    for (Operation &op : block) {
      for (Value result : op.getResults())
        if (isInteger(result) && !isConstant(result))
          together.insert(result.getAsOpaquePointer());
      if (!isSameInFewerBits(op))
        continue;
      SmallVector<Value> all(op.getOperands());
      llvm::append_range(all, op.getResults());
      llvm::erase_if(all, [](Value value) {
        return !isInteger(value) || isConstant(value);
      });
      for (Value value : all)
        join(all.front(), value);
    }
    auto branch = dyn_cast<BranchOpInterface>(block.getTerminator());
    for (unsigned i = 0; branch && i < block.getNumSuccessors(); ++i)
      for (auto [passed, argument] :
           llvm::zip(branch.getSuccessorOperands(i).getForwardedOperands(),
                     block.getSuccessor(i)->getArguments()))
        join(argument, passed);
  }
}

Narrowing::Class *Narrowing::classOf(Value value) {
  if (!isInteger(value) || isConstant(value))
    return nullptr;
  return &classes[together.getLeaderValue(value.getAsOpaquePointer())];
}

/// A value that needs the type that it has.
void Narrowing::keep(Value value) {
  if (Class *own = classOf(value))
    own->bits = 64;
}

static unsigned bitsOf(IntegerRange range) {
  for (unsigned bits : {8u, 16u, 32u})
    if (range.low >= -(int64_t(1) << (bits - 1)) &&
        range.high < int64_t(1) << (bits - 1))
      return bits;
  return 64;
}

void Narrowing::see(Value value) {
  Class *own = classOf(value);
  if (!own) {
    if (value.getType().isIntOrFloat() && !isConstant(value) && counts(value))
      widest = std::max(widest, value.getType().getIntOrFloatBitWidth());
    return;
  }
  std::optional<IntegerRange> range = ranges.of(value);
  own->bits = std::max(own->bits, range ? bitsOf(*range) : 64);
  own->counts |= counts(value);
}

void Narrowing::measureOther(Operation &op) {
  if (isa<BranchOpInterface>(op))
    return;
  if (isSameInFewerBits(op)) {
    // Constants of the class, too.
    for (Value operand : op.getOperands())
      if (isInteger(operand) && isConstant(operand))
        for (Value other : op.getOperands())
          if (Class *own = classOf(other)) {
            std::optional<IntegerRange> range = ranges.of(operand);
            own->bits = std::max(own->bits, range ? bitsOf(*range) : 64);
          }
    return;
  }
  if (isa<arith::ExtSIOp, arith::TruncIOp, arith::SIToFPOp>(op))
    return;
  if (isa<arith::ExtUIOp, arith::UIToFPOp>(op)) {
    std::optional<IntegerRange> range = ranges.of(op.getOperand(0));
    if (!range || range->low < 0)
      keep(op.getOperand(0));
    return;
  }
  for (Value operand : op.getOperands())
    keep(operand);
  for (Value result : op.getResults())
    keep(result);
}

void Narrowing::measure() {
  for (BlockArgument argument : body.getArguments())
    keep(argument);
  for (Block &block : body.getBody()) {
    for (BlockArgument argument : block.getArguments())
      see(argument);
    for (Operation &op : block) {
      measureOther(op);
      for (Value result : op.getResults())
        see(result);
    }
    auto branch = dyn_cast<BranchOpInterface>(block.getTerminator());
    for (unsigned i = 0; branch && i < block.getNumSuccessors(); ++i)
      for (auto [passed, argument] :
           llvm::zip(branch.getSuccessorOperands(i).getForwardedOperands(),
                     block.getSuccessor(i)->getArguments()))
        if (Class *own = classOf(argument); own && isConstant(passed)) {
          std::optional<IntegerRange> range = ranges.of(passed);
          own->bits = std::max(own->bits, range ? bitsOf(*range) : 64);
        }
  }
}

unsigned Narrowing::narrowed(Value value) {
  Class *own = classOf(value);
  return own ? own->after : 0;
}

/// Gives constants that a narrowed class shares with others the new type.
void Narrowing::narrowConstants(Operation &op) {
  auto narrow = [&](OpOperand &operand, unsigned bits) {
    APInt number;
    if (!bits || !isInteger(operand.get()) ||
        !matchPattern(operand.get(), m_ConstantInt(&number)))
      return;
    OpBuilder b(&op);
    Type type = b.getIntegerType(bits);
    operand.set(arith::ConstantOp::create(
        b, op.getLoc(), b.getIntegerAttr(type, number.sextOrTrunc(bits))));
  };
  if (isSameInFewerBits(op)) {
    unsigned bits = 0;
    for (Value operand : op.getOperands())
      bits = std::max(bits, narrowed(operand));
    for (Value result : op.getResults())
      bits = std::max(bits, narrowed(result));
    for (OpOperand &operand : op.getOpOperands())
      narrow(operand, bits);
  }
  auto branch = dyn_cast<BranchOpInterface>(op);
  for (unsigned i = 0; branch && i < op.getNumSuccessors(); ++i) {
    MutableOperandRange passed =
        branch.getSuccessorOperands(i).getMutableForwardedOperands();
    for (auto [k, argument] :
         llvm::enumerate(op.getSuccessor(i)->getArguments()))
      narrow(passed[k], narrowed(argument));
  }
}

/// Types are new by now. A resize is between the new types, and takes the
/// number with its sign, unless what it takes was not narrowed.
void Narrowing::rewrite(Operation &op) {
  bool isToFloat = isa<arith::UIToFPOp>(op);
  if (!isToFloat && !isResize(op))
    return;
  Value from = op.getOperand(0), old = op.getResult(0), made = from;
  if (!narrowed(from) && (isToFloat || !narrowed(old)))
    return;
  OpBuilder b(&op);
  Location at = op.getLoc();
  Type type = old.getType();
  unsigned before = from.getType().getIntOrFloatBitWidth();
  unsigned after = type.getIntOrFloatBitWidth();
  if (isToFloat)
    made = arith::SIToFPOp::create(b, at, type, from);
  else if (before > after)
    made = arith::TruncIOp::create(b, at, type, from);
  else if (before < after && isa<arith::ExtUIOp>(op) && !narrowed(from))
    made = arith::ExtUIOp::create(b, at, type, from);
  else if (before < after)
    made = arith::ExtSIOp::create(b, at, type, from);
  if (made != from && isInteger(old))
    together.unionSets(old.getAsOpaquePointer(), made.getAsOpaquePointer());
  old.replaceAllUsesWith(made);
  replaced.push_back(&op); // its place in memory must not be another value's
}

void Narrowing::rewrite() {
  for (Block &block : body.getBody())
    for (Operation &op : llvm::make_early_inc_range(block))
      narrowConstants(op);
  SmallVector<std::pair<Value, unsigned>> changed;
  auto see = [&](Value value) {
    if (unsigned bits = narrowed(value))
      changed.push_back({value, bits});
  };
  for (Block &block : body.getBody()) {
    for (BlockArgument argument : block.getArguments())
      see(argument);
    for (Operation &op : block)
      for (Value result : op.getResults())
        see(result);
  }
  for (auto [value, bits] : changed) {
    value.setType(IntegerType::get(value.getContext(), bits));
    if (Operation *op = value.getDefiningOp();
        op && isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
      op->setAttr("overflowFlags",
                  arith::IntegerOverflowFlagsAttr::get(
                      value.getContext(), arith::IntegerOverflowFlags::none));
  }
  for (Block &block : body.getBody())
    for (Operation &op : llvm::make_early_inc_range(block))
      rewrite(op);
  for (Operation *op : replaced)
    op->erase();
}

bool Narrowing::run() {
  findClasses();
  measure();
  for (auto &[leader, own] : classes) {
    unsigned before =
        Value::getFromOpaquePointer(leader).getType().getIntOrFloatBitWidth();
    own.bits = std::min(own.bits, before);
    if (own.counts)
      widest = std::max(widest, own.bits);
  }
  bool changes = false;
  for (auto &[leader, own] : classes) {
    unsigned before =
        Value::getFromOpaquePointer(leader).getType().getIntOrFloatBitWidth();
    if (unsigned bits = std::max(own.bits, widest); own.counts && bits < before)
      own.after = bits;
    changes |= own.after != 0;
  }
  if (changes)
    rewrite();
  return changes;
}

bool kern::ir::loop::narrowIntegers(LLVM::LLVMFuncOp body,
                                    llvm::function_ref<bool(Value)> counts) {
  return Narrowing(body, counts).run();
}
