//===- ResidentRows.cpp - rows that several loops read --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/ResidentRows.h"

#include "dialects/LoopToLLVM/GroupSharing.h"
#include "dialects/LoopToLLVM/KernelBuilder.h"
#include "dialects/LoopToLLVM/Ranges.h"
#include "runtime/artefact/Nest.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace kern::ir::loop;

using Row = ResidentRows::Row;
using Loop = ResidentRows::Loop;

namespace {
/// A range in steps of 1.
struct UnitRange {
  Value lower, upper;
  bool operator==(const UnitRange &other) const {
    return isSameIndex(lower, other.lower) && upper == other.upper;
  }
};
} // namespace

/// A loop's single range; nothing for any other.
static std::optional<UnitRange> rangeOf(Operation *op) {
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return matchPattern(reduce.getStep(), m_One())
               ? std::optional<UnitRange>(
                     {reduce.getLower(), reduce.getUpper()})
               : std::nullopt;
  auto parallel = dyn_cast<ParallelOp>(op);
  if (!parallel || parallel.getUpper().size() != 1 ||
      !matchPattern(parallel.getStep()[0], m_One()))
    return std::nullopt;
  return {{parallel.getLower()[0], parallel.getUpper()[0]}};
}

static bool readsSame(const Row &row, ChunkedLoads::Load load) {
  LoadOp op = load.op;
  if (row.array != op.getArray() || row.dimension != load.dimension)
    return false;
  for (auto [d, a, b] : llvm::enumerate(row.indices, op.getIndices()))
    if (d != row.dimension && !isSameIndex(a, b))
      return false;
  return true;
}

/// Whether consecutive elements lie in chunks wherever those of operands do,
/// which is known of a call: rows of a local array of several dimensions begin
/// anywhere, and its columns are apart.
static bool liesInChunks(Value array) {
  auto local = array.getDefiningOp<LocalOp>();
  return local ? cast<ArrayType>(array.getType()).getRank() == 1
               : isa<BlockArgument>(array);
}

/// Whether the chunks of a loop can be loaded and stored at once.
static bool goesInChunks(Operation *op, ArrayRef<ChunkedLoads::Load> loads) {
  return llvm::all_of(loads,
                      [](ChunkedLoads::Load load) {
                        return liesInChunks(load.op.getArray());
                      }) &&
         llvm::all_of(op->getRegion(0).front().getOps<StoreOp>(),
                      [&](StoreOp store) {
                        return !consecutiveDimension(store.getIndices(), op) ||
                               liesInChunks(store.getArray());
                      });
}

/// Whether all iterations of a lane can be unrolled, a chunk at a time: the
/// body has only loads of chunks, arithmetic, and stores at the end.
static bool canWriteOut(Operation *op, ArrayRef<ChunkedLoads::Load> loads,
                        unsigned chunk) {
  constexpr unsigned maxOperations = 96, operationsOfCall = 8;
  unsigned operations = 0;
  bool hasStored = false;
  for (Operation &inner : op->getRegion(0).front().without_terminator()) {
    bool isCall = isa<func::CallOp>(inner);
    operations += isCall ? operationsOfCall : 1;
    if (isa<StoreOp>(inner)) {
      hasStored = true;
      continue;
    }
    bool isLoad = isa<LoadOp>(inner);
    if (isLoad && (hasStored || llvm::none_of(loads, [&](const auto &load) {
                     return load.op == &inner;
                   })))
      return false;
    if (inner.getNumRegions() ||
        !(isLoad || isCall || isMemoryEffectFree(&inner)))
      return false;
  }
  return operations * chunk <= maxOperations;
}

/// The loops over a range.
static SmallVector<Loop> loopsOver(KernelOp kernel, UnitRange range,
                                   unsigned chunk) {
  SmallVector<Loop> loops;
  for (Operation &op : kernel.entry()) {
    if (!isa<ReduceOp, ParallelOp>(op) || rangeOf(&op) != range ||
        runsInOrder(&op) || !op.getRegion(0).hasOneBlock())
      continue;
    Loop loop{&op, consecutiveLoads(&op), {}};
    auto chunks =
        isa<ReduceOp>(op) ? chunkedLoads(cast<ReduceOp>(op)) : std::nullopt;
    if (isa<ReduceOp>(op) && (!chunks || chunks->size != chunk))
      continue;
    if (canWriteOut(&op, loop.loads, chunk) && goesInChunks(&op, loop.loads))
      loops.push_back(std::move(loop));
  }
  return loops;
}

