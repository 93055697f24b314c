//===- SummingLoop.cpp - a loop whose sums get partial ones ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/SummingLoop.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace kern::ir::loop;
using Predicate = KernelBuilder::Predicate;

/// So many iterations of a block add to each partial sum, so that few of the
/// accesses are to partial sums. The rows of a block are as few as that leaves.
static constexpr int64_t blockIterations = 8;
/// So many of few iterations are added up in registers.
static constexpr int64_t fewAtOnce = 8;

Block *SummingLoop::newBlock(Block *before, unsigned counters) {
  OpBuilder::InsertionGuard guard(b);
  return b.createBlock(before, SmallVector<Type>(counters, b.getI64Type()),
                       SmallVector<Location>(counters, b.getLoc()));
}

void SummingLoop::repeat(Block *before, Value first, Value step,
                         llvm::function_ref<Value(Value)> isMore,
                         llvm::function_ref<void(Value)> body) {
  Block *header = newBlock(before, 1), *inside = newBlock(before, 0),
        *after = newBlock(before, 0);
  cf::BranchOp::create(b, header, first);
  b.at(header);
  Value number = header->getArgument(0);
  cf::CondBranchOp::create(b, isMore(number), inside, after);
  b.at(inside);
  body(number);
  cf::BranchOp::create(b, header, ValueRange{b.add(number, step)});
  b.at(after);
}

Value SummingLoop::addressOf(const Sum &sum, Value number) {
  return b.offset(sum.array, b.mul(number, b.i64(storedSize(typeOf(sum)))));
}

Value SummingLoop::load(const Sum &sum, Value number) {
  return b.load(typeOf(sum), addressOf(sum, number));
}

Value SummingLoop::identityOf(const Sum &sum) {
  double identity = isa<arith::AddFOp>(sum.addition) ? -0.0 : 1.0;
  return arith::ConstantOp::create(b, b.getFloatAttr(typeOf(sum), identity));
}

Value SummingLoop::both(const Sum &sum, Value one, Value other) {
  return isa<arith::AddFOp>(sum.addition)
             ? arith::AddFOp::create(b, one, other).getResult()
             : arith::MulFOp::create(b, one, other).getResult();
}

/// Puts a block before the loop, where the builder continues, and takes the
/// values before it.
void SummingLoop::enter() {
  Block *start = newBlock(loop.header, 0);
  for (Block *before : llvm::to_vector(loop.header->getPredecessors()))
    if (!loop.contains(before)) {
      auto branch = cast<cf::BranchOp>(before->getTerminator());
      initial.assign(branch.getDestOperands().begin(),
                     branch.getDestOperands().end());
      branch.getDestOperandsMutable().clear();
      branch->setSuccessor(start, 0);
    }
  b.at(start);
  used = arith::MaxSIOp::create(
      b, arith::MinSIOp::create(b, loop.trips, b.i64(count)), b.i64(1));
}

//===----------------------------------------------------------------------===//
// Iterations in order
//===----------------------------------------------------------------------===//

/// Sets the first partial sum to the value before the loop, and the others that
/// are used to the identity.
void SummingLoop::clear() {
  for (const Sum &sum : sums)
    b.store(initial[sum.argument], addressOf(sum, b.i64(0)));
  repeat(
      loop.header, b.i64(1), b.i64(1),
      [&](Value number) { return b.compare(Predicate::slt, number, used); },
      [&](Value number) {
        for (const Sum &sum : sums)
          b.store(identityOf(sum), addressOf(sum, number));
      });
  SmallVector<Value> others;
  for (auto [i, value] : llvm::enumerate(initial))
    if (llvm::none_of(sums, [&](const Sum &sum) { return sum.argument == i; }))
      others.push_back(value);
  cf::BranchOp::create(b, loop.header, others);
}

/// Lets an iteration add to its own partial sums.
void SummingLoop::accumulate() {
  b.setInsertionPointToStart(loop.body);
  Value number = b.bitAnd(loop.counter(), b.i64(count - 1));
  SmallVector<Value> soFar;
  for (const Sum &sum : sums)
    soFar.push_back(load(sum, number));
  b.setInsertionPoint(loop.latch);
  auto back = cast<cf::BranchOp>(loop.latch);
  for (auto [sum, value] : llvm::zip(sums, soFar)) {
    loop.header->getArgument(sum.argument)
        .replaceUsesWithIf(value, [&](OpOperand &use) {
          return loop.contains(use.getOwner()->getBlock());
        });
    b.store(back.getDestOperands()[sum.argument], addressOf(sum, number));
  }
  for (const Sum &sum : llvm::reverse(sums)) {
    back.getDestOperandsMutable().erase(sum.argument);
    loop.header->eraseArgument(sum.argument);
  }
  Block *after = newBlock(halves, 0);
  loop.header->getTerminator()->setSuccessor(after, 1);
  b.at(after);
  cf::BranchOp::create(b, halves, ValueRange{b.i64(count / 2), used});
}

