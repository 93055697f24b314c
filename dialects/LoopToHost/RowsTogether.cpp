//===- RowsTogether.cpp - rows that are added up together -----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/RowsTogether.h"

#include "dialects/LoopToHost/CountedLoop.h"
#include "dialects/LoopToHost/VectorLoops.h"
#include "dialects/LoopToLLVM/LoopLowering.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace kern::ir::loop;
using Predicate = KernelBuilder::Predicate;

static constexpr int64_t rowsTogether = 4;

namespace {
/// A prange, and the loop inside that adds up a row.
struct Rows {
  CountedLoop rows, row;
  static std::optional<Rows> of(Operation *latch);
  void runTogether(KernelBuilder &b) const;

private:
  Block *before() const { return rows.body; }
  Block *after() const { return row.exit; }
  void copy(KernelBuilder &b, Block *block, IRMapping &values) const {
    for (Operation &op : block->without_terminator())
      b.clone(op, values);
  }
};
} // namespace

/// Whether a loop is of the kind that vectoriseLoops() puts in vectors.
static bool isMarked(Operation *latch, bool isParallel) {
  auto mark = latch->getAttrOfType<BoolAttr>(vectorLatch);
  return mark && mark.getValue() == isParallel;
}

/// Whether iterations compute a product of floats that is the same for all
/// rows. Of rows together several sums would take it, and LLVM's code generator
/// adds at once what only one sum takes.
static bool hasProductForAll(const CountedLoop &rows, const CountedLoop &row) {
  llvm::DenseSet<Value> ownOfRow{rows.counter()};
  bool isThere = false;
  for (Block *block : {rows.body, row.body})
    for (Operation &op : *block) {
      bool isOwn = llvm::any_of(op.getOperands(), [&](Value value) {
        return ownOfRow.contains(value);
      });
      if (isOwn)
        ownOfRow.insert_range(op.getResults());
      isThere |= !isOwn && isa<arith::MulFOp>(op);
    }
  return isThere;
}

std::optional<Rows> Rows::of(Operation *latch) {
  std::optional<CountedLoop> rows = CountedLoop::of(latch);
  if (!rows || !isMarked(latch, /*isParallel=*/true) ||
      rows->blocks.size() != 5 || rows->header->getNumArguments() != 1 ||
      !rows->isOutside(rows->trips) || !llvm::hasNItems(*rows->header, 2))
    return std::nullopt;
  auto enter = dyn_cast<cf::BranchOp>(rows->body->getTerminator());
  if (!enter || !rows->contains(enter.getDest()))
    return std::nullopt;
  for (Block *block : rows->blocks) {
    std::optional<CountedLoop> row = CountedLoop::of(block->getTerminator());
    if (!row || row->header != enter.getDest() ||
        !isMarked(row->latch, /*isParallel=*/false) ||
        row->blocks.size() != 2 || row->body != row->latch->getBlock() ||
        row->exit != latch->getBlock() || row->header->getNumArguments() != 2 ||
        !llvm::hasNItems(*row->header, 2) || !rows->isInvariant(row->trips) ||
        !loopShape(row->latch, /*isParallel=*/false) ||
        hasProductForAll(*rows, *row))
      continue;
    bool onlyReads = llvm::all_of(*row->body, [](Operation &op) {
      return isa<LLVM::LoadOp, cf::BranchOp>(op) || isPure(&op);
    });
    if (onlyReads && llvm::all_of(*rows->body, [](Operation &op) {
          return isa<LLVM::LoadOp, cf::BranchOp>(op) || isPure(&op);
        }))
      return Rows{*rows, *row};
  }
  return std::nullopt;
}

void Rows::runTogether(KernelBuilder &b) const {
  OpBuilder::InsertionGuard guard(b);
  auto newBlock = [&](TypeRange arguments) {
    return b.createBlock(rows.header, arguments,
                         SmallVector<Location>(arguments.size(), b.getLoc()));
  };
  Type index = b.getI64Type(), element = row.header->getArgument(1).getType();
  SmallVector<Type> carried(1 + rowsTogether, element);
  carried.front() = index;
  Block *header = newBlock(index), *start = newBlock({}),
        *rowHeader = newBlock(carried), *rowBody = newBlock({}),
        *end = newBlock({});
  for (Block *block : llvm::to_vector(rows.header->getPredecessors()))
    if (!rows.contains(block))
      for (auto [i, next] : llvm::enumerate(block->getSuccessors()))
        if (next == rows.header)
          block->getTerminator()->setSuccessor(header, unsigned(i));

  b.at(header);
  Value first = header->getArgument(0);
  Value later = b.add(first, b.i64(rowsTogether));
  cf::CondBranchOp::create(b, b.compare(Predicate::sle, later, rows.trips),
                           start, ValueRange(), rows.header, first);
  b.at(start);
  SmallVector<IRMapping> values(rowsTogether);
  auto enter = cast<cf::BranchOp>(before()->getTerminator());
  SmallVector<Value> initial;
  for (auto [i, own] : llvm::enumerate(values)) {
    own.map(rows.counter(), b.add(first, b.i64(int64_t(i))));
    copy(b, before(), own);
    for (Value value : enter.getDestOperands().drop_front(i > 0))
      initial.push_back(own.lookupOrDefault(value));
  }
  cf::BranchOp::create(b, rowHeader, initial);

  b.at(rowHeader);
  for (auto [i, own] : llvm::enumerate(values)) {
    own.map(row.counter(), rowHeader->getArgument(0));
    own.map(row.header->getArgument(1), rowHeader->getArgument(1 + i));
  }
  Value isMore = b.compare(Predicate::slt, rowHeader->getArgument(0),
                           values[0].lookupOrDefault(row.trips));
  cf::CondBranchOp::create(b, isMore, rowBody, end);
  b.at(rowBody);
  SmallVector<Value> next;
  for (auto [i, own] : llvm::enumerate(values)) {
    copy(b, row.body, own);
    for (Value value : row.latch->getOperands().drop_front(i > 0))
      next.push_back(own.lookupOrDefault(value));
  }
  cf::BranchOp::create(b, rowHeader, next)
      ->setAttr(vectorLatch, row.latch->getAttr(vectorLatch));
  b.at(end);
  for (IRMapping &own : values)
    copy(b, after(), own);
  cf::BranchOp::create(b, header, later);
}

bool kern::ir::loop::addUpRowsTogether(KernelBuilder &b,
                                       LLVM::LLVMFuncOp body) {
  SmallVector<Rows> all;
  for (Block &block : body.getBody())
    if (std::optional<Rows> rows = Rows::of(block.getTerminator()))
      all.push_back(*rows);
  for (const Rows &rows : all)
    rows.runTogether(b);
  return !all.empty();
}
