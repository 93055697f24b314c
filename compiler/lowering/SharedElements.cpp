//===- SharedElements.cpp - stores that iterations share ------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/SharedElements.h"

#include "mlir/IR/Dominance.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;

namespace kern {

Value withoutIndex(Value value) {
  while (auto index = value ? value.getDefiningOp<IndexOp>() : nullptr)
    value = index.getValue();
  return value;
}

//===----------------------------------------------------------------------===//
// Stores of all iterations
//===----------------------------------------------------------------------===//

namespace {
/// The indices of a prange from which values follow.
class Origins {
public:
  explicit Origins(ParallelOp parallel)
      : parallel(parallel), count(parallel.getLowers().size()) {}

  /// Nothing if something else may have a part in it.
  std::optional<llvm::SmallBitVector> of(Value value, unsigned depth = 0);
  std::optional<llvm::SmallBitVector> of(ValueRange values, unsigned depth = 0);

private:
  bool isWritten(Value array);

  ParallelOp parallel;
  size_t count;
  DenseMap<Value, std::optional<llvm::SmallBitVector>> known;
};
} // namespace

bool Origins::isWritten(Value array) {
  return llvm::any_of(array.getUsers(), [&](Operation *user) {
    return !isa<LoadOp>(user) && parallel->isProperAncestor(user);
  });
}

std::optional<llvm::SmallBitVector> Origins::of(ValueRange values,
                                                unsigned depth) {
  llvm::SmallBitVector all(count);
  for (Value value : values) {
    std::optional<llvm::SmallBitVector> one = of(value, depth);
    if (!one)
      return std::nullopt;
    all |= *one;
  }
  return all;
}

std::optional<llvm::SmallBitVector> Origins::of(Value value, unsigned depth) {
  constexpr unsigned deepest = 200;
  Region *region = value.getParentRegion();
  if (!parallel->isAncestor(region->getParentOp()))
    return llvm::SmallBitVector(count);
  if (auto found = known.find(value); found != known.end())
    return found->second;
  std::optional<llvm::SmallBitVector> result;
  Operation *op = value.getDefiningOp();
  if (depth > deepest) {
    result = std::nullopt;
  } else if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto around = dyn_cast<ParallelOp>(region->getParentOp());
    if (around == parallel && argument.getOwner()->isEntryBlock()) {
      result.emplace(count);
      result->set(argument.getArgNumber());
    } else if (around && argument.getOwner()->isEntryBlock()) {
      // Of a loop inside: every iteration runs through the same.
      result = of(around->getOperands(), depth + 1);
    }
  } else if (isa<ConstantOp, DimOp, ApplyOp, IndexOp, CastOp>(op)) {
    result = of(op->getOperands(), depth + 1);
  } else if (auto load = dyn_cast<LoadOp>(op);
             load && !isWritten(load.getArray())) {
    result = of(load->getOperands(), depth + 1);
  }
  known[value] = result;
  return result;
}

/// Whether each iteration comes to the operation.
static bool isAlwaysReached(ParallelOp parallel, Operation *op) {
  PostDominanceInfo dominance(parallel);
  while (op != parallel) {
    Region *region = op->getParentRegion();
    if (!dominance.postDominates(op->getBlock(), &region->front()))
      return false;
    op = region->getParentOp();
    if (!isa<ParallelOp>(op))
      return false;
  }
  return true;
}

static std::optional<int64_t> constantOf(Value value) {
  auto constant = withoutIndex(value).getDefiningOp<ConstantOp>();
  auto integer =
      constant ? dyn_cast<IntegerAttr>(constant.getValue()) : nullptr;
  return integer ? integer.getValue().trySExtValue() : std::nullopt;
}

bool allStoreToOne(ParallelOp parallel, StoreOp store) {
  std::optional<llvm::SmallBitVector> origins =
      Origins(parallel).of(store.getIndices());
  if (!origins || origins->all())
    return false;
  // A loop of one iteration meets nobody.
  bool hasOthers = false;
  for (auto [number, lower, upper] :
       llvm::enumerate(parallel.getLowers(), parallel.getUppers())) {
    std::optional<int64_t> first = constantOf(lower), end = constantOf(upper);
    bool isSingle = first && end && __int128(*end) - *first <= 1;
    hasOthers |= !origins->test(number) && !isSingle;
  }
  return hasOthers && isAlwaysReached(parallel, store);
}

//===----------------------------------------------------------------------===//
// Elements that data decides
//===----------------------------------------------------------------------===//

/// Whether two values are computed in the same way; loads of one element count
/// as the same.
static bool isSame(Value a, Value b, unsigned depth = 0) {
  constexpr unsigned deepest = 8;
  if (a == b)
    return true;
  Operation *x = a.getDefiningOp(), *y = b.getDefiningOp();
  if (!x || !y || depth > deepest || x->getName() != y->getName() ||
      !isa<ConstantOp, DimOp, ApplyOp, IndexOp, CastOp, LoadOp>(x) ||
      x->getNumOperands() != y->getNumOperands() ||
      x->getAttrDictionary() != y->getAttrDictionary())
    return false;
  return llvm::all_of(
      llvm::zip(x->getOperands(), y->getOperands()), [&](auto pair) {
        return isSame(std::get<0>(pair), std::get<1>(pair), depth + 1);
      });
}

/// Calls `visit` with every load from which a value is computed, until it says
/// that it has seen enough.
static bool anyLoad(Value value, llvm::function_ref<bool(LoadOp)> visit) {
  llvm::SmallPtrSet<Operation *, 16> seen;
  SmallVector<Value> rest{value};
  while (!rest.empty()) {
    Operation *op = rest.pop_back_val().getDefiningOp();
    if (!op || !seen.insert(op).second)
      continue;
    if (auto load = dyn_cast<LoadOp>(op); load && visit(load))
      return true;
    if (isa<ApplyOp, IndexOp, CastOp>(op))
      llvm::append_range(rest, op->getOperands());
  }
  return false;
}

LoadOp updatedLoad(ParallelOp parallel, StoreOp store) {
  SmallPtrSet<Value, 4> plain;
  bool isDecidedByData = false;
  for (Value index : store.getIndices()) {
    plain.insert(withoutIndex(index));
    isDecidedByData |= anyLoad(index, [](LoadOp) { return true; });
  }
  bool isOwn = llvm::all_of(parallel.getBody().getArguments(),
                            [&](Value index) { return plain.contains(index); });
  if (!isDecidedByData || isOwn)
    return nullptr;
  LoadOp found;
  anyLoad(store.getValue(), [&](LoadOp load) {
    bool isIt =
        load.getArray() == store.getArray() &&
        llvm::all_of(llvm::zip(load.getIndices(), store.getIndices()),
                     [](auto pair) {
                       return isSame(std::get<0>(pair), std::get<1>(pair));
                     });
    if (isIt)
      found = load;
    return isIt;
  });
  return found;
}

} // namespace kern
