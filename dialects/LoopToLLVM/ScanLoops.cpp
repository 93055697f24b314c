//===- ScanLoops.cpp - loops over what is scanned ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/ScanLoops.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace kern::ir::loop;

auto ScanLoops::inOrder(Value count) -> Element {
  Block *header = newBlock(1), *body = newBlock(0);
  SmallVector<Value> start = {constant(0)};
  for (Value value : op.getInitial()) {
    header->addArgument(value.getType(), op.getLoc());
    start.push_back(value);
  }
  cf::BranchOp::create(b, header, start);
  b.setInsertionPointToEnd(header);
  Value k = header->getArgument(0);
  Element sum(header->getArguments().drop_front());
  cf::CondBranchOp::create(b, compare(Predicate::slt, k, count), body, after);
  b.setInsertionPointToEnd(body);
  Element element = emit(op.getElements(), indexAt(k));
  Element next;
  if (matchPattern(op.getHasInitial(), m_One())) {
    next = combine(sum, element);
  } else {
    // The first element is taken as it is.
    Block *join = newBlock(0), *later = newBlock(0);
    for (Value value : element)
      join->addArgument(value.getType(), op.getLoc());
    Value isLater = fold<arith::OrIOp>(op.getHasInitial(),
                                       compare(Predicate::sgt, k, constant(0)));
    cf::CondBranchOp::create(b, isLater, later, ValueRange(), join, element);
    b.setInsertionPointToEnd(later);
    Element both = combine(sum, element);
    cf::BranchOp::create(b, join, both);
    b.setInsertionPointToEnd(join);
    next = Element(join->getArguments());
  }
  if (!op.getWrite().empty()) {
    SmallVector<Value> written = {indexAt(k)};
    written.append(next);
    emit(op.getWrite(), written);
  }
  SmallVector<Value> latch = {add(k, constant(1))};
  latch.append(next);
  cf::BranchOp::create(b, header, latch);
  return sum;
}

auto ScanLoops::overTiles(Value size, const Carried &start,
                          function_ref<Carried(Value, ValueRange)> body)
    -> Carried {
  Block *header = newBlock(1), *inside = newBlock(0), *done = newBlock(0);
  for (Value value : start)
    header->addArgument(value.getType(), op.getLoc());
  SmallVector<Value> first = {constant(0)};
  first.append(start);
  cf::BranchOp::create(b, header, first);
  b.setInsertionPointToEnd(header);
  Value base = header->getArgument(0);
  Carried carried(header->getArguments().drop_front());
  cf::CondBranchOp::create(b, compare(Predicate::slt, base, trips), inside,
                           done);
  b.setInsertionPointToEnd(inside);
  SmallVector<Value> next = {add(base, size)};
  next.append(body(base, carried));
  cf::BranchOp::create(b, header, next);
  done->moveBefore(after);
  b.setInsertionPointToEnd(done);
  return carried;
}
