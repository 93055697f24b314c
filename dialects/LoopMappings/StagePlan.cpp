//===- StagePlan.cpp - what a staged kernel stages ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopMappings/StagePlan.h"

#include "dialects/LoopMappings/Affine.h"
#include "dialects/LoopMappings/CoreExtents.h"
#include "dialects/LoopToLLVM/Chunk.h"
#include "dialects/LoopToLLVM/GroupSharing.h"
#include "dialects/LoopToLLVM/KernelBuilder.h"
#include "dialects/LoopToLLVM/Locals.h"
#include "dialects/LoopToLLVM/LoopLowering.h"

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace kern::ir::loop;
using kern::runtime::DimToken;
using Token = DimToken::Kind;

std::optional<uint64_t>
kern::ir::loop::constantCount(ArrayRef<DimTokens> extents) {
  uint64_t count = 1;
  for (const DimTokens &extent : extents)
    if (extent.size() != 1 || extent[0].kind != Token::Integer ||
        __builtin_mul_overflow(count, uint64_t(extent[0].value), &count))
      return std::nullopt;
  return count;
}

DimTokens kern::ir::loop::pitchOf(Value array, ArrayRef<DimTokens> extents,
                                  bool isChunked) {
  Type element = cast<ArrayType>(array.getType()).getElementType();
  unsigned size = storedSize(element), word = std::max(4u, size);
  if (isChunked)
    return {DimToken::integer(
        int64_t(chunkedPitch(*constantCount(extents) * size)))};
  DimTokens tokens = {DimToken::integer(size)};
  for (const DimTokens &extent : extents) {
    llvm::append_range(tokens, extent);
    tokens.append({DimToken::integer(0), Token::Max, Token::Multiply});
  }
  const DimToken one = DimToken::integer(1), two = DimToken::integer(2),
                 ofWord = DimToken::integer(word);
  tokens.append({DimToken::integer(word - 1), Token::Add, ofWord,
                 Token::FloorDivide, two, Token::FloorDivide, two,
                 Token::Multiply, one, Token::Add, ofWord, Token::Multiply});
  return tokens;
}

static bool isRead(Value array) {
  return llvm::any_of(array.getUsers(), [](Operation *op) {
    return isa<LoadOp, AccumulateOp>(op);
  });
}
static bool isWritten(Value array) {
  return llvm::any_of(array.getUsers(), [](Operation *op) {
    return isa<StoreOp, AccumulateOp>(op);
  });
}

/// The arrays among a kernel's operands.
static SmallVector<Value> arraysOf(KernelOp kernel) {
  SmallVector<Value> arrays;
  for (BlockArgument argument : kernel.entry().getArguments())
    if (isa<ArrayType>(argument.getType()))
      arrays.push_back(argument);
  return arrays;
}

/// Lets what loops take use the tiles of earlier loops.
static void shareTilesOfLoops(StagePlan &plan) {
  for (auto [i, staging] : llvm::enumerate(plan.arrays))
    for (size_t j = 0; j < i && !staging.placeOf; ++j) {
      const Staging &earlier = plan.arrays[j];
      const bool isTaken =
          llvm::any_of(ArrayRef(plan.arrays).take_front(i), [&](auto &other) {
            return other.loop == staging.loop && other.placeOf == j;
          });
      if (earlier.loop < staging.loop && !earlier.placeOf && !isTaken &&
          earlier.isRead == staging.isRead &&
          cast<ArrayType>(earlier.array.getType()).getElementType() ==
              cast<ArrayType>(staging.array.getType()).getElementType())
        staging.placeOf = j;
    }
}

/// Allots memory for several strips of what loops read: more than two if a
/// thread then still needs little, so that a block of several warps fits. Or,
/// where a warp has few loop elements, for longer strips.
static void makeRoom(StagePlan &plan, bool isSpread) {
  constexpr int64_t many = 4, little = 1024;
  constexpr int64_t longest = 128, ofWarp = 48 << 10;
  auto bytesWith = [&](int64_t strip, int64_t strips) {
    int64_t sum = 0;
    for (const Staging &staging : plan.arrays) {
      if (staging.placeOf)
        continue;
      Type element = cast<ArrayType>(staging.array.getType()).getElementType();
      int64_t elements = staging.isRead ? strips * strip : strip;
      sum += int64_t(chunkedPitch(uint64_t(elements) * storedSize(element)));
    }
    return sum;
  };
  for (int64_t strip = longest; isSpread && strip > plan.strip; strip /= 2)
    if (bytesWith(strip, plan.strips) * kern::runtime::spreadElements <= ofWarp)
      plan.strip = strip;
  if (bytesWith(plan.strip, many) <= little)
    plan.strips = many;
  for (Staging &staging : plan.arrays)
    staging.extents = {{std::to_string(staging.isRead ? plan.strips * plan.strip
                                                      : plan.strip)}};
}

