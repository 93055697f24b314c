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

/// Allots memory for several strips of what a loop reads: more than two if a
/// thread then still needs little, so that a block of several warps fits. Or,
/// where a warp has few loop elements, for longer strips.
static void makeRoom(StagePlan &plan, bool isSpread) {
  constexpr int64_t many = 4, little = 1024;
  constexpr int64_t longest = 128, ofWarp = 48 << 10;
  auto bytesWith = [&](int64_t strip, int64_t strips) {
    int64_t sum = 0;
    for (const Staging &staging : plan.arrays) {
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

/// Stages what a loop reads and writes one element after the other. An array
/// that is written must be written in each iteration, and not be read: only
/// threads with a loop element may write to memory.
Found<StagePlan> kern::ir::loop::stripPlanOf(KernelOp kernel, bool isSpread) {
  StagePlan plan;
  Found<OrderedLoop> loop = findOrderedLoop(kernel);
  if (loop.obstacle())
    return *loop.obstacle();
  if (!loop)
    return {};
  plan.loop = *loop;
  constexpr size_t maxArrays = 6;
  DominanceInfo dominance(kernel);
  for (Value array : arraysOf(kernel)) {
    bool writes = isWritten(array), reads = isRead(array);
    if (writes && reads)
      return Obstacle{"`{0}` is both read and written",
                      (*array.getUsers().begin())->getLoc()};
    for (Operation *op : array.getUsers()) {
      std::optional<unsigned> dimension = plan.loop->dimensionOf(op);
      if (writes && (!dimension || !array.hasOneUse() ||
                     !plan.loop->runsAlways(op, dominance)))
        return Obstacle{"not every iteration writes one element of `{0}`",
                        op->getLoc()};
      // Elements are fetched ahead of their iteration, which must therefore
      // read them: others may be out of range.
      if (!dimension || !plan.loop->runsAlways(op, dominance))
        continue; // read from memory
      auto same = [&](const Staging &other) {
        return other.array == array &&
               plan.loop->isSamePlace(other.uses.front(), op);
      };
      auto *found = llvm::find_if(plan.arrays, same);
      if (found != plan.arrays.end()) {
        found->uses.push_back(op);
        continue;
      }
      if (plan.arrays.size() == maxArrays) {
        if (writes)
          return Obstacle{"there are too many arrays", op->getLoc()};
        continue;
      }
      plan.arrays.push_back({array,
                             *operandOf(kernel, array),
                             *dimension,
                             {},
                             !writes,
                             writes,
                             {op},
                             std::nullopt});
    }
  }
  if (plan.arrays.empty())
    return {};
  makeRoom(plan, isSpread);
  return plan;
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
