//===- SharedDivisors.cpp - divisions by one number -----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A division has an approximate reciprocal, steps that correct it, and a test
// of ranges. Where several have one divisor s, as those of a row by its sum,
// they share the reciprocal r. If that is correctly rounded, so is
//
//   q + (x - s q) r   where q = x r
//
// with each product and sum rounded once (P. Markstein, "Computation of
// elementary functions on the IBM RISC System/6000 processor", 1990). It takes
// that x - s q is exact and that nothing overflows:
//
// - s is neither small nor large. Otherwise r is NaN.
// - x is not so small that the last bit of x - s q is below the least subnormal
//   number. It may be 0 if s is positive: the signs of the terms are such that
//   -0 gives -0 then.
// - The result is not NaN. It is where x is infinite or NaN, q overflows, or r
//   is NaN.
//
// After the divisions in a block that do not need each other, all of them are
// computed again if one of these fails, in a loop with a single division: it is
// seldom taken, and the driver translates each division anew.
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/nvptx/Passes.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <cmath>
#include <vector>

using namespace llvm;

namespace {

/// Of a type: exponents of 2 between which divisors lie, and of the least
/// dividend but 0.
struct Limits {
  int leastDivisor, largestDivisor, leastDividend;
};

/// Divisions by one number.
struct Divisor {
  WeakTrackingVH number; ///< may be such a division itself
  Value *reciprocal;     ///< NaN if the number is not ordinary
  Value *negative;       ///< of the reciprocal
  Value *ofZero;         ///< an integer: 0 if a dividend of 0 is rare, else -1
};

/// Divisions in one block, none of which needs the result of another.
struct Group {
  SmallVector<BinaryOperator *> divisions;
  SmallVector<Instruction *> users; ///< of results, in the block, in order

  bool needs(const Instruction &instruction) const {
    return any_of(instruction.operands(), [&](const Use &operand) {
      return is_contained(divisions, operand.get()) ||
             is_contained(users, operand.get());
    });
  }
};

using Divisions = SmallSetVector<BinaryOperator *, 16>;

} // namespace

static Limits limitsOf(const Type *type) {
  return type->isFloatTy() ? Limits{-32, 32, -90} : Limits{-300, 300, -600};
}

static Constant *power(Type *type, int exponent) {
  return ConstantFP::get(type, std::ldexp(1.0, exponent));
}

/// The division that an instruction is, if its result is the IEEE quotient by
/// something variable.
static BinaryOperator *divisionOf(Instruction &instruction) {
  const bool isDivision = instruction.getOpcode() == Instruction::FDiv &&
                          (instruction.getType()->isFloatTy() ||
                           instruction.getType()->isDoubleTy()) &&
                          !instruction.hasAllowReciprocal() &&
                          !instruction.hasApproxFunc();
  return isDivision && !isa<Constant>(instruction.getOperand(0)) &&
                 !isa<Constant>(instruction.getOperand(1))
             ? cast<BinaryOperator>(&instruction)
             : nullptr;
}

/// Where a number is first known.
static BasicBlock *blockOf(Value *number, Function &function) {
  auto *instruction = dyn_cast<Instruction>(number);
  return instruction ? instruction->getParent() : &function.getEntryBlock();
}

/// Those in loops that the number is not in.
static SmallPtrSet<BinaryOperator *, 16> repeatedOf(const Divisions &divisions,
                                                    const Loop *ofNumber,
                                                    const LoopInfo &loops) {
  SmallPtrSet<BinaryOperator *, 16> repeated;
  for (BinaryOperator *division : divisions) {
    const Loop *loop = loops.getLoopFor(division->getParent());
    if (loop && loop != ofNumber && (!ofNumber || ofNumber->contains(loop)))
      repeated.insert(division);
  }
  return repeated;
}

/// In front of what a reciprocal is computed: where all divisions come after,
/// outside of the loops that the number is not in.
static Instruction *placeFor(Value *number, const Divisions &divisions,
                             const DominatorTree &dominators,
                             const LoopInfo &loops) {
  BasicBlock *known = blockOf(number, *divisions[0]->getFunction());
  BasicBlock *place = divisions[0]->getParent();
  for (const BinaryOperator *division : divisions)
    place = dominators.findNearestCommonDominator(
        place, const_cast<BasicBlock *>(division->getParent()));
  for (const Loop *loop = loops.getLoopFor(place);
       loop && !loop->contains(known); loop = loops.getLoopFor(place)) {
    BasicBlock *before = loop->getLoopPredecessor();
    if (!before)
      break;
    place = before;
  }
  for (Instruction &instruction : *place)
    if (auto *division = dyn_cast<BinaryOperator>(&instruction);
        division && divisions.contains(division))
      return division;
  return place->getTerminator();
}

