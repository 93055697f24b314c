//===- RunningExtremes.cpp - minima and maxima that loops carry -----------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `if x > m: m = x` in a loop is the maximum, but for NaN and the sign of zero:
// both depend on the order of the elements. So a copy of the loop comes first,
// which may reorder and which looks for these. The loop itself runs only if
// they could matter. Its bits are those of the copy otherwise.
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/host/Passes.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {
/// A value that a loop replaces by each element that is better.
struct Extreme {
  PHINode *value;
  Instruction *next;
  Value *element;
  bool isMaximum;
  /// No element that is NaN replaces a number.
  bool ignoresNan;
  /// fmin() and fmax(): -0.0 is less than 0.0.
  bool ordersZeros;
};

/// Of a loop of one block.
class RunningExtremes {
public:
  explicit RunningExtremes(Loop &loop)
      : before(loop.getLoopPreheader()), block(loop.getHeader()),
        after(loop.getExitBlock()) {}

  /// Whether the loop computes extremes and nothing else, so that it can run
  /// twice.
  bool find();
  void split();

private:
  /// What the copy of an extreme is, behind the copy of the loop.
  struct Copied {
    Value *start, *last, *marks;
  };

  std::optional<Extreme> extremeOf(PHINode &phi) const;
  bool isCounter(PHINode &phi) const;
  Copied copy(const Extreme &extreme, ValueToValueMapTy &map, BasicBlock *fast,
              BasicBlock *done);
  static Value *needsOrder(IRBuilder<> &b, const Extreme &extreme,
                           Copied &copied);

  BasicBlock *before, *block, *after;
  SmallVector<Extreme> extremes;
};

// What was seen in a loop's elements: bits of its marks.
constexpr uint64_t sawNan = 1, sawNegativeZero = 2;
} // namespace

static bool isNan(Value *condition, Value *value) {
  return match(condition,
               m_SpecificFCmp(FCmpInst::FCMP_UNO, m_Specific(value),
                              m_CombineOr(m_Specific(value), m_AnyZeroFP())));
}

/// `next` is fmax(value, element), as KernToLoop writes it, or fmin.
static std::optional<Extreme> ignoringExtreme(PHINode &phi,
                                              SelectInst &choice) {
  Value *element = choice.getTrueValue();
  auto *other = dyn_cast<SelectInst>(choice.getFalseValue());
  if (!other || !isNan(choice.getCondition(), &phi) ||
      !isNan(other->getCondition(), element) || other->getTrueValue() != &phi)
    return std::nullopt;
  Value *both = other->getFalseValue();
  auto isOfBoth = [&](Intrinsic::ID id) {
    auto *call = dyn_cast<IntrinsicInst>(both);
    if (!call || call->getIntrinsicID() != id)
      return false;
    Value *x = call->getArgOperand(0), *y = call->getArgOperand(1);
    return (x == &phi && y == element) || (x == element && y == &phi);
  };
  const bool isMaximum = isOfBoth(Intrinsic::maximum);
  if (!isMaximum && !isOfBoth(Intrinsic::minimum))
    return std::nullopt;
  return Extreme{&phi,
                 &choice,
                 element,
                 isMaximum,
                 /*ignoresNan=*/true,
                 /*ordersZeros=*/true};
}

/// `next` is the element if a comparison says so, else the value.
static std::optional<Extreme> comparedExtreme(PHINode &phi,
                                              SelectInst &choice) {
  auto *comparison = dyn_cast<FCmpInst>(choice.getCondition());
  if (!comparison)
    return std::nullopt;
  const bool isSwapped = comparison->getOperand(1) == &phi;
  Value *element = comparison->getOperand(isSwapped ? 0 : 1);
  if (comparison->getOperand(isSwapped ? 1 : 0) != &phi)
    return std::nullopt;
  // As a comparison of the value with the element, by which it is replaced.
  FCmpInst::Predicate predicate = isSwapped ? comparison->getSwappedPredicate()
                                            : comparison->getPredicate();
  if (choice.getTrueValue() == &phi && choice.getFalseValue() == element)
    predicate = FCmpInst::getInversePredicate(predicate);
  else if (choice.getTrueValue() != element || choice.getFalseValue() != &phi)
    return std::nullopt;
  bool isMaximum = false;
  switch (predicate) {
  case FCmpInst::FCMP_OLT:
  case FCmpInst::FCMP_OLE:
  case FCmpInst::FCMP_ULT:
  case FCmpInst::FCMP_ULE:
    isMaximum = true;
    break;
  case FCmpInst::FCMP_OGT:
  case FCmpInst::FCMP_OGE:
  case FCmpInst::FCMP_UGT:
  case FCmpInst::FCMP_UGE:
    break;
  default:
    return std::nullopt;
  }
  return Extreme{&phi,
                 &choice,
                 element,
                 isMaximum,
                 FCmpInst::isOrdered(predicate),
                 /*ordersZeros=*/false};
}

