//===- Masks.cpp - masks that blocks pass on, on the CPU ------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/host/Passes.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

#include <algorithm>

using namespace llvm;

/// The integers of a mask as wide as the vectors of 64 bytes that it is for;
/// null if it is no mask.
static Type *wideType(const Value &value) {
  auto *type = dyn_cast<FixedVectorType>(value.getType());
  if (!type || !type->getElementType()->isIntegerTy(1) ||
      type->getNumElements() < 4)
    return nullptr;
  unsigned bits = std::clamp(512 / type->getNumElements(), 8u, 64u);
  return FixedVectorType::get(IntegerType::get(value.getContext(), bits),
                              type->getNumElements());
}

/// Whether a mask is passed on from one block to another.
static bool isPassedOn(const Instruction &mask) {
  return isa<PHINode>(mask) || any_of(mask.users(), [&](const User *user) {
           return isa<PHINode>(user) ||
                  cast<Instruction>(user)->getParent() != mask.getParent();
         });
}

namespace {
/// The masks of a function that are computed from masks, as wide integers that
/// are 0 or -1.
class WideMasks {
public:
  explicit WideMasks(Function &function) : function(function) {}
  bool run();

private:
  static bool isComputed(const Instruction &mask);
  Value *of(Value *mask);
  Value *compute(Instruction &mask);
  void narrow(Instruction &mask);

  Function &function;
  SmallVector<Instruction *> computed;
  DenseMap<Value *, Value *> wide;
};
} // namespace

bool WideMasks::isComputed(const Instruction &mask) {
  if (!wideType(mask))
    return false;
  auto *choice = dyn_cast<SelectInst>(&mask);
  return isa<PHINode, FreezeInst>(mask) || mask.isBitwiseLogicOp() ||
         (choice && wideType(*choice->getCondition()));
}

Value *WideMasks::of(Value *mask) {
  if (Value *known = wide.lookup(mask))
    return known;
  Type *type = wideType(*mask);
  BasicBlock &entry = function.getEntryBlock();
  IRBuilder<> b(&entry, entry.getFirstInsertionPt());
  if (auto *op = dyn_cast<Instruction>(mask)) {
    if (isComputed(*op))
      return wide[mask] = compute(*op);
    b.SetInsertPoint(*op->getInsertionPointAfterDef());
  }
  return wide[mask] = b.CreateSExt(mask, type);
}

Value *WideMasks::compute(Instruction &mask) {
  IRBuilder<> b(&mask);
  if (isa<PHINode>(mask))
    return b.CreatePHI(wideType(mask), mask.getNumOperands());
  Value *first = of(mask.getOperand(0));
  if (isa<FreezeInst>(mask))
    return b.CreateFreeze(first);
  Value *second = of(mask.getOperand(1));
  if (isa<SelectInst>(mask))
    return b.CreateOr(b.CreateAnd(first, second),
                      b.CreateAnd(b.CreateNot(first), of(mask.getOperand(2))));
  return b.CreateBinOp(cast<BinaryOperator>(mask).getOpcode(), first, second);
}

/// Lets what is no mask ask for the signs of the wide integers, once in a
/// block.
void WideMasks::narrow(Instruction &mask) {
  auto *own = cast<Instruction>(wide[&mask]);
  DenseMap<BasicBlock *, Value *> narrowed;
  for (Use &use : make_early_inc_range(mask.uses())) {
    auto *user = cast<Instruction>(use.getUser());
    if (user == own || isComputed(*user))
      continue;
    BasicBlock *block = user->getParent();
    Value *&here = narrowed[block];
    if (!here) {
      IRBuilder<> b(block, block == own->getParent()
                               ? *own->getInsertionPointAfterDef()
                               : block->getFirstInsertionPt());
      here = b.CreateICmpSLT(own, Constant::getNullValue(own->getType()));
    }
    use.set(here);
  }
}

bool WideMasks::run() {
  bool passesOn = false;
  for (Instruction &op : instructions(function)) {
    if (isComputed(op))
      computed.push_back(&op);
    passesOn |= wideType(op) && isPassedOn(op);
  }
  if (!passesOn)
    return false;
  for (Instruction *mask : computed)
    of(mask);
  for (Instruction *mask : computed)
    if (auto *phi = dyn_cast<PHINode>(mask))
      for (auto [block, value] : zip(phi->blocks(), phi->incoming_values()))
        cast<PHINode>(wide[phi])->addIncoming(of(value), block);
  for (Instruction *mask : computed)
    narrow(*mask);
  for (Instruction *mask : computed)
    mask->replaceAllUsesWith(PoisonValue::get(mask->getType()));
  for (Instruction *mask : computed)
    mask->eraseFromParent();
  return !computed.empty();
}

bool kern::compiler::host::widenMasks(Function &function) {
  return WideMasks(function).run();
}