static IntegerType *bitsOf(Type *type) {
  return IntegerType::get(type->getContext(), type->getScalarSizeInBits());
}

static Divisor makeReciprocal(Value *number, Instruction *place) {
  IRBuilder<> b(place);
  Type *type = number->getType();
  const Limits limits = limitsOf(type);
  Value *size = b.CreateUnaryIntrinsic(Intrinsic::fabs, number);
  Value *isOrdinary =
      b.CreateAnd(b.CreateFCmpOGE(size, power(type, limits.leastDivisor)),
                  b.CreateFCmpOLE(size, power(type, limits.largestDivisor)));
  // A division of what may not be 1 has the rare paths of the others, which the
  // driver translates once.
  Value *one =
      b.CreateSelect(isOrdinary, power(type, 0), ConstantFP::getNaN(type));
  Value *reciprocal = b.CreateFDiv(one, number);
  Value *isPositive = b.CreateFCmpOGT(number, ConstantFP::getZero(type));
  return {number, reciprocal, b.CreateFNeg(reciprocal),
          b.CreateSExt(isPositive, bitsOf(type))};
}

/// The first of `wanted` in a block.
static Group firstGroup(BasicBlock &block, const Divisions &wanted) {
  Group group;
  for (Instruction &instruction : block) {
    const bool isUser = group.needs(instruction);
    if (auto *division = dyn_cast<BinaryOperator>(&instruction);
        division && wanted.contains(division)) {
      if (isUser)
        break;
      group.divisions.push_back(division);
    } else if (isUser) {
      const auto *call = dyn_cast<CallBase>(&instruction);
      if (instruction.isTerminator() || instruction.mayReadOrWriteMemory() ||
          (call && call->isConvergent()))
        break;
      group.users.push_back(&instruction);
    }
  }
  return group;
}

/// Whether a dividend is too small.
static Value *isTiny(IRBuilder<> &b, Value *dividend, const Divisor &by) {
  Type *type = dividend->getType();
  const auto *least =
      cast<ConstantFP>(power(type, limitsOf(type).leastDividend));
  const APInt size = least->getValueAPF().bitcastToAPInt().shl(1);
  // Without the sign. Less 1, 0 is the largest.
  Value *doubled = b.CreateShl(b.CreateBitCast(dividend, bitsOf(type)), 1);
  return b.CreateICmpULT(b.CreateAdd(doubled, by.ofZero),
                         ConstantInt::get(bitsOf(type), size - 1));
}

/// The quotient, or anything where isTiny() says so; NaN where it is not right
/// otherwise.
static Value *quotient(IRBuilder<> &b, Value *dividend, const Divisor &by) {
  auto fma = [&](Value *x, Value *y, Value *z) {
    return b.CreateIntrinsic(Intrinsic::fma, {x->getType()}, {x, y, z});
  };
  Value *rough = b.CreateFMul(dividend, by.reciprocal);
  Value *excess = fma(by.number, rough, b.CreateFNeg(dividend));
  return fma(excess, by.negative, rough);
}