namespace {
/// Collects what loops in order can stage.
class StripPlanner {
public:
  StripPlanner(KernelOp kernel, ArrayRef<OrderedLoop> loops)
      : kernel(kernel), dominance(kernel) {
    plan.loops.assign(loops.begin(), loops.end());
  }

  Found<StagePlan> run(bool isSpread) {
    for (Value array : arraysOf(kernel))
      if (std::optional<Obstacle> obstacle = add(array))
        return *obstacle;
    if (plan.arrays.empty())
      return {};
    // Loop by loop.
    SmallVector<Staging, 4> all;
    for (unsigned k = 0; k < plan.loops.size(); ++k)
      llvm::copy_if(plan.arrays, std::back_inserter(all),
                    [&](const Staging &staging) { return staging.loop == k; });
    plan.arrays = std::move(all);
    shareTilesOfLoops(plan);
    makeRoom(plan, isSpread);
    return plan;
  }

private:
  std::optional<Obstacle> add(Value array);
  bool addUse(Value array, Operation *op, unsigned loop, unsigned dimension,
              bool writes);

  KernelOp kernel;
  DominanceInfo dominance;
  StagePlan plan;
};
} // namespace

/// False if the loop has too many arrays.
bool StripPlanner::addUse(Value array, Operation *op, unsigned loop,
                          unsigned dimension, bool writes) {
  constexpr ptrdiff_t maxArrays = 6;
  auto *found = llvm::find_if(plan.arrays, [&](const Staging &other) {
    return other.array == array && other.loop == loop &&
           plan.loops[loop].isSamePlace(other.uses.front(), op);
  });
  if (found != plan.arrays.end()) {
    found->uses.push_back(op);
    return true;
  }
  if (llvm::count_if(plan.arrays, [&](const Staging &other) {
        return other.loop == loop;
      }) == maxArrays)
    return false;
  plan.arrays.push_back({array,
                         *operandOf(kernel, array),
                         dimension,
                         {},
                         !writes,
                         writes,
                         {op},
                         std::nullopt,
                         loop});
  return true;
}

/// An array that is written must be written in each iteration of one loop, and
/// not be read: only threads with a loop element may write to memory.
std::optional<Obstacle> StripPlanner::add(Value array) {
  const bool writes = isWritten(array);
  if (writes && isRead(array))
    return Obstacle{"`{0}` is both read and written",
                    (*array.getUsers().begin())->getLoc()};
  for (Operation *op : array.getUsers()) {
    const auto *loop = llvm::find_if(
        plan.loops, [&](const OrderedLoop &each) { return each.contains(op); });
    // Elements are fetched ahead of their iteration, which must therefore read
    // them: others may be out of range.
    std::optional<unsigned> dimension;
    if (loop != plan.loops.end() && loop->runsAlways(op, dominance))
      dimension = loop->dimensionOf(op);
    if (writes && !(dimension && array.hasOneUse()))
      return Obstacle{"not every iteration writes one element of `{0}`",
                      op->getLoc()};
    if (dimension &&
        !addUse(array, op, unsigned(loop - plan.loops.begin()), *dimension,
                writes) &&
        writes)
      return Obstacle{"there are too many arrays", op->getLoc()};
  }
  return std::nullopt;
}

Found<StagePlan> kern::ir::loop::stripPlanOf(KernelOp kernel, bool isSpread) {
  Found<SmallVector<OrderedLoop>> loops = orderedLoops(kernel);
  if (loops)
    return StripPlanner(kernel, *loops).run(isSpread);
  if (loops.obstacle())
    return *loops.obstacle();
  return {};
}

bool kern::ir::loop::hasOrderedLoops(KernelOp kernel) {
  Region &body = kernel.getBody();
  SmallVector<Block *> ofPranges;
  for (Block &block : body) {
    if (!block.getOps<ReduceOp>().empty() || !block.getOps<ScanOp>().empty())
      return false;
    if (llvm::any_of(block.getOps<ParallelOp>(),
                     [](ParallelOp prange) { return !runsInOrder(prange); }))
      ofPranges.push_back(&block);
  }
  if (ofPranges.empty() || body.hasOneBlock() || kernel.getStaged())
    return false;
  DominanceInfo dominance(kernel);
  CFGLoopInfo loops(dominance.getDomTree(&body));
  return !loops.empty() && llvm::none_of(ofPranges, [&](Block *block) {
    return loops.getLoopFor(block);
  });
}

