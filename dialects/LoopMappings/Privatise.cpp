//===- Privatise.cpp - sums in shared memory ------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopMappings/Privatise.h"

#include "dialects/LoopMappings/Affine.h"
#include "dialects/LoopMappings/CoreExtents.h"
#include "dialects/LoopToLLVM/Accumulation.h"
#include "dialects/LoopToLLVM/ChunkedLoads.h"
#include "dialects/LoopToLLVM/GroupSharing.h"
#include "dialects/LoopToLLVM/IndexBuilder.h"
#include "dialects/LoopToLLVM/KernelBuilder.h"
#include "dialects/LoopToLLVM/LoopLowering.h"
#include "dialects/LoopToLLVM/Ranges.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace kern::ir::loop;

//===----------------------------------------------------------------------===//
// Which sums
//===----------------------------------------------------------------------===//

static Type elementOf(Value array) {
  return cast<ArrayType>(array.getType()).getElementType();
}

DimTokens PrivateSum::bytes() const {
  DimTokens tokens = {
      kern::runtime::DimToken::integer(storedSize(elementOf(array)))};
  for (const DimTokens &extent : extents) {
    llvm::append_range(tokens, extent);
    tokens.push_back(kern::runtime::DimToken::Kind::Multiply);
  }
  return tokens;
}

/// Whether two iterations of a loop may update the same element: some index of
/// the loop does not move it, or moves it by an amount that depends on data.
static bool mayMeet(KernelOp kernel, ParallelOp loop, AccumulateOp op) {
  return llvm::any_of(loop.entry().getArguments(), [&](Value iteration) {
    return llvm::none_of(op.getIndices(), [&](Value index) {
      auto steps = stepsOf(kernel, index, iteration, 1);
      return steps && steps->back() != 0;
    });
  });
}

/// GPUs have atomic operations on integers of these widths, and extrema of
/// floats are those of their bits.
static bool hasAtomics(AccumulateOp op) {
  Type element = elementOf(op.getArray());
  return element.isInteger(32) || element.isInteger(64) ||
         ((element.isF32() || element.isF64()) && isExtremumOfFloats(op));
}

static void addSums(KernelOp kernel, ParallelOp loop,
                    SmallVector<PrivateSum> &sums) {
  llvm::SmallMapVector<Value, AccumulateKind, 4> kinds;
  SmallPtrSet<Value, 4> meeting, others;
  loop->walk([&](Operation *op) {
    auto accumulate = dyn_cast<AccumulateOp>(op);
    Value array = accessedArray(op);
    if (!array)
      return;
    if (!accumulate || !hasAtomics(accumulate)) {
      others.insert(array);
      return;
    }
    auto [at, isNew] = kinds.insert({array, accumulate.getKind()});
    if (!isNew && at->second != accumulate.getKind())
      others.insert(array);
    if (mayMeet(kernel, loop, accumulate))
      meeting.insert(array);
  });
  for (auto [array, kind] : kinds) {
    if (others.contains(array) || !meeting.contains(array) ||
        loop.getBody().isAncestor(array.getParentRegion()))
      continue;
    if (auto extents = extentsOf(kernel, array))
      sums.push_back({loop, array, kind, std::move(*extents)});
  }
}

SmallVector<PrivateSum> kern::ir::loop::privateSums(KernelOp kernel) {
  SmallVector<PrivateSum> sums;
  if (kernel.isUfunc() || kernel.getChecks() || kernel.getFlatExtents())
    return sums;
  for (Block &block : kernel.getBody())
    for (auto loop : block.getOps<ParallelOp>())
      if (!runsInOrder(loop))
        addSums(kernel, loop, sums);
  return sums;
}

