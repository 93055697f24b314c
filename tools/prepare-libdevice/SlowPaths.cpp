//===- SlowPaths.cpp - what few arguments need ----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/prepare-libdevice/SlowPaths.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/CodeExtractor.h"

using namespace llvm;

/// From here on libdevice reduces angles of f32 by the bits of 2/π.
static constexpr double largeAngle = 105615.0;

/// The branch that large angles alone take, or null.
static BasicBlock *largeAngles(Function &function) {
  for (BasicBlock &block : function) {
    auto *branch = dyn_cast<BranchInst>(block.getTerminator());
    if (!branch || !branch->isConditional())
      continue;
    auto *test = dyn_cast<FCmpInst>(branch->getCondition());
    auto *limit = test ? dyn_cast<ConstantFP>(test->getOperand(1)) : nullptr;
    if (!limit || !limit->getType()->isFloatTy() ||
        limit->getValueAPF().convertToFloat() != largeAngle)
      continue;
    bool isAbove = test->getPredicate() == CmpInst::FCMP_OGE ||
                   test->getPredicate() == CmpInst::FCMP_UGE;
    return branch->getSuccessor(isAbove ? 0 : 1);
  }
  return nullptr;
}

/// Gives local arrays of the caller that only the function uses to the
/// function.
static void takeArrays(Function &function) {
  auto *call = cast<CallInst>(function.user_back());
  for (Argument &argument : function.args()) {
    auto *array =
        dyn_cast<AllocaInst>(call->getArgOperand(argument.getArgNo()));
    if (!array || !array->hasOneUse())
      continue;
    Instruction *own = array->clone();
    own->insertBefore(function.getEntryBlock().getFirstInsertionPt());
    argument.replaceAllUsesWith(own);
    call->setArgOperand(argument.getArgNo(),
                        PoisonValue::get(argument.getType()));
    array->eraseFromParent();
  }
}

void kern::cli::outlineSlowPaths(Module &library) {
  SmallVector<Function *> functions;
  for (Function &function : library)
    if (!function.isDeclaration() && function.hasExternalLinkage())
      functions.push_back(&function);
  for (Function *function : functions) {
    BasicBlock *first = largeAngles(*function);
    if (!first || !first->getSinglePredecessor())
      continue;
    DominatorTree tree(*function);
    SmallVector<BasicBlock *> blocks;
    tree.getDescendants(first, blocks);
    CodeExtractorAnalysisCache cache(*function);
    CodeExtractor extractor(blocks, &tree);
    if (!extractor.isEligible())
      continue;
    Function *slow = extractor.extractCodeRegion(cache);
    slow->setName("__kern_slow_path_of" + function->getName());
    slow->removeFnAttr(Attribute::AlwaysInline);
    slow->addFnAttr(Attribute::NoInline);
    takeArrays(*slow);
  }
}
