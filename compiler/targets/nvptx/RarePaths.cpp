//===- RarePaths.cpp - rare paths of all elements of a thread -------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A body whose functions leave rare operands to others, such as the sines of
// large angles, branches for each of them. A thread has several elements, and
// blocks stay in order: one element would be computed after the other. So the
// body without its rare paths computes all of them, and tells whether one was
// needed. If so, the body computes all of them again.
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/nvptx/Passes.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ProfDataUtils.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

/// The number of the successor that is a rare path: calls, after which control
/// goes where it goes without them.
static std::optional<unsigned> rareSuccessor(const Instruction &terminator) {
  constexpr uint64_t rarely = 1000;
  uint64_t first = 0, second = 0;
  if (!extractBranchWeights(terminator, first, second))
    return std::nullopt;
  const unsigned rare = first < second ? 0 : 1;
  const BasicBlock *path = terminator.getSuccessor(rare);
  const bool isPath =
      std::max(first, second) >= rarely * std::min(first, second) &&
      path->getSinglePredecessor() == terminator.getParent() &&
      path->getSingleSuccessor() == terminator.getSuccessor(1 - rare) &&
      all_of(*path, [](const Instruction &instruction) {
        return instruction.isTerminator() ||
               isa<CallInst, ExtractValueInst>(instruction);
      });
  return isPath ? std::optional(rare) : std::nullopt;
}

/// The branches to rare paths. None if the body has effects of its own, which
/// must not come twice.
static SmallVector<BranchInst *> rareBranches(Function &body) {
  SmallVector<BranchInst *> branches;
  SmallPtrSet<const BasicBlock *, 8> paths;
  for (BasicBlock &block : body)
    if (auto *branch = dyn_cast<BranchInst>(block.getTerminator());
        branch && branch->isConditional())
      if (std::optional<unsigned> rare = rareSuccessor(*branch)) {
        branches.push_back(branch);
        paths.insert(branch->getSuccessor(*rare));
      }
  for (const Instruction &instruction : instructions(body))
    if (!paths.contains(instruction.getParent()) &&
        instruction.mayHaveSideEffects())
      return {};
  return branches;
}

Function *kern::compiler::nvptx::withoutRarePaths(Function &body) {
  if (rareBranches(body).empty())
    return nullptr;
  SmallVector<Type *> types(body.getFunctionType()->params());
  types.push_back(PointerType::get(body.getContext(), 0));
  auto *quick =
      Function::Create(FunctionType::get(body.getReturnType(), types, false),
                       GlobalValue::InternalLinkage, body.getName() + ".quick",
                       *body.getParent());
  ValueToValueMapTy values;
  for (auto [argument, copy] : zip(body.args(), quick->args()))
    values[&argument] = &copy;
  SmallVector<ReturnInst *> returns;
  CloneFunctionInto(quick, &body, values,
                    CloneFunctionChangeType::LocalChangesOnly, returns);
  quick->setAttributes(AttributeList());
  quick->addFnAttr(Attribute::AlwaysInline);
  quick->addFnAttr(Attribute::NoUnwind);
  const SmallVector<BranchInst *> branches = rareBranches(*quick);
  Argument *needed = quick->getArg(quick->arg_size() - 1);
  IRBuilder<> b(&*quick->getEntryBlock().getFirstInsertionPt());
  b.CreateStore(b.getFalse(), needed);
  for (BranchInst *branch : branches) {
    const unsigned rare = *rareSuccessor(*branch);
    BasicBlock *path = branch->getSuccessor(rare),
               *next = branch->getSuccessor(1 - rare);
    b.SetInsertPoint(branch);
    Value *isRare = branch->getCondition();
    if (rare == 1)
      isRare = b.CreateNot(isRare);
    b.CreateStore(b.CreateOr(b.CreateLoad(b.getInt1Ty(), needed), isRare),
                  needed);
    b.CreateBr(next);
    branch->eraseFromParent();
    DeleteDeadBlock(path);
  }
  return quick;
}

