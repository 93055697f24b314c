//===- IterationLanes.cpp - iterations of a prange in vectors -------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/IterationLanes.h"

#include "dialects/LoopToHost/Forms.h"
#include "dialects/LoopToHost/Interior.h"
#include "dialects/LoopToHost/Iteration.h"
#include "dialects/LoopToHost/LaneSteps.h"
#include "dialects/LoopToHost/VectorLoops.h"
#include "dialects/LoopToLLVM/LoopLowering.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace kern::ir::loop;
using Predicate = KernelBuilder::Predicate;

/// Longer sums whose elements lie side by side are added up along their own
/// loop: several accumulators hide the latency that lanes would wait for.
static constexpr int64_t maxLength = 256;

SmallVector<CountedLoop> kern::ir::loop::loopsOf(LLVM::LLVMFuncOp body) {
  SmallVector<CountedLoop> loops;
  for (Block &block : body.getBody()) {
    auto isParallel =
        block.getTerminator()->getAttrOfType<BoolAttr>(vectorLatch);
    if (!isParallel || !isParallel.getValue())
      continue;
    std::optional<CountedLoop> loop = CountedLoop::of(block.getTerminator());
    if (!loop || loop->header->getNumArguments() != 1 ||
        llvm::range_size(loop->header->without_terminator()) != 1 ||
        (!vectorFacts(loop->blocks.getArrayRef()).hasLoops &&
         !hasWrappedIndices(*loop)))
      continue;
    bool isInnermost = llvm::none_of(loop->blocks, [&](Block *inner) {
      auto mark = inner->getTerminator()->getAttrOfType<BoolAttr>(vectorLatch);
      return inner != &block && mark && mark.getValue();
    });
    if (isInnermost)
      loops.push_back(std::move(*loop));
  }
  return loops;
}

//===----------------------------------------------------------------------===//
// What the lanes read and write
//===----------------------------------------------------------------------===//

namespace {
/// A loop inside that LLVM would make vectors of.
struct InnerSum {
  Value length;
  bool isSideBySide; ///< it reads elements side by side
};
} // namespace

static Value addressOf(Operation &op) {
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return load.getAddr();
  auto store = dyn_cast<LLVM::StoreOp>(op);
  return store ? store.getAddr() : Value();
}

static int64_t sizeOf(Operation &op) {
  auto store = dyn_cast<LLVM::StoreOp>(op);
  Type type = store ? store.getValue().getType() : op.getResult(0).getType();
  return type.isIntOrFloat() ? (type.getIntOrFloatBitWidth() + 7) / 8 : 0;
}

/// Nothing if a length is not known before the loop.
static std::optional<SmallVector<InnerSum>> sumsIn(const CountedLoop &outer) {
  SmallVector<InnerSum> sums;
  for (Block *block : outer.blocks) {
    Operation *latch = block->getTerminator();
    if (latch == outer.latch || !latch->hasAttr(vectorLatch))
      continue;
    std::optional<CountedLoop> loop = CountedLoop::of(latch);
    if (!loop || !outer.isInvariant(loop->trips))
      return std::nullopt;
    auto isFixed = [&](Value value) { return loop->isOutside(value); };
    InnerSum sum{loop->trips, true};
    for (Block *inner : loop->blocks)
      for (Operation &op : *inner)
        if (Value address = addressOf(op)) {
          auto step = addressStep(loop->counter(), address, isFixed);
          sum.isSideBySide &= step && std::abs(*step) <= sizeOf(op);
        }
    sums.push_back(sum);
  }
  return sums;
}

/// Whether a few operations say that a value is the same in all of an
/// iteration.
static bool isFixed(Value value, unsigned depth = 8) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner()->isEntryBlock();
  Operation *op = value.getDefiningOp();
  auto isToo = [&](Value operand) { return isFixed(operand, depth - 1); };
  return depth > 0 && isPure(op) && llvm::all_of(op->getOperands(), isToo);
}