std::optional<Obstacle> kern::ir::loop::privateObstacle(KernelOp kernel) {
  std::optional<Obstacle> obstacle;
  if (!privateSums(kernel).empty())
    return obstacle;
  kernel->walk([&](AccumulateOp op) {
    auto loop = op->getParentOfType<ParallelOp>();
    if (obstacle || !loop || !mayMeet(kernel, loop, op))
      return;
    if (!hasAtomics(op))
      obstacle = Obstacle{"`{0}` does not have integers of 32 or 64 bits",
                          op.getLoc()};
  });
  return obstacle;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

namespace {

class Privatiser : IndexBuilder {
public:
  explicit Privatiser(KernelOp kernel)
      : IndexBuilder(kernel.getLoc(), kernel.getContext()), kernel(kernel) {}
  void run();

private:
  /// The copies of an array: one row for each element.
  struct Copies {
    Value array;
    SmallVector<Value> extents;
    Value elements; ///< their product
  };
  Copies makeCopies(const PrivateSum &sum);
  Value number(const Copies &copies, ValueRange indices);
  Value identity(const PrivateSum &sum);
  /// `several`, or nothing if the loop has no iterations.
  Value ifAny(ParallelOp loop, Value several);
  void clear(const PrivateSum &sum, const Copies &copies);
  void redirect(const PrivateSum &sum, const Copies &copies);
  void join(const PrivateSum &sum, const Copies &copies);
  void readInChunks(ParallelOp loop);

  KernelOp kernel;
  Value copyCount;
};

} // namespace

Privatiser::Copies Privatiser::makeCopies(const PrivateSum &sum) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&kernel.entry());
  Copies copies;
  copies.elements = constant(1);
  for (const DimTokens &extent : sum.extents) {
    copies.extents.push_back(dimValue(b, kernel, extent));
    copies.elements =
        fold<arith::MulIOp>(copies.elements, copies.extents.back());
  }
  DimTokens bytes = sum.bytes();
  copies.array = LocalOp::create(
      b, ArrayType::get(b.getContext(), elementOf(sum.array), 2),
      ValueRange{copies.elements, copyCount}, /*zeroed=*/false,
      attributeOf(b.getContext(), bytes),
      /*slot=*/IntegerAttr(), /*per_lane=*/false, /*per_slice=*/false,
      /*shared=*/true);
  return copies;
}

/// The number of an element, counted with the last dimension fastest.
Value Privatiser::number(const Copies &copies, ValueRange indices) {
  Value number = constant(0);
  for (auto [index, extent] : llvm::zip(indices, copies.extents))
    number = fold<arith::AddIOp>(fold<arith::MulIOp>(number, extent), index);
  return number;
}

Value Privatiser::identity(const PrivateSum &sum) {
  Type type = elementOf(sum.array);
  if (auto floats = dyn_cast<FloatType>(type))
    return arith::ConstantOp::create(
        b, b.getFloatAttr(
               floats, APFloat::getInf(floats.getFloatSemantics(),
                                       sum.kind == AccumulateKind::FMaxNan)));
  const unsigned width = type.getIntOrFloatBitWidth();
  auto value = [&] {
    switch (sum.kind) {
    case AccumulateKind::SMin:
      return APInt::getSignedMaxValue(width);
    case AccumulateKind::SMax:
      return APInt::getSignedMinValue(width);
    case AccumulateKind::And:
    case AccumulateKind::UMin:
      return APInt::getAllOnes(width);
    default:
      return APInt::getZero(width);
    }
  }();
  return arith::ConstantOp::create(b, b.getIntegerAttr(type, value));
}

Value Privatiser::ifAny(ParallelOp loop, Value several) {
  for (auto [lower, upper, step] :
       llvm::zip(loop.getLower(), loop.getUpper(), loop.getStep())) {
    Value isAny = b.createOrFold<arith::CmpIOp>(
        Predicate::sgt, tripCount(b, lower, upper, step), constant(0));
    several = b.createOrFold<arith::SelectOp>(isAny, several, constant(0));
  }
  return several;
}