/// Adds the second half of the partial sums to the first one until one is left,
/// in the block `halves`, which takes the half and how many are left, and
/// goes on to the loop's exit. What would add the identity is left out.
void SummingLoop::addUp() {
  halves = newBlock(loop.exit, 2);
  Block *add = newBlock(loop.exit, 0), *done = newBlock(loop.exit, 0);
  b.at(halves);
  Value half = halves->getArgument(0), left = halves->getArgument(1);
  cf::CondBranchOp::create(b, b.compare(Predicate::sgt, half, b.i64(0)), add,
                           done);
  b.at(add);
  repeat(
      done, b.i64(0), b.i64(1),
      [&](Value number) {
        return b.compare(Predicate::slt, b.add(number, half), left);
      },
      [&](Value number) {
        Value later = b.add(number, half);
        for (const Sum &sum : sums)
          b.store(both(sum, load(sum, number), load(sum, later)),
                  addressOf(sum, number));
      });
  left = arith::MinSIOp::create(b, left, half);
  cf::BranchOp::create(b, halves, ValueRange{b.div(half, b.i64(2)), left});
  b.at(done);
  for (const Sum &sum : sums) {
    Value total = load(sum, b.i64(0));
    loop.header->getArgument(sum.argument)
        .replaceUsesWithIf(total, [&](OpOperand &use) {
          return !loop.contains(use.getOwner()->getBlock());
        });
  }
  cf::BranchOp::create(b, loop.exit);
}

//===----------------------------------------------------------------------===//
// Iterations in another order
//===----------------------------------------------------------------------===//

bool SummingLoop::canChangeOrder() const {
  constexpr unsigned longBody = 40;
  auto next = loop.latch->getOperand(0).getDefiningOp<arith::AddIOp>();
  if (sums.size() != 1 || loop.header->getNumArguments() != 2 ||
      sums.front().argument != 1 || loop.blocks.size() != 2 ||
      loop.body != loop.latch->getBlock() ||
      !llvm::hasNItems(*loop.header, 2) || !next ||
      next.getLhs() != loop.counter() || !matchPattern(next.getRhs(), m_One()))
    return false;
  for (Operation *user : loop.counter().getUsers())
    if (!loop.contains(user->getBlock()))
      return false;
  return llvm::hasNItemsOrLess(*loop.body, longBody) &&
         llvm::all_of(loop.body->without_terminator(), [](Operation &op) {
           return isa<LLVM::LoadOp, LLVM::Prefetch>(op) || isPure(&op);
         });
}

/// The value before the loop for the first partial sum, the identity for any
/// other.
Value SummingLoop::initialOf(const Sum &sum, Value number) {
  return arith::SelectOp::create(b, b.compare(Predicate::eq, number, b.i64(0)),
                                 here.lookupOrDefault(initial[sum.argument]),
                                 identityOf(sum));
}

/// A copy of the iteration `number`: what it makes of a sum before it.
Value SummingLoop::iteration(const Sum &sum, Value number, Value before) {
  IRMapping copies = here;
  copies.map(loop.counter(), number);
  copies.map(loop.header->getArgument(sum.argument), before);
  for (Operation &op : loop.body->without_terminator())
    if (!isa<LLVM::Prefetch>(op))
      b.clone(op, copies);
  return copies.lookup(loop.latch->getOperand(sum.argument));
}

/// Those from `first` up in steps of `step`.
Value SummingLoop::fewOf(const Sum &sum, Value number, Value groups,
                         int64_t atOnce, int64_t first, int64_t step) {
  if (step < atOnce) {
    Value one = fewOf(sum, number, groups, atOnce, first, 2 * step);
    return both(sum, one,
                fewOf(sum, number, groups, atOnce, first + step, 2 * step));
  }
  if (first == 0)
    return iteration(sum, number, initialOf(sum, number));
  Value at = b.add(number, b.mul(groups, b.i64(first)));
  if (first < atOnce / 2)
    return iteration(sum, at, identityOf(sum));
  Value exists = b.compare(Predicate::slt, at, loop.trips);
  Value inside = arith::SelectOp::create(b, exists, at, number);
  return arith::SelectOp::create(
      b, exists, iteration(sum, inside, identityOf(sum)), identityOf(sum));
}