/// Lowers a prange to a loop in order. From 0 on in steps of 1 that goes up to
/// its bound, as one that is written so: no count of iterations is needed.
static void orderPrange(ParallelOp prange) {
  Block *before = prange->getBlock();
  Value upper = prange.getUpper()[0];
  const bool countsUp = prange.getUpper().size() == 1 &&
                        matchPattern(prange.getLower()[0], m_Zero()) &&
                        matchPattern(prange.getStep()[0], m_One());
  lowerLoop(prange, {});
  if (!countsUp)
    return;
  auto test = cast<cf::CondBranchOp>(before->getSuccessor(0)->getTerminator());
  test.getCondition().getDefiningOp<arith::CmpIOp>().getRhsMutable().assign(
      upper);
}

void kern::ir::loop::orderPranges(KernelOp kernel) {
  if (!hasOrderedLoops(kernel))
    return;
  SmallVector<ParallelOp> pranges;
  for (Block &block : kernel.getBody())
    llvm::append_range(pranges, block.getOps<ParallelOp>());
  llvm::for_each(pranges, orderPrange);
}

/// Lets results use the tiles of inputs of the same shape and type.
static void shareTiles(StagePlan &plan, unsigned numInputs) {
  for (Staging &result : plan.arrays) {
    if (result.operand < numInputs)
      continue;
    for (auto [i, input] : llvm::enumerate(plan.arrays)) {
      bool isTaken = llvm::any_of(plan.arrays, [&](const Staging &other) {
        return other.placeOf == i;
      });
      if (input.operand >= numInputs || input.isWritten || isTaken ||
          input.array.getType() != result.array.getType() ||
          input.extents != result.extents)
        continue;
      result.placeOf = i;
      break;
    }
  }
}

/// Whether each array is small enough for a thread's copy.
static bool fitCopies(const StagePlan &plan) {
  // 16 * 16 values of 32 bits; the runtime asks for constant extents up to
  // there (Schedule.cpp), give or take the pitch.
  constexpr uint64_t maxBytes = 1040;
  return llvm::all_of(plan.arrays, [](const Staging &staging) {
    std::optional<uint64_t> count = constantCount(staging.extents);
    Type element = cast<ArrayType>(staging.array.getType()).getElementType();
    return count && *count > 0 && *count <= maxBytes / storedSize(element);
  });
}

/// Stages whole arrays of a kernel. Groups of lanes take rows of any length
/// without staging.
static bool planWhole(KernelOp kernel, StagePlan &plan) {
  if (llvm::range_size(kernel.getBody().getOps<ReturnOp>()) != 1)
    return false;
  bool isRows = kernel.getBody().hasOneBlock(), isConstant = true;
  for (Value array : arraysOf(kernel)) {
    auto extents = extentsOf(kernel, array);
    if (!extents)
      return false;
    std::optional<unsigned> operand = operandOf(kernel, array);
    bool isInput = *operand < kernel.getNumInputs();
    isRows &= extents->size() == 1;
    isConstant &= constantCount(*extents).has_value();
    plan.arrays.push_back({array, *operand, unsigned(extents->size() - 1),
                           std::move(*extents), isInput, isWritten(array),
                           SmallVector<Operation *>(array.getUsers()),
                           std::nullopt});
  }
  // What it does not write keeps its value.
  for (auto [staging, isWhole] :
       llvm::zip(plan.arrays, areWrittenWhole(kernel, plan.arrays)))
    staging.isRead |= !isWhole;
  shareTiles(plan, kernel.getNumInputs());
  plan.hasCopies = fitCopies(plan);
  return !plan.arrays.empty() && (isConstant || !isRows);
}

Found<StagePlan> kern::ir::loop::stagePlanOf(KernelOp kernel, bool isSpread) {
  if (kernel.isUfunc() || kernel.getChecks())
    return {};
  Found<StagePlan> plan = stripPlanOf(kernel, isSpread);
  if (!plan) {
    StagePlan whole;
    if (!planWhole(kernel, whole))
      return plan;
    plan = whole;
  }
  for (LocalOp local : kernel.entry().getOps<LocalOp>())
    if (!constantBytes(local) && extentsOf(kernel, local.getResult()))
      plan->locals.push_back(local);
  return plan;
}
