//===- FuseLoops.cpp - loops that follow each other become one ------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/FuseLoops.h"

#include "dialects/LoopToLLVM/GroupSharing.h"
#include "dialects/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace kern::ir::loop;

namespace {
/// The accesses of a loop, and those of its arrays that it writes.
struct Accesses {
  llvm::MapVector<Value, SmallVector<Operation *>> ofArray;
  SmallPtrSet<Value, 4> written;
  bool hasReductions = false;
};

using Indices = OperandRange;
} // namespace

static Indices indicesOf(Operation *access) {
  if (auto load = dyn_cast<LoadOp>(access))
    return load.getIndices();
  return cast<StoreOp>(access).getIndices();
}

/// Whether no other array shares its elements.
static bool isWhole(Value array) {
  return isa<BlockArgument>(array) || array.getDefiningOp<LocalOp>();
}

/// Nothing if the loop has several blocks, other loops in order, or operations
/// with other effects.
static std::optional<Accesses> accessesOf(ParallelOp loop) {
  if (!loop.getBody().hasOneBlock())
    return std::nullopt;
  Accesses all;
  WalkResult result = loop.getBody().walk([&](Operation *op) {
    if (isa<LoadOp, StoreOp>(op)) {
      Value array = accessedArray(op);
      all.ofArray[array].push_back(op);
      if (isa<StoreOp>(op))
        all.written.insert(array);
      return isWhole(array) ? WalkResult::advance() : WalkResult::interrupt();
    }
    all.hasReductions |= isa<ReduceOp>(op);
    bool isKnown = isa<ReduceOp, func::CallOp>(op) || isMemoryEffectFree(op);
    return isKnown ? WalkResult::advance() : WalkResult::interrupt();
  });
  return result.wasInterrupted() ? std::nullopt : std::optional(std::move(all));
}

/// Whether two values are computed in the same way from the same values.
static bool isSame(Value a, Value b, unsigned depth = 8) {
  if (a == b)
    return true;
  Operation *one = a.getDefiningOp(), *other = b.getDefiningOp();
  return one && other && depth > 0 && one->getName() == other->getName() &&
         one->getAttrDictionary() == other->getAttrDictionary() &&
         one->getNumRegions() == 0 && isMemoryEffectFree(one) &&
         a.getType() == b.getType() &&
         cast<OpResult>(a).getResultNumber() ==
             cast<OpResult>(b).getResultNumber() &&
         llvm::equal(one->getOperands(), other->getOperands(),
                     [&](Value x, Value y) { return isSame(x, y, depth - 1); });
}

static bool areSame(OperandRange a, OperandRange b) {
  return llvm::equal(a, b, [](Value x, Value y) { return isSame(x, y); });
}

namespace {
/// Two loops, one after the other, that may become one.
class Pair {
public:
  Pair(ParallelOp first, ParallelOp second) : first(first), second(second) {}

  bool isPossible();
  /// Afterwards there is the first loop alone.
  void fuse();

private:
  bool areBetween();
  bool meetsOnlyItself(Value array);
  bool isOwn(Indices indices, ValueRange counters);
  void forward(Value array);

  ParallelOp first, second;
  Accesses before, after;
  SmallVector<Value> shared; ///< arrays that both access and one writes
};
} // namespace

/// Whether what stands between the loops can stand before both.
bool Pair::areBetween() {
  for (Operation *op = first->getNextNode(); op != second;
       op = op->getNextNode()) {
    bool isFree = isMemoryEffectFree(op) || isa<LocalOp>(op);
    if (auto load = dyn_cast<LoadOp>(op))
      isFree =
          isWhole(load.getArray()) && !before.written.contains(load.getArray());
    if (!isFree)
      return false;
  }
  return true;
}

/// Whether an element is that of one iteration alone.
bool Pair::isOwn(Indices indices, ValueRange counters) {
  return llvm::all_of(counters, [&](Value counter) {
    return llvm::is_contained(indices, counter);
  });
}