void Privatiser::clear(const PrivateSum &sum, const Copies &copies) {
  b.setInsertionPoint(sum.loop);
  Value zero = constant(0), one = constant(1), value = identity(sum);
  Value count = fold<arith::MulIOp>(copies.elements, copyCount);
  auto loop = ParallelOp::create(
      b, ValueRange{zero}, ValueRange{ifAny(sum.loop, count)}, ValueRange{one});
  b.setInsertionPointToEnd(&loop.entry());
  // The rows of the copies are contiguous.
  StoreOp::create(b, value, copies.array,
                  ValueRange{zero, loop.entry().getArgument(0)});
  YieldOp::create(b, ValueRange());
}

void Privatiser::redirect(const PrivateSum &sum, const Copies &copies) {
  b.setInsertionPoint(sum.loop);
  Value mine = fold<arith::AndIOp>(LaneOp::create(b, b.getI64Type()),
                                   fold<arith::SubIOp>(copyCount, constant(1)));
  SmallVector<AccumulateOp> all;
  PrivateSum(sum).loop->walk([&](AccumulateOp op) {
    if (op.getArray() == sum.array)
      all.push_back(op);
  });
  for (AccumulateOp op : all) {
    b.setInsertionPoint(op);
    SmallVector<Value> indices = {number(copies, op.getIndices()), mine};
    op.getArrayMutable().set(copies.array);
    op.getIndicesMutable().assign(indices);
  }
}

/// Joins the copies of each element, and joins the result to the array's. Lanes
/// begin with different copies, so that they read from different banks.
void Privatiser::join(const PrivateSum &sum, const Copies &copies) {
  b.setInsertionPointAfter(sum.loop);
  Value zero = constant(0), one = constant(1);
  SmallVector<Value> uppers(copies.extents);
  uppers[0] = ifAny(sum.loop, uppers[0]);
  size_t rank = uppers.size();
  auto loop = ParallelOp::create(b, SmallVector<Value>(rank, zero), uppers,
                                 SmallVector<Value>(rank, one));
  b.setInsertionPointToEnd(&loop.entry());
  SmallVector<Value> indices(loop.entry().getArguments());
  Value element = number(copies, indices);
  Type type = elementOf(sum.array);
  Value total = LocalOp::create(
      b, ArrayType::get(b.getContext(), type, 1), ValueRange{one},
      /*zeroed=*/false, b.getStrArrayAttr({"16"}), /*slot=*/IntegerAttr(),
      /*per_lane=*/false, /*per_slice=*/false, /*shared=*/false);
  StoreOp::create(b, identity(sum), total, ValueRange{zero});
  auto each = ParallelOp::create(b, ValueRange{zero}, ValueRange{copyCount},
                                 ValueRange{one});
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToEnd(&each.entry());
    Value copy = fold<arith::AndIOp>(
        fold<arith::AddIOp>(each.entry().getArgument(0), element),
        fold<arith::SubIOp>(copyCount, one));
    Value part =
        LoadOp::create(b, type, copies.array, ValueRange{element, copy});
    AccumulateOp::create(b, sum.kind, part, total, ValueRange{zero});
    YieldOp::create(b, ValueRange());
  }
  Value all = LoadOp::create(b, type, total, ValueRange{zero});
  AccumulateOp::create(b, sum.kind, all, sum.array, indices);
  YieldOp::create(b, ValueRange());
}

/// The loads of a loop that read consecutive elements in consecutive
/// iterations, if the loop has a single small block and writes nothing that it
/// may read.
static SmallVector<ChunkedLoads::Load> wideLoads(ParallelOp loop) {
  constexpr unsigned maxOperations = 12;
  SmallVector<ChunkedLoads::Load> loads;
  unsigned operations = 0;
  for (Operation &op : loop.entry().without_terminator()) {
    auto load = dyn_cast<LoadOp>(op);
    auto accumulate = dyn_cast<AccumulateOp>(op);
    auto copies =
        accumulate ? accumulate.getArray().getDefiningOp<LocalOp>() : LocalOp();
    bool isOwn = copies && copies.getShared();
    if (++operations > maxOperations ||
        (!load && !isOwn && !isMemoryEffectFree(&op)))
      return {};
    if (!load)
      continue;
    if (auto dimension = consecutiveDimension(load.getIndices(), loop))
      loads.push_back({load, *dimension});
  }
  return loads;
}