namespace {

/// Calls of a body in one block, none of which needs the result of another.
struct Group {
  SmallVector<CallInst *> calls;
  SmallVector<Instruction *> users; ///< of results, in the block, in order

  bool needs(const Instruction &instruction) const {
    return any_of(instruction.operands(), [&](const Use &operand) {
      return is_contained(calls, operand.get()) ||
             is_contained(users, operand.get());
    });
  }
};

} // namespace

/// The first calls among `wanted` in a block.
static Group firstGroup(BasicBlock &block,
                        const SmallPtrSetImpl<CallInst *> &wanted) {
  Group group;
  for (Instruction &instruction : block) {
    const bool isUser = group.needs(instruction);
    if (auto *call = dyn_cast<CallInst>(&instruction);
        call && wanted.contains(call)) {
      if (isUser)
        break;
      group.calls.push_back(call);
    } else if (isUser) {
      if (instruction.isTerminator() || instruction.mayReadOrWriteMemory())
        break;
      group.users.push_back(&instruction);
    }
  }
  return group;
}

/// Has `quick` compute what the calls do, and the body if one of them needs it.
/// Returns the block that follows.
static BasicBlock *join(const Group &group, Function &body, Function &quick) {
  CallInst *last = group.calls.back();
  Instruction *place = last;
  for (Instruction *user : group.users)
    if (user->comesBefore(last)) {
      user->moveAfter(place);
      place = user;
    }
  IRBuilder<> entry(
      &*last->getFunction()->getEntryBlock().getFirstInsertionPt());
  SmallVector<CallInst *> made;
  SmallVector<Value *> slots;
  for (CallInst *call : group.calls) {
    IRBuilder<> b(call);
    slots.push_back(entry.CreateAddrSpaceCast(entry.CreateAlloca(b.getInt1Ty()),
                                              b.getPtrTy()));
    SmallVector<Value *> operands(call->args());
    operands.push_back(slots.back());
    made.push_back(b.CreateCall(&quick, operands));
  }
  IRBuilder<> b(last);
  Value *isNeeded = b.getFalse();
  for (Value *slot : slots)
    isNeeded = b.CreateOr(isNeeded, b.CreateLoad(b.getInt1Ty(), slot));
  BasicBlock *before = last->getParent();
  Instruction *rare = SplitBlockAndInsertIfThen(
      isNeeded, last, /*Unreachable=*/false,
      MDBuilder(last->getContext()).createUnlikelyBranchWeights());
  BasicBlock *after = last->getParent();
  for (auto [call, copy] : zip(group.calls, made)) {
    b.SetInsertPoint(rare);
    SmallVector<Value *> operands(call->args());
    CallInst *exact = b.CreateCall(&body, operands);
    exact->setCallingConv(body.getCallingConv());
    exact->addFnAttr(Attribute::NoInline);
    b.SetInsertPoint(after, after->begin());
    PHINode *either = b.CreatePHI(call->getType(), 2);
    either->addIncoming(copy, before);
    either->addIncoming(exact, rare->getParent());
    call->replaceAllUsesWith(either);
    call->eraseFromParent();
  }
  return after;
}

void kern::compiler::nvptx::joinRarePaths(ArrayRef<CallInst *> calls,
                                          Function &body, Function &quick) {
  SmallPtrSet<CallInst *, 16> wanted(calls.begin(), calls.end());
  SmallSetVector<BasicBlock *, 8> blocks;
  for (CallInst *call : calls)
    blocks.insert(call->getParent());
  for (BasicBlock *block : blocks)
    for (Group group = firstGroup(*block, wanted); !group.calls.empty();
         group = firstGroup(*block, wanted)) {
      for (CallInst *call : group.calls)
        wanted.erase(call);
      block = join(group, body, quick);
    }
}