/// An access to an array that is not the iteration's own whose elements do not
/// lie side by side, where one element is not read for all lanes either; null
/// if there is none. Lanes gather and scatter elements beside what takes
/// longer: outside of the loops inside, and where functions are called, which
/// lanes do at once. Sums that are vectors along their own loop had better stay
/// so.
static Operation *scatteredAccess(LLVM::LLVMFuncOp iteration,
                                  const VectorBody &vectors,
                                  bool hasVectorSums) {
  Value counter = iteration.getArgument(0);
  bool hasCalls = vectors.facts().hasCalls;
  for (Block &block : iteration.getBody())
    for (Operation &op : block) {
      if (auto zeroes = dyn_cast<LLVM::MemsetOp>(op);
          zeroes && !localArrayOf(zeroes.getDst()))
        return &op;
      Value address = addressOf(op);
      if (!address || localArrayOf(address))
        continue;
      auto step = addressStep(counter, address, [&](Value value) {
        return !vectors.varies(value, &block);
      });
      bool isLoad = isa<LLVM::LoadOp>(op),
           isOnce = !vectors.isInLoop(&block) || (isLoad && isFixed(address));
      int64_t size = sizeOf(op);
      bool fits = step && (std::abs(*step) == size || (isLoad && *step == 0));
      bool mayScatter =
          !hasVectorSums && step != 0 && (isOnce || (isLoad && hasCalls));
      if (!fits && !mayScatter)
        return &op;
    }
  return nullptr;
}

/// Why iterations cannot run in lanes, as LoopUse has it; empty if they can.
static std::pair<std::string, Operation *>
obstacleOf(LLVM::LLVMFuncOp iteration, const VectorBody &vectors,
           bool hasVectorSums) {
  if (!vectors.obstacle().empty())
    return {"the body " + vectors.obstacle(), nullptr};
  Operation *access = scatteredAccess(iteration, vectors, hasVectorSums);
  if (!access)
    return {};
  return {isa<LLVM::LoadOp>(access)
              ? "iterations read elements of `{0}` that are apart"
              : "iterations write elements of `{0}` that are apart",
          access};
}

//===----------------------------------------------------------------------===//
// The loops
//===----------------------------------------------------------------------===//

/// Emits a loop over iterations from the builder's block on, `step` at once, as
/// long as there are so many. Returns the first that is left; the builder
/// continues behind the loop.
static Value callAll(KernelBuilder &b, LLVM::LLVMFuncOp function,
                     ValueRange uses, Value first, Value trips, int64_t step) {
  Region *region = b.getInsertionBlock()->getParent();
  auto block = [&](bool hasCounter) {
    OpBuilder::InsertionGuard guard(b);
    Block *made = b.createBlock(region, region->end());
    if (hasCounter)
      made->addArgument(b.getI64Type(), b.getLoc());
    return made;
  };
  Block *header = block(true), *body = block(false), *done = block(false);
  cf::BranchOp::create(b, header, ValueRange{first});
  b.at(header);
  Value k = header->getArgument(0), end = b.add(k, b.i64(step - 1));
  cf::CondBranchOp::create(b, b.compare(Predicate::slt, end, trips), body,
                           done);
  b.at(body);
  SmallVector<Value> arguments = {k};
  llvm::append_range(arguments, uses);
  LLVM::CallOp::create(b, function, arguments);
  cf::BranchOp::create(b, header, ValueRange{b.add(k, b.i64(step))});
  b.at(done);
  return k;
}

