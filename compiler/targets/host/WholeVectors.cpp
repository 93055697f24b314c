//===- WholeVectors.cpp - vector loops without masks ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the loops of gufuncs the last vector has the rest of the iterations,
// behind a mask. LLVM computes the mask in each iteration, of 64-bit numbers.
// A copy of the loop for the whole vectors needs none. Each lane adds up the
// same elements in the same order.
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/host/Passes.h"

#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;
using namespace llvm::PatternMatch;

/// The most instructions of a loop that is worth a copy.
static constexpr size_t mostInstructions = 256;

namespace {
/// A vector loop of one block that counts from 0.
class MaskedLoop {
public:
  explicit MaskedLoop(Loop &loop)
      : before(loop.getLoopPreheader()), block(loop.getHeader()),
        after(loop.getExitBlock()) {}

  bool find();
  /// The loop is in LCSSA form.
  void split();

private:
  bool isMask(Instruction &instruction);

  BasicBlock *before, *block, *after;
  PHINode *index = nullptr;
  uint64_t step = 0;     ///< of the index, a power of two
  Value *end = nullptr;  ///< of the index
  Value *last = nullptr; ///< the number of the last iteration
  SmallVector<Instruction *> masks;
};
} // namespace

/// Whether it compares the numbers of lanes with that of the last iteration, so
/// that it is true for whole vectors.
bool MaskedLoop::isMask(Instruction &instruction) {
  auto *comparison = dyn_cast<ICmpInst>(&instruction);
  if (!comparison || !comparison->getType()->isVectorTy() ||
      comparison->getPredicate() != ICmpInst::ICMP_ULE)
    return false;
  Value *numbers = comparison->getOperand(0);
  Value *bound = getSplatValue(comparison->getOperand(1));
  Value *base = nullptr;
  Constant *lanes = nullptr;
  if (!match(numbers, m_DisjointOr(m_Value(base), m_Constant(lanes))) &&
      !match(numbers, m_Add(m_Value(base), m_Constant(lanes))))
    return false;
  if (getSplatValue(base) != index || !bound || (last && bound != last))
    return false;
  auto *type = cast<FixedVectorType>(lanes->getType());
  for (unsigned i = 0; i < type->getNumElements(); ++i) {
    auto *lane = dyn_cast_or_null<ConstantInt>(lanes->getAggregateElement(i));
    if (!lane || lane->getValue().uge(step))
      return false;
  }
  last = bound;
  return true;
}

bool MaskedLoop::find() {
  auto *latch = dyn_cast<BranchInst>(block->getTerminator());
  if (!before || !after || block->size() > mostInstructions || !latch ||
      !latch->isConditional() || latch->getSuccessor(0) != after)
    return false;
  auto *ends = dyn_cast<ICmpInst>(latch->getCondition());
  if (!ends || ends->getPredicate() != ICmpInst::ICMP_EQ)
    return false;
  for (PHINode &phi : block->phis()) {
    const APInt *constant = nullptr;
    if (match(phi.getIncomingValueForBlock(before), m_Zero()) &&
        phi.getIncomingValueForBlock(block) == ends->getOperand(0) &&
        match(ends->getOperand(0),
              m_Add(m_Specific(&phi), m_APInt(constant))) &&
        constant->isPowerOf2()) {
      index = &phi;
      step = constant->getZExtValue();
    }
  }
  end = ends->getOperand(1);
  auto *computed = dyn_cast<Instruction>(end);
  if (!index || (computed && computed->getParent() == block))
    return false;
  for (Instruction &instruction : *block)
    if (isMask(instruction))
      masks.push_back(&instruction);
  return !masks.empty();
}

/// Replaces what a mask that is true makes simpler.
static void simplify(BasicBlock &block) {
  const DataLayout &layout = block.getDataLayout();
  for (Instruction &instruction : make_early_inc_range(block)) {
    IRBuilder<> b(&instruction);
    Value *simpler = simplifyInstruction(&instruction, layout);
    auto isWhole = [&](Value *mask) { return match(mask, m_AllOnes()); };
    if (match(&instruction, m_Intrinsic<Intrinsic::masked_load>()) &&
        isWhole(cast<CallInst>(instruction).getArgOperand(1))) {
      auto &call = cast<CallInst>(instruction);
      auto *load = b.CreateAlignedLoad(call.getType(), call.getArgOperand(0),
                                       call.getParamAlign(0).valueOrOne());
      load->copyMetadata(call);
      simpler = load;
    } else if (match(&instruction, m_Intrinsic<Intrinsic::masked_store>()) &&
               isWhole(cast<CallInst>(instruction).getArgOperand(2))) {
      auto &call = cast<CallInst>(instruction);
      auto *store =
          b.CreateAlignedStore(call.getArgOperand(0), call.getArgOperand(1),
                               call.getParamAlign(1).valueOrOne());
      store->copyMetadata(call);
      instruction.eraseFromParent();
      continue;
    }
    if (!simpler)
      continue;
    instruction.replaceAllUsesWith(simpler);
    if (!instruction.isTerminator() && !instruction.mayHaveSideEffects())
      instruction.eraseFromParent();
  }
}

void MaskedLoop::split() {
  Function &function = *block->getParent();
  ValueToValueMapTy map;
  BasicBlock *whole = CloneBasicBlock(block, map, ".whole", &function);
  whole->moveBefore(block);
  map[block] = whole;
  for (Instruction &instruction : *whole)
    RemapInstruction(&instruction, map,
                     RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
  BasicBlock *rest =
      BasicBlock::Create(function.getContext(), "rest", &function, block);

  // Whole vectors end with a multiple of the step.
  IRBuilder<> b(before->getTerminator());
  Type *type = last->getType();
  Value *count = b.CreateAdd(last, ConstantInt::get(type, 1));
  Value *wholeEnd = b.CreateAnd(count, ConstantInt::get(type, ~(step - 1)));
  Value *hasWhole = b.CreateICmpNE(wholeEnd, ConstantInt::get(type, 0));
  b.CreateCondBr(hasWhole, whole, block);
  before->getTerminator()->eraseFromParent();
  auto *latch = cast<BranchInst>(whole->getTerminator());
  latch->setSuccessor(0, rest);
  cast<ICmpInst>(latch->getCondition())->setOperand(1, wholeEnd);
  IRBuilder<>(rest).CreateCondBr(IRBuilder<>(rest).CreateICmpEQ(wholeEnd, end),
                                 after, block);

  auto copied = [&](Value *value) -> Value * {
    Value *copy = map.lookup(value);
    return copy ? copy : value;
  };
  for (PHINode &phi : after->phis())
    phi.addIncoming(copied(phi.getIncomingValueForBlock(block)), rest);
  for (PHINode &phi : block->phis())
    phi.addIncoming(copied(phi.getIncomingValueForBlock(block)), rest);
  for (Instruction *mask : masks) {
    auto *copy = cast<Instruction>(map[mask]);
    copy->replaceAllUsesWith(Constant::getAllOnesValue(copy->getType()));
    copy->eraseFromParent();
  }
  simplify(*whole);
}

bool kern::compiler::host::splitWholeVectors(DominatorTree &dominators,
                                             LoopInfo &loops) {
  SmallVector<MaskedLoop> found;
  for (Loop *loop : loops.getLoopsInPreorder())
    if (loop->getNumBlocks() == 1)
      if (MaskedLoop masked(*loop); masked.find()) {
        formLCSSA(*loop, dominators, &loops, /*SE=*/nullptr);
        found.push_back(std::move(masked));
      }
  for (MaskedLoop &loop : found)
    loop.split();
  return !found.empty();
}
