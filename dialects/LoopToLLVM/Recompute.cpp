//===- Recompute.cpp - local arrays that are not kept ---------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/Recompute.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

#include <algorithm>

using namespace mlir;
using namespace kern::ir::loop;

namespace {
/// A local array, all of whose elements one loop stores, and only that.
class ComputedOnce {
public:
  explicit ComputedOnce(LocalOp local) : local(local) {}

  /// Whether its elements can be computed where they are read.
  bool match();
  void replace();

private:
  static constexpr unsigned maxOperations = 4;

  bool findAccesses();
  bool storesAll();
  bool isCheap();
  bool readsOnce(LoadOp load);
  bool isOneValue();

  LocalOp local;
  StoreOp store;
  ParallelOp loop;
  SmallVector<LoadOp> loads;
  llvm::SetVector<Operation *> steps; ///< of an element, in order
};
} // namespace

bool ComputedOnce::findAccesses() {
  for (Operation *user : local->getUsers()) {
    if (auto load = dyn_cast<LoadOp>(user)) {
      loads.push_back(load);
      continue;
    }
    auto next = dyn_cast<StoreOp>(user);
    if (!next || store)
      return false;
    store = next;
  }
  loop = store ? dyn_cast<ParallelOp>(store->getParentOp()) : ParallelOp();
  return loop && loop->getBlock() == local->getBlock() &&
         loop.getBody().hasOneBlock();
}

/// The extent, or `max(extent, 0)`.
static bool isExtent(Value upper, Value extent) {
  auto bound = extent.getDefiningOp<arith::MaxSIOp>();
  return upper == extent || (bound && matchPattern(bound.getRhs(), m_Zero()) &&
                             upper == bound.getLhs());
}

bool ComputedOnce::storesAll() {
  return store.getArray() == local.getResult() &&
         loop.entry().getNumArguments() == store.getIndices().size() &&
         llvm::equal(loop.entry().getArguments(), store.getIndices()) &&
         llvm::all_of(
             loop.getLower(),
             [](Value lower) { return matchPattern(lower, m_Zero()); }) &&
         llvm::all_of(loop.getStep(),
                      [](Value step) { return matchPattern(step, m_One()); }) &&
         llvm::all_of(llvm::zip(loop.getUpper(), local.getExtents()),
                      [](auto pair) {
                        return isExtent(std::get<0>(pair), std::get<1>(pair));
                      });
}

/// Whether a kernel's input keeps its elements.
static bool isUnchanged(Value array) {
  return isa<BlockArgument>(array) &&
         llvm::all_of(array.getUsers(), llvm::IsaPred<LoadOp>);
}

static bool isCheapArithmetic(Operation *op) {
  return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::NegFOp,
             arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::CmpFOp,
             arith::CmpIOp, arith::SelectOp, arith::ExtFOp, arith::TruncFOp,
             arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::SIToFPOp,
             arith::UIToFPOp>(op);
}

bool ComputedOnce::isCheap() {
  Block &body = loop.entry();
  unsigned inputs = 0;
  llvm::SetVector<Operation *> found;
  SmallVector<Value> open{store.getValue()};
  while (!open.empty()) {
    Operation *op = open.pop_back_val().getDefiningOp();
    if (!op || op->getBlock() != &body || !found.insert(op))
      continue;
    auto load = dyn_cast<LoadOp>(op);
    inputs += bool(load);
    const bool isStep =
        load ? isUnchanged(load.getArray())
             : op->hasTrait<OpTrait::ConstantLike>() || isCheapArithmetic(op);
    if (!isStep || inputs > 1 || found.size() > maxOperations + 4)
      return false;
    llvm::append_range(open, op->getOperands());
  }
  for (Operation &op : body)
    if (found.contains(&op))
      steps.insert(&op);
  return llvm::count_if(steps, isCheapArithmetic) <= maxOperations;
}

/// Whether the loops around a load, beside that of the store, read each element
/// once: its indices are those of these loops.
bool ComputedOnce::readsOnce(LoadOp load) {
  SmallVector<Value> counters;
  Operation *around = load->getParentOp();
  Operation *outermost = load;
  for (; around && outermost->getBlock() != local->getBlock();
       outermost = around, around = around->getParentOp()) {
    if (auto reduce = dyn_cast<ReduceOp>(around))
      counters.push_back(reduce.inductionVar());
    else if (auto parallel = dyn_cast<ParallelOp>(around))
      llvm::append_range(counters, parallel.entry().getArguments());
    else
      return false;
  }
  return outermost->getBlock() == local->getBlock() &&
         loop->isBeforeInBlock(outermost) &&
         counters.size() == load.getIndices().size() &&
         std::is_permutation(counters.begin(), counters.end(),
                             load.getIndices().begin());
}

/// Whether all loads get one value. A product that is computed in two places
/// may be contracted with a sum in one of them, and be rounded in the other.
bool ComputedOnce::isOneValue() {
  return llvm::none_of(steps, llvm::IsaPred<arith::MulFOp>) ||
         llvm::all_of(loads, [&](LoadOp load) {
           return load->getBlock() == loads.front()->getBlock() &&
                  llvm::equal(load.getIndices(), loads.front().getIndices());
         });
}

bool ComputedOnce::match() {
  return !local.getZeroed() && findAccesses() && storesAll() && isCheap() &&
         isOneValue() &&
         llvm::all_of(loads, [&](LoadOp load) { return readsOnce(load); });
}

void ComputedOnce::replace() {
  // Loads of one element in one block take one value.
  llvm::DenseMap<Block *, SmallVector<LoadOp>> done;
  llvm::DenseMap<Operation *, Value> values;
  loads.clear(); // in order
  local->getParentOp()->walk([&](LoadOp load) {
    if (load.getArray() == local.getResult())
      loads.push_back(load);
  });
  for (LoadOp load : loads) {
    SmallVector<LoadOp> &earlier = done[load->getBlock()];
    auto same = llvm::find_if(earlier, [&](LoadOp other) {
      return llvm::equal(other.getIndices(), load.getIndices());
    });
    Value value;
    if (same != earlier.end()) {
      value = values.lookup(*same);
    } else {
      OpBuilder b(load);
      IRMapping map;
      map.map(loop.entry().getArguments(), load.getIndices());
      for (Operation *step : steps)
        b.clone(*step, map);
      value = map.lookupOrDefault(store.getValue());
      values[load] = value;
      earlier.push_back(load);
    }
    load.getResult().replaceAllUsesWith(value);
  }
  for (LoadOp load : loads)
    load->erase();
  store->erase();
  if (llvm::all_of(loop.entry().without_terminator(), [](Operation &op) {
        return isa<LoadOp>(op) || isMemoryEffectFree(&op);
      }))
    loop->erase();
  local->erase();
}

void kern::ir::loop::recompute(KernelOp kernel) {
  SmallVector<LocalOp> locals;
  kernel.getBody().walk([&](LocalOp local) { locals.push_back(local); });
  for (LocalOp local : locals)
    if (ComputedOnce array(local); array.match())
      array.replace();
}

namespace kern::ir {

#define GEN_PASS_DEF_LOOPRECOMPUTE
#include "dialects/Passes.h.inc"

namespace {
struct RecomputePass : impl::LoopRecomputeBase<RecomputePass> {
  void runOnOperation() override {
    for (KernelOp kernel : getOperation().getOps<KernelOp>())
      recompute(kernel);
  }
};
} // namespace

} // namespace kern::ir