/// Makes the function of a loop over whole vectors of iterations in the
/// interior: from its first iteration, the number of iterations and what they
/// use to the first iteration that is left. If they can run twice, the last
/// vector ends with the last iteration of the interior.
static LLVM::LLVMFuncOp loopOfVectors(KernelBuilder &b, VectorBody &vectors,
                                      const Interior &interior,
                                      const std::string &name, unsigned lanes,
                                      ValueRange uses, bool canRepeat) {
  OpBuilder::InsertionGuard guard(b);
  LLVM::LLVMFuncOp iteration = vectors.emit(b, name + "__lanes", lanes);
  SmallVector<Type> types = {b.getI64Type(), b.getI64Type()};
  llvm::append_range(types, uses.getTypes());
  auto loop = LLVM::LLVMFuncOp::create(
      b, name + "__vectors", LLVM::LLVMFunctionType::get(b.getI64Type(), types),
      LLVM::Linkage::Internal);
  loop.setPassthroughAttr(b.getStrArrayAttr({"noinline", vectorsAttribute}));
  b.at(loop.addEntryBlock(b));
  SmallVector<Value> arguments(loop.getArguments().drop_front());
  Value first = loop.getArgument(0);
  Value end =
      interior.end(b, arguments.front(), ArrayRef(arguments).drop_front());
  Value rest = callAll(b, iteration, ArrayRef(arguments).drop_front(), first,
                       end, lanes);
  if (canRepeat) {
    Value isLast =
        b.bitAnd(b.compare(Predicate::slt, rest, end),
                 b.compare(Predicate::sge, b.sub(end, first), b.i64(lanes)));
    Block *last = b.block(), *done = b.block();
    b.branch(isLast, last, done);
    b.at(last);
    arguments.front() = b.sub(end, b.i64(lanes));
    LLVM::CallOp::create(b, iteration, arguments);
    LLVM::ReturnOp::create(b, end);
    b.at(done);
  }
  LLVM::ReturnOp::create(b, rest);
  return loop;
}

namespace {
/// What takes the place of a loop.
struct Replacement {
  const Interior *interior = nullptr;
  LLVM::LLVMFuncOp vectors; ///< null: all iterations are single
  SmallVector<Value> vectorUses;
  LLVM::LLVMFuncOp single;
  SmallVector<Value> singleUses;
  SmallVector<Value> lengths; ///< if one of them is long, the loop stays
  unsigned fewest = 0;        ///< iterations; the loop stays for fewer
};
} // namespace

static void replace(KernelBuilder &b, const CountedLoop &loop,
                    const Replacement &by) {
  OpBuilder::InsertionGuard guard(b);
  Region *region = loop.header->getParent();
  Block *start = b.createBlock(region, region->end());
  Value first = start->addArgument(b.getI64Type(), b.getLoc());
  SmallVector<Block *> outside;
  for (Block *before : loop.header->getPredecessors())
    if (!loop.contains(before))
      outside.push_back(before);
  for (Block *before : outside)
    for (auto [i, next] :
         llvm::enumerate(llvm::to_vector(before->getSuccessors())))
      if (next == loop.header)
        before->getTerminator()->setSuccessor(start, unsigned(i));
  b.at(start);
  bool staysSometimes = by.fewest || !by.lengths.empty();
  if (staysSometimes) {
    Value fits = b.compare(Predicate::sge, loop.trips, b.i64(by.fewest));
    for (Value length : by.lengths)
      fits = b.bitAnd(fits, b.compare(Predicate::sle, loop.hoist(b, length),
                                      b.i64(maxLength)));
    Block *split = b.createBlock(region, region->end());
    b.at(start);
    cf::CondBranchOp::create(b, fits, split, ValueRange(), loop.header,
                             ValueRange{first});
    b.at(split);
  }
  if (by.vectors) {
    if (!by.interior->isAll()) {
      first = by.interior->first(b, loop.trips, by.vectorUses);
      callAll(b, by.single, by.singleUses, b.i64(0), first, 1);
    }
    SmallVector<Value> arguments = {first, loop.trips};
    llvm::append_range(arguments, by.vectorUses);
    first = LLVM::CallOp::create(b, by.vectors, arguments).getResult();
  }
  callAll(b, by.single, by.singleUses, first, loop.trips, 1);
  cf::BranchOp::create(b, loop.exit);
  if (staysSometimes)
    return;
  for (Block *block : loop.blocks)
    block->dropAllDefinedValueUses();
  for (Block *block : loop.blocks)
    block->dropAllReferences();
  for (Block *block : loop.blocks)
    block->erase();
}