/// The rows that several of the loops read, and nothing writes.
static SmallVector<Row> sharedRows(KernelOp kernel, ArrayRef<Loop> loops) {
  struct Found {
    Row row;
    SmallPtrSet<Operation *, 4> readers;
  };
  SmallVector<Found> all;
  SmallPtrSet<Value, 4> written;
  kernel->walk([&](Operation *op) {
    if (isa<StoreOp, AccumulateOp>(op))
      written.insert(accessedArray(op));
  });
  for (const Loop &loop : loops)
    for (ChunkedLoads::Load load : loop.loads) {
      if (written.contains(load.op.getArray()))
        continue;
      auto *at = llvm::find_if(
          all, [&](const Found &found) { return readsSame(found.row, load); });
      if (at == all.end()) {
        all.push_back(
            {{load.op.getArray(), SmallVector<Value>(load.op.getIndices()),
              load.dimension},
             {}});
        at = &all.back();
      }
      at->readers.insert(loop.op);
    }
  SmallVector<Row> rows;
  for (Found &found : all)
    if (found.readers.size() > 1)
      rows.push_back(std::move(found.row));
  return rows;
}

std::optional<ResidentRows> kern::ir::loop::residentRows(KernelOp kernel) {
  constexpr unsigned elementsOfLane = 32, maxRows = 2;
  constexpr unsigned maxChunks = kern::runtime::maxResidentChunks;
  if (kernel.isUfunc() || kernel.getChecks() || !kernel.getBody().hasOneBlock())
    return std::nullopt;
  // The range of the first reduction that has chunks. Slices each have a part
  // of it.
  const bool isSlice = kernel.getLaunches().has_value();
  ResidentRows out;
  for (auto reduce : kernel.entry().getOps<ReduceOp>())
    if (auto chunks = chunkedLoads(reduce);
        chunks && rangeOf(reduce) &&
        (isSlice || matchPattern(reduce.getLower(), m_Zero()))) {
      out.lower = reduce.getLower();
      out.upper = reduce.getUpper();
      out.chunk = chunks->size;
      break;
    }
  if (!out.upper)
    return std::nullopt;
  if (!isSlice) {
    auto expression = dimExpression(kernel, out.upper);
    if (!expression)
      return std::nullopt;
    out.extentExpression = std::move(*expression);
  }
  out.loops = loopsOver(kernel, {out.lower, out.upper}, out.chunk);
  out.rows = sharedRows(kernel, out.loops);
  if (out.rows.empty() || out.rows.size() > maxRows)
    return std::nullopt;
  // Rows are read before the first loop.
  for (const Row &row : out.rows)
    for (auto [d, index] : llvm::enumerate(row.indices)) {
      Operation *maker = index.getDefiningOp();
      if (d != row.dimension && maker &&
          !maker->hasTrait<OpTrait::ConstantLike>() &&
          !maker->isBeforeInBlock(out.loops.front().op))
        return std::nullopt;
    }
  out.chunks = std::min(maxChunks, elementsOfLane / out.chunk) /
               unsigned(out.rows.size());
  if (out.chunks == 0)
    return std::nullopt;
  for (Loop &loop : out.loops)
    for (ChunkedLoads::Load load : loop.loads) {
      auto *at = llvm::find_if(
          out.rows, [&](const Row &row) { return readsSame(row, load); });
      loop.rows.push_back(at == out.rows.end()
                              ? std::nullopt
                              : std::optional(unsigned(at - out.rows.begin())));
    }
  return out;
}

void ResidentRows::hoistConstants(KernelOp kernel) const {
  auto hoist = [&](Value value) {
    if (matchPattern(value, m_Constant()))
      value.getDefiningOp()->moveBefore(&kernel.entry(),
                                        kernel.entry().begin());
  };
  hoist(lower);
  for (const Row &row : rows)
    llvm::for_each(row.indices, hoist);
}

bool kern::ir::loop::mayFetchRows(KernelOp kernel) {
  if (kernel.numFlat())
    return false;
  auto rows = residentRows(kernel);
  return rows && llvm::all_of(rows->rows, [&](const Row &row) {
           auto array = dyn_cast<BlockArgument>(row.array);
           bool isInput = array && llvm::is_contained(kernel.inputs(), array);
           return isInput &&
                  llvm::all_of(llvm::enumerate(row.indices), [&](auto index) {
                    return index.index() == row.dimension ||
                           matchPattern(index.value(), m_Constant());
                  });
         });
}

void kern::ir::loop::fetchAhead(KernelOp kernel) {
  Type word = IntegerType::get(kernel.getContext(), 64);
  auto arrays = llvm::count_if(kernel.inputs(), [](BlockArgument input) {
    return isa<ArrayType>(input.getType());
  });
  for (ptrdiff_t k = 0; k < arrays; ++k)
    kernel.entry().addArgument(word, kernel.getLoc());
  kernel.setAhead(true);
}