/// Whether all accesses to an array in an iteration are to one element of its
/// own.
bool Pair::meetsOnlyItself(Value array) {
  ValueRange ofFirst = first.entry().getArguments(),
             ofSecond = second.entry().getArguments();
  Indices known = indicesOf(before.ofArray[array].front());
  if (!isOwn(known, ofFirst))
    return false;
  auto isKnown = [&](Operation *access, ValueRange counters) {
    return llvm::equal(
        indicesOf(access), known, [&](Value index, Value wanted) {
          for (auto [counter, same] : llvm::zip(counters, ofFirst))
            if (index == counter || wanted == same)
              return index == counter && wanted == same;
          return isSame(index, wanted);
        });
  };
  return llvm::all_of(before.ofArray[array],
                      [&](Operation *op) { return isKnown(op, ofFirst); }) &&
         llvm::all_of(after.ofArray[array],
                      [&](Operation *op) { return isKnown(op, ofSecond); });
}

bool Pair::isPossible() {
  if (!areSame(first.getLower(), second.getLower()) ||
      !areSame(first.getUpper(), second.getUpper()) ||
      !areSame(first.getStep(), second.getStep()))
    return false;
  std::optional<Accesses> one = accessesOf(first), other = accessesOf(second);
  if (!one || !other || (one->hasReductions && other->hasReductions))
    return false;
  before = std::move(*one);
  after = std::move(*other);
  for (auto &[array, accesses] : before.ofArray)
    if (after.ofArray.contains(array) &&
        (before.written.contains(array) || after.written.contains(array)))
      shared.push_back(array);
  return areBetween() && llvm::all_of(shared, [&](Value array) {
           return meetsOnlyItself(array);
         });
}

/// Passes on what an iteration stores to its element.
void Pair::forward(Value array) {
  StoreOp last;
  SmallVector<StoreOp> overwritten;
  for (Operation &op : first.entry()) {
    op.walk([&](LoadOp load) {
      if (load.getArray() == array && last)
        load.replaceAllUsesWith(last.getValue());
    });
    auto store = dyn_cast<StoreOp>(op);
    if (!store || store.getArray() != array)
      continue;
    if (last)
      overwritten.push_back(last);
    last = store;
  }
  for (StoreOp store : overwritten)
    store.erase();
}

void Pair::fuse() {
  while (first->getNextNode() != second.getOperation())
    first->getNextNode()->moveBefore(first);
  Block &to = first.entry(), &from = second.entry();
  to.getTerminator()->erase();
  for (auto [counter, same] : llvm::zip(from.getArguments(), to.getArguments()))
    counter.replaceAllUsesWith(same);
  to.getOperations().splice(to.end(), from.getOperations());
  second->erase();
  for (Value array : shared)
    forward(array);
  SmallVector<LoadOp> passedOn;
  first.getBody().walk([&](LoadOp load) {
    if (load.use_empty())
      passedOn.push_back(load);
  });
  for (LoadOp load : passedOn)
    load.erase();
}

/// Local arrays that are written only.
static void dropUnread(KernelOp kernel) {
  SmallVector<LocalOp> locals;
  kernel.walk([&](LocalOp local) { locals.push_back(local); });
  for (LocalOp local : locals) {
    if (!llvm::all_of(local->getUsers(),
                      [](Operation *user) { return isa<StoreOp>(user); }))
      continue;
    for (Operation *user : llvm::make_early_inc_range(local->getUsers()))
      user->erase();
    local->erase();
  }
}

void kern::ir::loop::fuseLoops(KernelOp kernel) {
  SmallVector<ParallelOp> loops;
  kernel.getBody().walk([&](ParallelOp loop) { loops.push_back(loop); });
  bool isFused = false;
  // Of loops in one block the later ones are fused first.
  for (ParallelOp loop : llvm::reverse(loops))
    for (;;) {
      Operation *next = loop->getNextNode();
      while (next && !isa<ParallelOp>(next))
        next = next->getNextNode();
      if (!next)
        break;
      Pair pair(loop, cast<ParallelOp>(next));
      if (!pair.isPossible())
        break;
      pair.fuse();
      isFused = true;
    }
  if (isFused)
    dropUnread(kernel);
}

namespace kern::ir {

#define GEN_PASS_DEF_LOOPFUSE
#include "dialects/Passes.h.inc"

namespace {
struct FusePass : impl::LoopFuseBase<FusePass> {
  void runOnOperation() override {
    for (KernelOp kernel : getOperation().getOps<KernelOp>())
      fuseLoops(kernel);
  }
};
} // namespace

} // namespace kern::ir