/// Replaces the last core strides of operands by those of unit strides.
static void takeUnitStrides(KernelBuilder &b, const KernelFacts &kernel,
                            LLVM::LLVMFuncOp body) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&body.getBody().front());
  unsigned argument = 0;
  auto pass = [&](const OperandFacts &operand) {
    argument += operand.rank;
    if (operand.rank)
      body.getArgument(argument).replaceAllUsesWith(
          b.i64(storedSize(operand.element)));
    ++argument;
  };
  for (const OperandFacts &input : kernel.inputs)
    pass(input);
  // Results that are scalars are returned.
  for (const OperandFacts &output : kernel.outputs)
    if (output.rank)
      pass(output);
}

LLVM::LLVMFuncOp kern::ir::loop::runIterationsInLanes(
    KernelBuilder &b, const KernelFacts &kernel, LLVM::LLVMFuncOp body,
    unsigned lanes, std::vector<LoopUse> *uses) {
  SmallVector<CountedLoop> loops = loopsOf(body);
  if (loops.empty())
    return {};
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(body);
  IRMapping map;
  auto unit = cast<LLVM::LLVMFuncOp>(b.clone(*body, map));
  unit.setName((body.getName() + "__unit").str());
  takeUnitStrides(b, kernel, unit);
  SmallVector<CountedLoop> unitLoops = loopsOf(unit);
  bool areAny = false;
  for (auto [i, loop, unitLoop] : llvm::enumerate(loops, unitLoops)) {
    std::string name = (body.getName() + "__iteration_" + Twine(i)).str();
    LoopUse use{loop.latch->getLoc()};
    llvm::scope_exit say([&] {
      if (uses)
        uses->push_back(use);
    });
    auto sums = sumsIn(unitLoop);
    if (!sums) {
      use.obstacle = "the length of a sum inside depends on the iteration";
      use.hasVectorSums = true;
      continue;
    }
    use.hasVectorSums = !sums->empty();

    Iteration iteration = outline(b, unit, unitLoop, name + "__unit");
    joinStores(iteration.function);
    Interior interior(iteration.function);
    llvm::DenseSet<Value> uniform;
    for (Value argument : iteration.function.getArguments().drop_front())
      uniform.insert(argument);
    VectorBody vectors(iteration.function, uniform,
                       iteration.function.getArgument(0));

    auto [why, access] =
        obstacleOf(iteration.function, vectors, use.hasVectorSums);
    if (!why.empty()) {
      use.obstacle = why;
      if (access)
        use.culprit = access->getLoc();
      iteration.function.erase();
      continue;
    }
    use.lanes = lanes ? lanes : laneShape(vectors.facts()).lanes;
    Replacement by;
    b.setInsertionPoint(body);
    LLVM::LLVMFuncOp inVectors =
        loopOfVectors(b, vectors, interior, name, use.lanes, iteration.uses,
                      isRepeatable(iteration.function));
    Iteration single = outline(b, body, loop, name);
    single.function.setNoInline(true);
    by.single = single.function;
    // Where each length allows lanes, strided loops go in the same order.
    auto select = [&](ArrayRef<InnerSum> from) {
      SmallVector<Value> lengths;
      for (auto [sum, own] : llvm::zip(*sums, from))
        if (sum.isSideBySide)
          lengths.push_back(own.length);
      return lengths;
    };
    if (!sums->empty()) {
      by.singleUses = single.uses;
      by.lengths = select(*sumsIn(loop));
      replace(b, loop, by);
    }
    by.singleUses.clear();
    for (Value use : single.uses)
      by.singleUses.push_back(map.lookup(use));
    by.lengths = select(*sums);
    // Without sums, whose order it changes, a call for each is all it would do.
    by.fewest = sums->empty() ? use.lanes : 0;
    by.interior = &interior;
    by.vectors = inVectors;
    by.vectorUses = iteration.uses;
    replace(b, unitLoop, by);
    iteration.function.erase();
    areAny = true;
  }
  if (areAny)
    return unit;
  unit.erase();
  return {};
}
