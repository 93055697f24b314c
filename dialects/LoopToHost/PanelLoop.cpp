//===- PanelLoop.cpp - a sum of many loop elements by panels --------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/PanelLoop.h"

#include "dialects/LoopToHost/Policy.h"
#include "dialects/LoopToHost/RowsAhead.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kern::ir::loop;
using Predicate = KernelBuilder::Predicate;

/// A CPU follows so many streams through memory.
static constexpr int64_t mostStreams = 8;
/// The bytes of a panel's row beyond which a wider one gains little: of many
/// rows, and of few, whose streams begin anew in each panel.
static constexpr int64_t panelBytes = int64_t(1) << 15,
                         fewPanelBytes = int64_t(1) << 16;
/// The bytes of shorter rows do not take a CPU long enough to notice a stream.
static constexpr int64_t shortRowBytes = int64_t(1) << 9;
/// The bytes of all partial sums that leave a first-level cache room for rows.
static constexpr int64_t nearSumsBytes = int64_t(1) << 13;

PanelLoop::PanelLoop(KernelBuilder &b, const CountedLoop &loop, int64_t count,
                     ArrayRef<Sum> sums, const PanelFacts &facts)
    : SummingLoop(b, loop, count, sums), lanes(facts.lanes),
      levels(llvm::Log2_64(uint64_t(count))), end(loop.exit),
      numbered(facts.body) {
  for (auto load : loop.body->getOps<LLVM::LoadOp>())
    read.insert(load.getAddr());
  atOnce = int64_t(
      llvm::bit_floor(uint64_t(mostStreams) /
                      std::clamp<uint64_t>(read.size(), 1, mostStreams)));
  atOnce = std::min(atOnce, count);
  slots = std::max(mostStackOfPanels / (lanes * elementSize()), count);
  Block &entry = loop.header->getParent()->front();
  llvm::DenseSet<Value> byNumber = {entry.getArgument(0)};
  for (Operation &op : entry.without_terminator())
    if (llvm::any_of(op.getOperands(),
                     [&](Value value) { return byNumber.contains(value); })) {
      own.push_back(&op);
      byNumber.insert_range(op.getResults());
    }
  hasOwnTrips = byNumber.contains(loop.trips);
}

static bool onlyReads(Operation &op) {
  return isa<LLVM::LoadOp>(op) || isPure(&op);
}

bool PanelLoop::isAll() const {
  Region *body = loop.header->getParent();
  Block &entry = body->front();
  auto enter = dyn_cast<cf::BranchOp>(entry.getTerminator());
  return !hasOwnTrips && canChangeOrder() && llvm::hasNItems(*body, 4) &&
         enter && enter.getDest() == loop.header &&
         isa<LLVM::ReturnOp>(loop.exit->getTerminator()) &&
         loop.exit->getNumArguments() == 0 &&
         llvm::all_of(entry.without_terminator(), onlyReads);
}

Value PanelLoop::ceilDiv(Value a, Value by) {
  return b.div(b.sub(b.add(a, by), b.i64(1)), by);
}

void PanelLoop::forEach(Value last, llvm::function_ref<void(Value)> body) {
  repeat(
      end, b.i64(0), b.i64(1),
      [&](Value number) { return isBelow(number, last); }, body);
}

Value PanelLoop::slot(Value row, const Panel &panel, Value step) {
  return b.add(b.mul(row, panel.steps), step);
}

void PanelLoop::addRows(Value to, Value from, Value slots) {
  const Sum &sum = sums.front();
  forEach(slots, [&](Value i) {
    Value at = b.add(to, i);
    b.store(both(sum, load(sum, at), load(sum, b.add(from, i))),
            addressOf(sum, at));
  });
}