std::optional<Extreme> RunningExtremes::extremeOf(PHINode &phi) const {
  auto *choice = dyn_cast<SelectInst>(phi.getIncomingValueForBlock(block));
  if (!choice || choice->getParent() != block ||
      !(phi.getType()->isFloatTy() || phi.getType()->isDoubleTy()))
    return std::nullopt;
  std::optional<Extreme> found = ignoringExtreme(phi, *choice);
  if (!found)
    found = comparedExtreme(phi, *choice);
  // In the loop, elements must not depend on the value.
  SmallPtrSet<Value *, 4> own = {choice, choice->getCondition()};
  if (found && found->ordersZeros) {
    auto *other = cast<SelectInst>(choice->getFalseValue());
    own.insert({other, other->getCondition(), other->getFalseValue()});
  }
  auto isOwn = [&](User *user) { return own.contains(user); };
  auto isPhiOrOutside = [&](User *user) {
    return user == &phi || cast<Instruction>(user)->getParent() != block;
  };
  if (!found || !all_of(phi.users(), isOwn) ||
      !all_of(choice->users(), isPhiOrOutside))
    return std::nullopt;
  own.erase(choice);
  for (Value *value : own)
    if (!all_of(value->users(), [&](User *user) {
          return user == choice || own.contains(user);
        }))
      return std::nullopt;
  return found;
}

/// Whether each iteration adds the same to it.
bool RunningExtremes::isCounter(PHINode &phi) const {
  auto *next = dyn_cast<BinaryOperator>(phi.getIncomingValueForBlock(block));
  if (!next || next->getOpcode() != Instruction::Add)
    return false;
  auto isInvariant = [&](Value *value) {
    auto *instruction = dyn_cast<Instruction>(value);
    return !instruction || instruction->getParent() != block;
  };
  return (next->getOperand(0) == &phi && isInvariant(next->getOperand(1))) ||
         (next->getOperand(1) == &phi && isInvariant(next->getOperand(0)));
}

bool RunningExtremes::find() {
  auto *latch = dyn_cast<BranchInst>(block->getTerminator());
  if (!before || !after || !latch || !latch->isConditional())
    return false;
  for (PHINode &phi : block->phis()) {
    if (std::optional<Extreme> extreme = extremeOf(phi))
      extremes.push_back(*extreme);
    else if (!isCounter(phi))
      return false;
  }
  return !extremes.empty() && none_of(*block, [](Instruction &instruction) {
    return instruction.mayHaveSideEffects() || instruction.isVolatile();
  });
}

/// Writes an extreme anew in the copy of the loop: as LLVM's vectoriser knows
/// it, beside the marks.
RunningExtremes::Copied RunningExtremes::copy(const Extreme &extreme,
                                              ValueToValueMapTy &map,
                                              BasicBlock *fast,
                                              BasicBlock *done) {
  auto *phi = cast<PHINode>(map[extreme.value]);
  auto *old = cast<Instruction>(map[extreme.next]);
  Type *type = phi->getType();
  IRBuilder<> b(old);
  Type *bits = b.getIntNTy(type->getScalarSizeInBits());
  auto number = [&](uint64_t value) { return ConstantInt::get(bits, value); };
  auto isNegativeZero = [&](Value *value) {
    APInt sign = APInt::getSignMask(bits->getIntegerBitWidth());
    return b.CreateICmpEQ(b.CreateBitCast(value, bits),
                          ConstantInt::get(bits, sign));
  };
  Value *element = map.lookup(extreme.element);
  if (!element)
    element = extreme.element;
  Value *start = extreme.value->getIncomingValueForBlock(before);

  // What was seen: a sum of bits.
  PHINode *seen = nullptr;
  if (!extreme.ignoresNan || !extreme.ordersZeros) {
    Value *marks = b.CreateSelect(isNegativeZero(element),
                                  number(sawNegativeZero), number(0));
    if (!extreme.ignoresNan)
      marks =
          b.CreateOr(marks, b.CreateSelect(b.CreateFCmpUNO(element, element),
                                           number(sawNan), number(0)));
    IRBuilder<> head(fast, fast->begin());
    seen = head.CreatePHI(bits, 2);
    seen->addIncoming(b.CreateOr(seen, marks), fast);
    b.SetInsertPoint(before->getTerminator());
    seen->addIncoming(b.CreateSelect(isNegativeZero(start),
                                     number(sawNegativeZero), number(0)),
                      before);
    b.SetInsertPoint(old);
  }
  if (extreme.ignoresNan)
    element = b.CreateSelect(
        b.CreateFCmpUNO(element, element),
        ConstantFP::getInfinity(type, /*Negative=*/extreme.isMaximum), element);
  Value *next = nullptr;
  if (extreme.ordersZeros) {
    next = b.CreateBinaryIntrinsic(extreme.isMaximum ? Intrinsic::maximum
                                                     : Intrinsic::minimum,
                                   phi, element);
  } else {
    FastMathFlags flags;
    flags.setNoNaNs();
    flags.setNoSignedZeros();
    b.setFastMathFlags(flags);
    next = b.CreateSelect(extreme.isMaximum ? b.CreateFCmpOGT(element, phi)
                                            : b.CreateFCmpOLT(element, phi),
                          element, phi);
    if (auto *choice = dyn_cast<SelectInst>(next))
      choice->setFastMathFlags(flags);
  }
  old->replaceAllUsesWith(next);
  map[extreme.next] = next;
  RecursivelyDeleteTriviallyDeadInstructions(old);

  IRBuilder<> behind(done);
  auto last = [&](Value *value) {
    PHINode *out = behind.CreatePHI(value->getType(), 1);
    out->addIncoming(value, fast);
    return out;
  };
  return {start, last(next),
          seen ? last(seen->getIncomingValueForBlock(fast)) : nullptr};
}