/// Computes the divisions of a group between two blocks: if there are several,
/// in a loop in which each takes its turn. Returns their results.
static SmallVector<Value *> divideInTurn(const Group &group, const Divisor &by,
                                         BasicBlock *before, BasicBlock *block,
                                         BasicBlock *after) {
  const size_t count = group.divisions.size();
  IRBuilder<> b(block);
  if (count == 1) {
    Value *result = b.CreateFDiv(group.divisions[0]->getOperand(0), by.number);
    b.CreateBr(after);
    return {result};
  }
  SmallVector<PHINode *> dividends;
  for (BinaryOperator *division : group.divisions) {
    dividends.push_back(b.CreatePHI(division->getType(), 2));
    dividends.back()->addIncoming(division->getOperand(0), before);
  }
  PHINode *turn = b.CreatePHI(b.getInt32Ty(), 2);
  turn->addIncoming(b.getInt32(0), before);
  SmallVector<Value *> rotated(dividends.begin() + 1, dividends.end());
  rotated.push_back(b.CreateFDiv(dividends[0], by.number));
  for (auto [dividend, next] : zip(dividends, rotated))
    dividend->addIncoming(next, block);
  Value *next = b.CreateAdd(turn, b.getInt32(1));
  turn->addIncoming(next, block);
  BranchInst *latch = b.CreateCondBr(
      b.CreateICmpULT(next, b.getInt32(unsigned(count))), block, after);
  LLVMContext &context = b.getContext();
  MDNode *rolled =
      MDNode::get(context, MDString::get(context, "llvm.loop.unroll.disable"));
  MDNode *loop = MDNode::getDistinct(context, {nullptr, rolled});
  loop->replaceOperandWith(0, loop);
  latch->setMetadata(LLVMContext::MD_loop, loop);
  return rotated;
}

/// Computes the divisions of a group by the reciprocal, or all of them again.
static void divide(const Group &group, const Divisor &by) {
  BinaryOperator *last = group.divisions.back();
  Instruction *place = last;
  for (Instruction *user : group.users)
    if (user->comesBefore(last)) {
      user->moveAfter(place);
      place = user;
    }
  IRBuilder<> b(last);
  Value *isRare = b.getFalse();
  SmallVector<Value *> results;
  for (BinaryOperator *division : group.divisions) {
    b.SetInsertPoint(division);
    results.push_back(quotient(b, division->getOperand(0), by));
  }
  b.SetInsertPoint(last);
  for (BinaryOperator *division : group.divisions)
    isRare = b.CreateOr(isRare, isTiny(b, division->getOperand(0), by));
  // Two at a time.
  for (size_t k = 0; k < results.size(); k += 2)
    isRare = b.CreateOr(
        isRare, b.CreateFCmpUNO(results[k],
                                results[std::min(k + 1, results.size() - 1)]));
  BasicBlock *before = last->getParent();
  BasicBlock *after = SplitBlock(before, last);
  BasicBlock *rare =
      BasicBlock::Create(before->getContext(), "", before->getParent(), after);
  before->getTerminator()->eraseFromParent();
  b.SetInsertPoint(before);
  b.CreateCondBr(isRare, rare, after,
                 MDBuilder(b.getContext()).createUnlikelyBranchWeights());
  const SmallVector<Value *> again =
      divideInTurn(group, by, before, rare, after);
  for (auto [division, result, other] : zip(group.divisions, results, again)) {
    b.SetInsertPoint(after, after->begin());
    PHINode *either = b.CreatePHI(division->getType(), 2);
    either->addIncoming(result, before);
    either->addIncoming(other, rare);
    division->replaceAllUsesWith(either);
    division->eraseFromParent();
  }
}

void kern::compiler::nvptx::shareReciprocals(Function &function) {
  MapVector<Value *, Divisions> all;
  for (Instruction &instruction : instructions(function))
    if (BinaryOperator *division = divisionOf(instruction))
      all[division->getOperand(1)].insert(division);
  if (all.empty())
    return;
  DominatorTree dominators(function);
  const LoopInfo loops(dominators);
  struct Shared {
    Divisor by;
    Divisions divisions;
    SmallPtrSet<BinaryOperator *, 16> repeated;
  };
  std::vector<Shared> shared;
  for (auto &[number, divisions] : all) {
    constexpr size_t few = 4;
    const Loop *loop = loops.getLoopFor(blockOf(number, function));
    auto repeated = repeatedOf(divisions, loop, loops);
    if (divisions.size() >= few || !repeated.empty())
      shared.push_back({makeReciprocal(number, placeFor(number, divisions,
                                                        dominators, loops)),
                        std::move(divisions), std::move(repeated)});
  }
  for (auto &[by, divisions, repeated] : shared)
    while (!divisions.empty()) {
      const Group group = firstGroup(*divisions[0]->getParent(), divisions);
      for (BinaryOperator *division : group.divisions)
        divisions.remove(division);
      // One alone gains less than the code of both ways costs.
      if (group.divisions.size() > 1 || repeated.contains(group.divisions[0]))
        divide(group, by);
    }
}