/// Chooses the width of panels and, for more rows than partial sums, how many
/// of these are made at a time: as many as there is memory for. Short rows that
/// follow one another are one stream, and are read in their order.
void PanelLoop::choosePanels() {
  int64_t bytes = lanes * elementSize();
  int64_t most =
      std::clamp<int64_t>(panelBytes / bytes, 1, slots / (levels + 1));
  allSteps = ceilDiv(b.add(elements, early), b.i64(lanes));
  Value isShort = b.compare(Predicate::sle, allSteps,
                            b.i64(std::max<int64_t>(shortRowBytes / bytes, 1)));
  Value none = arith::ConstantIntOp::create(b, 0, 1);
  Value isInOrder =
      b.compare(Predicate::sle, allSteps,
                b.i64(std::min(nearSumsBytes / count, shortRowBytes) / bytes));
  for (Value address : read)
    if (!loop.isOutside(address)) {
      Value isNear = hasNearRows(b, loop, address);
      isInOrder = b.bitAnd(isInOrder, isNear ? isNear : none);
    }
  blockRows = choose(isInOrder, b.i64(count), b.i64(count * atOnce));
  isFetched = choose(isInOrder, none, isShort);
  Value wanted = arith::MinSIOp::create(b, allSteps, b.i64(most));
  auto fits = [&](int64_t rows) {
    return b.compare(Predicate::sle, b.mul(wanted, b.i64(rows)), b.i64(slots));
  };
  group = b.i64(1);
  for (int64_t level = 1; level < levels; ++level) {
    int64_t own = int64_t(1) << level;
    group = choose(fits(own * (levels - level + 1)), b.i64(own), group);
  }
  // All of them wait for none.
  Value hasFewRows = b.compare(Predicate::sle, loop.trips, b.i64(count));
  Value isWhole = b.bitOr(hasFewRows, fits(count));
  group = choose(isWhole, b.i64(count), group);
  isFew = b.bitAnd(hasFewRows,
                   b.compare(Predicate::sgt, loop.trips, b.i64(atOnce / 2)));
  fewGroups = groupsOf(atOnce);
  wanted = choose(
      isWhole, arith::MinSIOp::create(b, wanted, b.i64(slots / count)), wanted);
  Value few = arith::MinSIOp::create(
      b, b.div(b.i64(slots), fewGroups),
      b.i64(std::max<int64_t>(fewPanelBytes / bytes, 1)));
  wanted = choose(isFew, arith::MinSIOp::create(b, allSteps, few), wanted);
  panelSteps = ceilDiv(allSteps, ceilDiv(allSteps, wanted));
}

/// Continues with the loop elements of a panel's step: the values before the
/// loop are theirs from here on.
void PanelLoop::goTo(const Panel &panel, Value step) {
  Value first = b.sub(b.mul(b.add(panel.first, step), b.i64(lanes)), early);
  first = arith::MinSIOp::create(b, first, b.sub(elements, b.i64(lanes)));
  first = arith::MaxSIOp::create(b, first, b.i64(0));
  here.clear();
  for (auto [array, stride] : arrays)
    here.map(array, b.offset(array, b.mul(first, stride)));
  for (Operation *op : own)
    b.clone(*op, here);
}

/// Adds up some rows at once, each of which has its own partial sum.
void PanelLoop::sumOfFew(const Panel &panel) {
  const Sum &sum = sums.front();
  forEach(fewGroups, [&](Value row) {
    forEach(panel.steps, [&](Value step) {
      goTo(panel, step);
      b.store(fewOf(sum, row, fewGroups, atOnce),
              addressOf(sum, slot(row, panel, step)));
    });
  });
}

