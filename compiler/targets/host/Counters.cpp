//===- Counters.cpp - floats that count, as integers ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/host/Passes.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

/// The whole number that a constant is. -0.0 is none.
static std::optional<int64_t> wholeNumber(const Value *value, int64_t largest) {
  auto *constant = dyn_cast<ConstantFP>(value);
  if (!constant || constant->getValue().isNegZero())
    return std::nullopt;
  APSInt whole(64, /*isUnsigned=*/false);
  bool isExact = false;
  constant->getValue().convertToInteger(whole, APFloat::rmTowardZero, &isExact);
  if (!isExact || whole.abs().ugt(uint64_t(largest)))
    return std::nullopt;
  return whole.getSExtValue();
}

namespace {
/// The values that a counter goes through. Each is a whole number that grows by
/// at most 255 in an addition, so no run is long enough for one that an f64
/// does not hold.
class Counter {
public:
  Counter(PHINode &header, const Loop &loop) : header(header), loop(loop) {}

  /// Whether all values are whole numbers, and none but the last is used for
  /// anything else.
  bool find();
  void replace();

private:
  bool isStep(Value *value, unsigned depth = 4);
  bool isMember(Value *value);
  Value *step(IRBuilder<> &b, Value *value);
  Value *whole(IRBuilder<> &b, Value *value);
  Value *number(IRBuilder<> &b, Instruction *member, Use &use);

  PHINode &header;
  const Loop &loop;
  SetVector<Instruction *> members;
  bool counts = false;
  DenseMap<Value *, Value *> wholes;
};
} // namespace

/// Whether a value is what a counter may grow by.
bool Counter::isStep(Value *value, unsigned depth) {
  if (wholeNumber(value, 255))
    return true;
  if (auto *choice = dyn_cast<SelectInst>(value))
    return depth > 0 && isStep(choice->getTrueValue(), depth - 1) &&
           isStep(choice->getFalseValue(), depth - 1);
  return (isa<UIToFPInst>(value) || isa<SIToFPInst>(value)) &&
         cast<CastInst>(value)->getSrcTy()->isIntegerTy() &&
         cast<CastInst>(value)->getSrcTy()->getIntegerBitWidth() <= 8;
}

/// Adds the value to the members, and those that it is computed from.
bool Counter::isMember(Value *value) {
  if (wholeNumber(value, INT32_MAX))
    return true;
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || !loop.contains(instruction))
    return false;
  if (!members.insert(instruction))
    return true;
  if (auto *phi = dyn_cast<PHINode>(instruction))
    return all_of(phi->incoming_values(),
                  [&](Value *incoming) { return isMember(incoming); });
  if (auto *choice = dyn_cast<SelectInst>(instruction))
    return isMember(choice->getTrueValue()) &&
           isMember(choice->getFalseValue());
  bool isSum = instruction->getOpcode() == Instruction::FAdd;
  if (!isSum && instruction->getOpcode() != Instruction::FSub)
    return false;
  counts = true;
  Value *left = instruction->getOperand(0), *right = instruction->getOperand(1);
  if (isStep(right))
    return isMember(left);
  return isSum && isStep(left) && isMember(right);
}

bool Counter::find() {
  if (!header.getType()->isDoubleTy() || !isMember(&header) || !counts)
    return false;
  return all_of(members, [&](Instruction *member) {
    return all_of(member->users(), [&](User *user) {
      auto *instruction = cast<Instruction>(user);
      return members.contains(instruction) || !loop.contains(instruction);
    });
  });
}

Value *Counter::step(IRBuilder<> &b, Value *value) {
  if (auto number = wholeNumber(value, 255))
    return b.getInt64(uint64_t(*number));
  if (auto *choice = dyn_cast<SelectInst>(value))
    return b.CreateSelect(choice->getCondition(),
                          step(b, choice->getTrueValue()),
                          step(b, choice->getFalseValue()));
  Value *integer = cast<CastInst>(value)->getOperand(0);
  return isa<UIToFPInst>(value) ? b.CreateZExt(integer, b.getInt64Ty())
                                : b.CreateSExt(integer, b.getInt64Ty());
}

/// The integer in the place of a member. Those of phis are there already.
Value *Counter::whole(IRBuilder<> &b, Value *value) {
  if (auto number = wholeNumber(value, INT32_MAX))
    return b.getInt64(uint64_t(*number));
  if (Value *known = wholes.lookup(value))
    return known;
  auto *instruction = cast<Instruction>(value);
  Value *made = nullptr;
  if (auto *choice = dyn_cast<SelectInst>(instruction)) {
    Value *first = whole(b, choice->getTrueValue()),
          *second = whole(b, choice->getFalseValue());
    b.SetInsertPoint(instruction);
    made = b.CreateSelect(choice->getCondition(), first, second);
  } else {
    Value *left = instruction->getOperand(0),
          *right = instruction->getOperand(1);
    if (!isStep(right))
      std::swap(left, right);
    Value *before = whole(b, left);
    b.SetInsertPoint(instruction);
    Value *added = step(b, right);
    made = instruction->getOpcode() == Instruction::FAdd
               ? b.CreateAdd(before, added)
               : b.CreateSub(before, added);
  }
  return wholes[value] = made;
}

/// The float for a use after the loop. The loop itself is left without it.
Value *Counter::number(IRBuilder<> &b, Instruction *member, Use &use) {
  Value *integer = whole(b, member);
  auto *user = cast<Instruction>(use.getUser());
  auto *phi = dyn_cast<PHINode>(user);
  b.SetInsertPoint(user);
  if (phi && phi->getNumIncomingValues() == 1) {
    PHINode *last = b.CreatePHI(b.getInt64Ty(), 1);
    last->addIncoming(integer, phi->getIncomingBlock(0));
    integer = last;
    b.SetInsertPoint(phi->getParent()->getFirstInsertionPt());
    Value *result = b.CreateSIToFP(integer, phi->getType());
    phi->replaceAllUsesWith(result);
    return PoisonValue::get(phi->getType());
  }
  if (phi)
    b.SetInsertPoint(phi->getIncomingBlock(use)->getTerminator());
  return b.CreateSIToFP(integer, member->getType());
}

void Counter::replace() {
  IRBuilder<> b(header.getContext());
  for (Instruction *member : members)
    if (auto *phi = dyn_cast<PHINode>(member)) {
      b.SetInsertPoint(phi);
      wholes[phi] = b.CreatePHI(b.getInt64Ty(), phi->getNumIncomingValues());
    }
  for (Instruction *member : members)
    if (auto *phi = dyn_cast<PHINode>(member))
      for (auto [block, value] : zip(phi->blocks(), phi->incoming_values()))
        cast<PHINode>(wholes[phi])->addIncoming(whole(b, value), block);
  for (Instruction *member : members)
    for (Use &use : make_early_inc_range(member->uses()))
      if (!members.contains(cast<Instruction>(use.getUser())))
        use.set(number(b, member, use));
  for (Instruction *member : members)
    member->replaceAllUsesWith(PoisonValue::get(member->getType()));
  for (Instruction *member : members)
    member->eraseFromParent();
}

/// Replaces one counter of a loop, if it has one.
static bool countInInteger(Loop &loop) {
  for (PHINode &phi : loop.getHeader()->phis())
    if (Counter counter(phi, loop); counter.find()) {
      counter.replace();
      return true;
    }
  return false;
}

bool kern::compiler::host::countInIntegers(const LoopInfo &loops) {
  bool changed = false;
  for (Loop *loop : loops.getLoopsInPreorder())
    while (countInInteger(*loop))
      changed = true;
  return changed;
}