Value SummingLoop::groupsOf(int64_t atOnce) {
  Value groups = b.i64(1);
  for (int64_t most = 2; most <= count / atOnce; most *= 2)
    groups = arith::SelectOp::create(
        b, b.compare(Predicate::sgt, loop.trips, b.i64(most / 2 * atOnce)),
        b.i64(most), groups);
  return groups;
}

/// Adds up no more iterations than there are partial sums, some of them at
/// once. The builder continues where there are more, or very few.
void SummingLoop::addFew(const Sum &sum) {
  Value groups = groupsOf(fewAtOnce);
  Value isFew =
      b.bitAnd(b.compare(Predicate::sle, loop.trips, b.i64(count)),
               b.compare(Predicate::sgt, loop.trips, b.i64(fewAtOnce / 2)));
  Block *few = newBlock(loop.header, 0), *others = newBlock(loop.header, 0);
  cf::CondBranchOp::create(b, isFew, few, others);
  b.at(few);
  repeat(
      others, b.i64(0), b.i64(1),
      [&](Value number) { return b.compare(Predicate::slt, number, groups); },
      [&](Value number) {
        b.store(fewOf(sum, number, groups, fewAtOnce), addressOf(sum, number));
      });
  cf::BranchOp::create(b, halves, ValueRange{b.div(groups, b.i64(2)), groups});
  b.at(others);
}

/// Lets the loop go through the iterations of a partial sum in a block of them.
void SummingLoop::addInBlocks(const Sum &sum) {
  repeat(
      loop.header, b.i64(0), b.i64(count * blockIterations),
      [&](Value base) { return b.compare(Predicate::slt, base, loop.trips); },
      [&](Value base) {
        Value end = arith::MinSIOp::create(
            b, loop.trips, b.add(base, b.i64(count * blockIterations)));
        Value width = arith::MinSIOp::create(b, b.sub(end, base), b.i64(count));
        Value isFirst = b.compare(Predicate::eq, base, b.i64(0));
        repeat(
            loop.header, b.i64(0), b.i64(1),
            [&](Value number) {
              return b.compare(Predicate::slt, number, width);
            },
            [&](Value number) {
              Block *fresh = newBlock(loop.header, 0),
                    *again = newBlock(loop.header, 0),
                    *enter = newBlock(loop.header, 0);
              Value before = enter->addArgument(typeOf(sum), b.getLoc());
              cf::CondBranchOp::create(b, isFirst, fresh, again);
              b.at(fresh);
              cf::BranchOp::create(b, enter,
                                   ValueRange{initialOf(sum, number)});
              b.at(again);
              cf::BranchOp::create(b, enter, ValueRange{load(sum, number)});
              b.at(enter);
              cf::BranchOp::create(b, loop.header,
                                   ValueRange{b.add(base, number), before});
              // The loop itself.
              Block *after = newBlock(loop.exit, 0);
              Operation *branch = loop.header->getTerminator();
              branch->getOperand(0).getDefiningOp()->setOperand(1, end);
              branch->setSuccessor(after, 1);
              b.setInsertionPoint(loop.latch);
              loop.latch->setOperand(0, b.add(loop.counter(), b.i64(count)));
              b.at(after);
              b.store(loop.header->getArgument(sum.argument),
                      addressOf(sum, number));
            });
      });
  cf::BranchOp::create(b, halves, ValueRange{b.i64(count / 2), used});
}

void SummingLoop::write(SumOrder order) {
  OpBuilder::InsertionGuard guard(b);
  Region *function = loop.header->getParent();
  b.setInsertionPointToStart(&function->front());
  for (Sum &sum : sums)
    sum.array =
        LLVM::AllocaOp::create(b, b.pointerType(), b.getI8Type(),
                               b.i64(count * int64_t(storedSize(typeOf(sum)))));
  enter();
  Block *start = b.getInsertionBlock();
  addUp();
  b.at(start);
  if (order == SumOrder::InBlocks) {
    addInBlocks(sums.front());
    return;
  }
  if (order == SumOrder::FewAtOnce)
    addFew(sums.front());
  clear();
  accumulate();
}