/// Fetches the row of the next block, if rows are short and apart.
void PanelLoop::fetchLater(Value number) {
  Block *fetch = newBlock(end, 0), *after = newBlock(end, 0);
  Value later = b.add(number, b.i64(count * atOnce));
  cf::CondBranchOp::create(b, b.bitAnd(isFetched, isBelow(later, loop.trips)),
                           fetch, after);
  b.at(fetch);
  IRMapping then = here;
  then.map(loop.counter(), later);
  llvm::DenseSet<Value> fetched;
  for (Operation &op : loop.body->without_terminator()) {
    if (auto load = dyn_cast<LLVM::LoadOp>(op)) {
      Value address = load.getAddr();
      if (fetched.insert(address).second)
        fetchRow(b, then.lookupOrDefault(address), load.getType());
      continue;
    }
    // What is computed from elements or sums is no address.
    if (llvm::none_of(op.getOperands(), [&](Value value) {
          return loop.contains(value.getParentBlock()) && !then.contains(value);
        }))
      b.clone(op, then);
  }
  cf::BranchOp::create(b, after);
  b.at(after);
}

/// Adds rows of a partial sum to it, from `row` of the block at `base` on: its
/// last one is not beyond it.
void PanelLoop::sumOfRows(Value row, Value base, Value place) {
  const Sum &sum = sums.front();
  Block *fresh = newBlock(end, 0), *again = newBlock(end, 0),
        *header = newBlock(end, 1), *inside = newBlock(end, 0),
        *after = newBlock(end, 0);
  Value soFar = header->addArgument(typeOf(sum), b.getLoc());
  Value last = arith::MinSIOp::create(b, loop.trips, b.add(base, blockRows));
  Value first = b.add(base, row);
  cf::CondBranchOp::create(b, b.compare(Predicate::eq, base, b.i64(0)), fresh,
                           again);
  b.at(fresh);
  cf::BranchOp::create(b, header, ValueRange{first, initialOf(sum, row)});
  b.at(again);
  cf::BranchOp::create(b, header, ValueRange{first, load(sum, place)});
  b.at(header);
  Value number = header->getArgument(0);
  cf::CondBranchOp::create(b, isBelow(number, last), inside, after);
  b.at(inside);
  fetchLater(number);
  Value next = iteration(sum, number, soFar);
  cf::BranchOp::create(b, header,
                       ValueRange{b.add(number, b.i64(count)), next});
  b.at(after);
  b.store(soFar, addressOf(sum, place));
}

/// The partial sums from `first` on, in the place for that depth.
void PanelLoop::sumOfGroup(Value first, Value depth, const Panel &panel) {
  Value rows = arith::MaxSIOp::create(b, loop.trips, b.i64(1));
  Value place = b.mul(b.mul(depth, group), panel.steps);
  repeat(
      end, b.i64(0), blockRows, [&](Value base) { return isBelow(base, rows); },
      [&](Value base) {
        Value left =
            arith::MinSIOp::create(b, group, b.sub(rows, b.add(base, first)));
        forEach(left, [&](Value row) {
          forEach(panel.steps, [&](Value step) {
            goTo(panel, step);
            sumOfRows(b.add(first, row), base,
                      b.add(place, slot(row, panel, step)));
          });
        });
      });
}

/// The groups of partial sums in the order in which they are added up. The bits
/// of a group's number, reversed, are those of its first partial sum. Its 1s
/// are the groups that wait for it, and after it those at its end have their
/// partners.
void PanelLoop::sumDepthFirst(const Panel &panel) {
  Value slots = b.mul(group, panel.steps);
  forEach(b.div(b.i64(count), group), [&](Value number) {
    Value one = b.i64(1), first = b.i64(0), depth = b.i64(0);
    for (int64_t bit = 0; bit < levels; ++bit) {
      Value is = b.bitAnd(b.div(number, b.i64(int64_t(1) << bit)), one);
      first = b.add(first, b.mul(is, b.i64(count >> (bit + 1))));
      depth = b.add(depth, is);
    }
    sumOfGroup(first, depth, panel);
    repeat(
        end, b.i64(0), one,
        [&](Value ended) {
          Value bit = arith::ShRUIOp::create(b, number, ended);
          return b.compare(Predicate::ne, b.bitAnd(bit, b.i64(1)), b.i64(0));
        },
        [&](Value ended) {
          Value from = b.mul(b.sub(depth, ended), slots);
          addRows(b.sub(from, slots), from, slots);
        });
  });
}