/// Whether the order of elements may matter: of NaN; of zeros of two signs, if
/// the extreme is zero.
Value *RunningExtremes::needsOrder(IRBuilder<> &b, const Extreme &extreme,
                                   Copied &copied) {
  Value *needs = b.CreateFCmpUNO(copied.start, copied.start);
  if (!copied.marks)
    return needs;
  auto hasSeen = [&](uint64_t mark) {
    return b.CreateICmpNE(b.CreateAnd(copied.marks, mark),
                          ConstantInt::get(copied.marks->getType(), 0));
  };
  if (!extreme.ignoresNan)
    needs = b.CreateOr(needs, hasSeen(sawNan));
  // With NaN among the elements the copy's result is poison. Its zeros have any
  // sign.
  Value *last = b.CreateFreeze(copied.last);
  Value *zero = ConstantFP::getZero(last->getType());
  Value *isZero = b.CreateFCmpOEQ(last, zero);
  copied.last = b.CreateSelect(isZero, zero, last);
  return b.CreateOr(needs, b.CreateAnd(isZero, hasSeen(sawNegativeZero)));
}

void RunningExtremes::split() {
  Function &function = *block->getParent();
  ValueToValueMapTy map;
  BasicBlock *fast = CloneBasicBlock(block, map, ".any_order", &function);
  fast->moveBefore(block);
  map[block] = fast;
  for (Instruction &instruction : *fast)
    RemapInstruction(&instruction, map,
                     RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
  BasicBlock *done =
      BasicBlock::Create(function.getContext(), "in_order", &function, block);
  BasicBlock *again =
      BasicBlock::Create(function.getContext(), "again", &function, block);
  before->getTerminator()->replaceSuccessorWith(block, fast);
  fast->getTerminator()->replaceSuccessorWith(after, done);

  SmallVector<Copied> copies;
  for (const Extreme &extreme : extremes)
    copies.push_back(copy(extreme, map, fast, done));
  IRBuilder<> b(done);
  DenseMap<Value *, Value *> results;
  for (PHINode &phi : after->phis()) {
    Value *value = phi.getIncomingValueForBlock(block);
    results[value] = value;
    if (Value *copied = map.lookup(value)) {
      PHINode *last = b.CreatePHI(phi.getType(), 1);
      last->addIncoming(copied, fast);
      results[value] = last;
    }
  }
  Value *needs = b.getFalse();
  for (auto [extreme, copied] : zip(extremes, copies)) {
    needs = b.CreateOr(needs, needsOrder(b, extreme, copied));
    results[extreme.next] = copied.last;
  }
  // What is used after the loop comes from either.
  for (PHINode &phi : after->phis())
    phi.addIncoming(results.lookup(phi.getIncomingValueForBlock(block)), done);
  b.CreateCondBr(needs, again, after);
  IRBuilder<>(again).CreateBr(block);
  for (PHINode &phi : block->phis())
    phi.replaceIncomingBlockWith(before, again);
}

bool kern::compiler::host::splitRunningExtremes(const LoopInfo &loops) {
  bool changed = false;
  for (Loop *loop : loops.getLoopsInPreorder())
    if (loop->getNumBlocks() == 1)
      if (RunningExtremes extremes(*loop); extremes.find()) {
        extremes.split();
        changed = true;
      }
  return changed;
}