/// Reads elements in chunks of 16 bytes where they are contiguous and aligned:
/// puts a loop over whole chunks ahead of the loop, which does the rest. The
/// copies do not depend on the order of iterations.
void Privatiser::readInChunks(ParallelOp loop) {
  if (loop.getLower().size() != 1 || !loop.getBody().hasOneBlock())
    return;
  constexpr int64_t inFlight = 4;
  auto together = b.getI64IntegerAttr(inFlight);
  loop->setAttr(togetherAttribute, together);
  SmallVector<ChunkedLoads::Load> loads = wideLoads(loop);
  unsigned widest = 1;
  for (ChunkedLoads::Load load : loads)
    widest = std::max(widest, storedSize(load.op.getType()));
  unsigned size = chunkBytes / widest;
  if (loads.empty() || size < 2 || !matchPattern(loop.getStep()[0], m_One()))
    return;
  b.setInsertionPoint(loop);
  Value lower = loop.getLower()[0], chunk = constant(size);
  Value count = arith::DivUIOp::create(
      b, tripCount(b, lower, loop.getUpper()[0], loop.getStep()[0]), chunk);
  for (ChunkedLoads::Load load : loads) {
    Value isWide = HasChunksOp::create(
        b, b.getI1Type(), load.op.getArray(),
        chunkIndices(b, load.op.getIndices(), load.dimension, lower),
        load.dimension, size);
    count = b.createOrFold<arith::SelectOp>(isWide, count, constant(0));
  }
  auto whole = ParallelOp::create(b, ValueRange{constant(0)}, ValueRange{count},
                                  ValueRange{constant(1)});
  whole->setAttr(togetherAttribute, together);
  loop.getLowerMutable()[0].set(
      fold<arith::AddIOp>(lower, fold<arith::MulIOp>(count, chunk)));

  b.setInsertionPointToEnd(&whole.entry());
  Value first = fold<arith::AddIOp>(
      lower, fold<arith::MulIOp>(whole.entry().getArgument(0), chunk));
  llvm::SmallDenseMap<Operation *, LoadChunkOp> chunks;
  for (ChunkedLoads::Load load : loads)
    chunks[load.op] = LoadChunkOp::create(
        b, SmallVector<Type>(size, load.op.getType()), load.op.getArray(),
        chunkIndices(b, load.op.getIndices(), load.dimension, first),
        load.dimension);
  for (unsigned i = 0; i < size; ++i) {
    IRMapping map;
    map.map(loop.entry().getArgument(0),
            fold<arith::AddIOp>(first, constant(i)));
    for (Operation &op : loop.entry().without_terminator())
      if (auto found = chunks.find(&op); found != chunks.end())
        map.map(op.getResult(0), found->second.getElements()[i]);
      else
        b.clone(op, map);
  }
  YieldOp::create(b, ValueRange());
}

void Privatiser::run() {
  SmallVector<PrivateSum> sums = privateSums(kernel);
  if (!kernel.getSharedExtents())
    kernel.setSharedExtentsAttr(sharedExtents(kernel));
  copyCount = kernel.entry().addArgument(b.getI64Type(), kernel.getLoc());
  kernel.setPrivatised(true);
  llvm::SmallSetVector<ParallelOp, 4> loops;
  for (const PrivateSum &sum : sums) {
    b.setLoc(PrivateSum(sum).loop.getLoc());
    Copies copies = makeCopies(sum);
    clear(sum, copies);
    redirect(sum, copies);
    join(sum, copies);
    loops.insert(sum.loop);
  }
  for (ParallelOp loop : loops) {
    b.setLoc(loop.getLoc());
    readInChunks(loop);
  }
}

void kern::ir::loop::privatise(KernelOp kernel) { Privatiser(kernel).run(); }