/// Adds the second half of the partial sums to the first one until one is left,
/// and runs what follows the loop.
void PanelLoop::finish(const Panel &panel) {
  const Sum &sum = sums.front();
  Value used = arith::MaxSIOp::create(
      b, arith::MinSIOp::create(b, loop.trips, group), b.i64(1));
  Value rows = choose(isFew, fewGroups, group),
        left = choose(isFew, fewGroups, used);
  Block *halves = newBlock(end, 2), *add = newBlock(end, 0),
        *done = newBlock(end, 0);
  cf::BranchOp::create(b, halves, ValueRange{b.div(rows, b.i64(2)), left});
  b.at(halves);
  Value half = halves->getArgument(0);
  left = halves->getArgument(1);
  cf::CondBranchOp::create(b, b.compare(Predicate::sgt, half, b.i64(0)), add,
                           done);
  b.at(add);
  Value rest = arith::MaxSIOp::create(b, b.sub(left, half), b.i64(0));
  addRows(b.i64(0), b.mul(half, panel.steps), b.mul(rest, panel.steps));
  cf::BranchOp::create(
      b, halves,
      ValueRange{b.div(half, b.i64(2)), arith::MinSIOp::create(b, left, half)});
  b.at(done);
  forEach(panel.steps, [&](Value step) {
    goTo(panel, step);
    here.map(loop.header->getArgument(sum.argument), load(sum, step));
    for (Operation &op : loop.exit->without_terminator())
      b.clone(op, here);
  });
}

void PanelLoop::write() {
  OpBuilder::InsertionGuard guard(b);
  auto function = cast<LLVM::LLVMFuncOp>(loop.header->getParentOp());
  Block *entry = &function.getBody().front();
  elements = entry->addArgument(b.getI64Type(), b.getLoc());
  early = entry->addArgument(b.getI64Type(), b.getLoc());
  arrays.assign(numbered.strides.begin(), numbered.strides.end());
  for (auto [array, size] : numbered.numbers)
    arrays.push_back({array, entry->addArgument(b.getI64Type(), b.getLoc())});
  function.setFunctionType(LLVM::LLVMFunctionType::get(
      function.getFunctionType().getReturnType(),
      SmallVector<Type>(entry->getArgumentTypes())));
  Operation *enter = entry->getTerminator();
  initial.assign(enter->getOperands().begin(), enter->getOperands().end());
  enter->erase();

  Sum &sum = sums.front();
  b.setInsertionPointToStart(entry);
  sum.array = LLVM::AllocaOp::create(b, b.pointerType(), b.getI8Type(),
                                     b.i64(slots * elementSize()));
  b.at(entry);
  for (auto [array, size] : numbered.results)
    arrays.push_back({array, b.i64(size)});
  end = newBlock(loop.exit, 0);
  choosePanels();
  repeat(
      end, b.i64(0), panelSteps,
      [&](Value first) { return isBelow(first, allSteps); },
      [&](Value first) {
        Panel panel = {first, arith::MinSIOp::create(b, panelSteps,
                                                     b.sub(allSteps, first))};
        Block *few = newBlock(end, 0), *many = newBlock(end, 0),
              *after = newBlock(end, 0);
        cf::CondBranchOp::create(b, isFew, few, many);
        b.at(few);
        sumOfFew(panel);
        cf::BranchOp::create(b, after);
        b.at(many);
        sumDepthFirst(panel);
        cf::BranchOp::create(b, after);
        b.at(after);
        finish(panel);
      });
  cf::BranchOp::create(b, end);
  b.at(end);
  b.ret();
  for (Block *old : {loop.exit, loop.body, loop.header})
    old->dropAllDefinedValueUses();
  for (Block *old : {loop.exit, loop.body, loop.header})
    old->dropAllReferences();
  for (Block *old : {loop.exit, loop.body, loop.header})
    old->erase();
}
