//===- Optimize.cpp - LLVM passes for PTX ---------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/instcombine/Guard.h"
#include "compiler/targets/nvptx/Codegen.h"
#include "compiler/targets/nvptx/Passes.h"
#include "dialects/LoopToGPU/Policy.h"
#include "dialects/LoopToLLVM/Body.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/CorrelatedValuePropagation.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/Reassociate.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"
#include "llvm/Transforms/Vectorize/SLPVectorizer.h"

using namespace llvm;

namespace {

/// Runs the passes over one module.
class Optimizer {
public:
  Optimizer(Module &module, TargetMachine &machine);
  kern::compiler::nvptx::CodeFacts run(kern::compiler::Timing *timing);

private:
  bool isBody(const Function &function) const {
    return function.hasFnAttribute(kern::ir::loop::bodyAttribute);
  }
  bool isKernel(const Function &function) const {
    return function.getCallingConv() == CallingConv::PTX_Kernel;
  }
  /// Whether to optimise a function. Those of libdevice are optimised already,
  /// loops included.
  bool isOurs(const Function &function) const {
    return !function.isDeclaration() &&
           !function.hasFnAttribute(kern::compiler::nvptx::libdeviceAttribute);
  }
  bool hasLoop(const Function &function) const {
    SmallVector<std::pair<const BasicBlock *, const BasicBlock *>> edges;
    FindFunctionBackedges(function, edges);
    return !edges.empty();
  }
  /// Inlines into each body what it calls.
  void inlineIntoBodies();
  /// Inlines each body at its call sites, unless it is outlined.
  void inlineBodies();
  void runOn(Function &function, FunctionPassManager &&passes) {
    passes.run(function, functions);
    functions.invalidate(function, PreservedAnalyses::none());
  }

  Module &module;
  const unsigned computeCapability;
  PassInstrumentationCallbacks callbacks;
  PassBuilder builder;
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
};

} // namespace

static PipelineTuningOptions withoutVectorizers() {
  PipelineTuningOptions tuning;
  tuning.LoopVectorization = false;
  tuning.SLPVectorization = false;
  return tuning;
}

Optimizer::Optimizer(Module &module, TargetMachine &machine)
    : module(module),
      computeCapability(
          kern::compiler::nvptx::computeCapability(machine.getTargetCPU())),
      builder(&machine, withoutVectorizers(), std::nullopt, &callbacks) {
  kern::compiler::guardInstCombine(callbacks);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
}

/// The passes of LLVM's O2 that matter for code without loops, each run once.
/// Most ufuncs have no loops.
static FunctionPassManager straightLinePasses() {
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass());
  passes.addPass(
      SimplifyCFGPass(SimplifyCFGOptions().convertSwitchRangeToICmp(true)));
  passes.addPass(InstCombinePass());
  passes.addPass(CorrelatedValuePropagationPass());
  passes.addPass(ReassociatePass());
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(SimplifyCFGPass(SimplifyCFGOptions()
                                     .convertSwitchRangeToICmp(true)
                                     .hoistCommonInsts(true)
                                     .sinkCommonInsts(true)));
  passes.addPass(InstCombinePass());
  passes.addPass(ADCEPass());
  return passes;
}

static constexpr const char unrollFully[] = "llvm.loop.unroll.full";

/// Asks for the full unrolling of each loop, or withdraws the request. Loops
/// with metadata of their own about unrolling stay unchanged.
static void askForUnrolling(Function &function, bool isWanted) {
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>> edges;
  FindFunctionBackedges(function, edges);
  LLVMContext &context = function.getContext();
  for (auto [from, to] : edges) {
    auto *latch = const_cast<Instruction *>(from->getTerminator());
    MDNode *found = latch->getMetadata(LLVMContext::MD_loop);
    if (!isWanted && found && GetUnrollMetadata(found, unrollFully))
      latch->setMetadata(LLVMContext::MD_loop, nullptr);
    if (!isWanted || found)
      continue;
    MDNode *full = MDNode::get(context, MDString::get(context, unrollFully));
    MDNode *loop = MDNode::getDistinct(context, {nullptr, full});
    loop->replaceOperandWith(0, loop);
    latch->setMetadata(LLVMContext::MD_loop, loop);
  }
}

/// Unrolls loops from the outside in: the bounds of an inner loop may follow
/// from the iteration of an outer one.
static FunctionPassManager unrollingPasses() {
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass());
  passes.addPass(SimplifyCFGPass());
  passes.addPass(InstCombinePass(InstCombineOptions().setMaxIterations(1)));
  LoopPassManager loops;
  loops.addPass(LoopRotatePass());
  loops.addPass(LoopFullUnrollPass());
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(loops)));
  return passes;
}

/// Cleans up after optimised bodies were inlined: what several of them compute
/// from the same operands is computed once.
static FunctionPassManager tidyingPasses(bool hasLoop) {
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass());
  passes.addPass(SimplifyCFGPass());
  if (hasLoop)
    passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()),
                                                   /*UseMemorySSA=*/true));
  passes.addPass(InstCombinePass(InstCombineOptions().setMaxIterations(1)));
  return passes;
}

/// Pairs the arithmetic of neighbouring elements. Rounding does not change.
static FunctionPassManager pairingPasses() {
  FunctionPassManager passes;
  passes.addPass(SLPVectorizerPass());
  passes.addPass(InstCombinePass(InstCombineOptions().setMaxIterations(1)));
  return passes;
}

/// Whether arithmetic on f16 or bf16, which GPUs do in pairs, is worth the
/// search for pairs.
static bool isPaired(const Function &function) {
  const auto halves = count_if(instructions(function), [](const auto &op) {
    const auto *call = dyn_cast<IntrinsicInst>(&op);
    const bool isArithmetic =
        isa<BinaryOperator>(op) ||
        (call && call->getIntrinsicID() == Intrinsic::fma);
    Type *type = op.getType();
    return isArithmetic && (type->isHalfTy() || type->isBFloatTy());
  });
  return kern::compiler::nvptx::isPaired(unsigned(halves),
                                         function.getInstructionCount());
}

void Optimizer::inlineIntoBodies() {
  for (Function &function : module)
    if (isBody(function)) {
      function.removeFnAttr(Attribute::AlwaysInline);
      function.addFnAttr(Attribute::NoInline);
    }
  ModulePassManager passes;
  passes.addPass(AlwaysInlinerPass(/*InsertLifetime=*/false));
  passes.run(module, modules);
}

static bool isHinted(const User *user) {
  const auto *call = dyn_cast<CallBase>(user);
  return call && call->hasFnAttr(Attribute::InlineHint);
}

static kern::compiler::nvptx::BodyFacts factsOf(const Function &body) {
  Type *result = body.getReturnType();
  unsigned results = result->isVoidTy()     ? 0
                     : result->isStructTy() ? result->getStructNumElements()
                                            : 1;
  const DataLayout &layout = body.getDataLayout();
  uint64_t frame = 0;
  for (const Instruction &instruction : body.getEntryBlock())
    if (const auto *local = dyn_cast<AllocaInst>(&instruction))
      if (std::optional<TypeSize> size = local->getAllocationSize(layout))
        frame += size->getFixedValue();
  DenseMap<const Function *, unsigned> hinted;
  unsigned most = 0;
  for (const User *user : body.users())
    if (isHinted(user))
      most = std::max(most, ++hinted[cast<CallBase>(user)->getFunction()]);
  return {unsigned(body.getInstructionCount()),
          unsigned(body.arg_size()) + results, unsigned(body.getNumUses()),
          frame, most};
}

void Optimizer::inlineBodies() {
  for (Function &function : module) {
    if (!isBody(function))
      continue;
    kern::compiler::nvptx::BodyFacts facts = factsOf(function);
    const bool byHint = kern::compiler::nvptx::isOutlined(facts);
    if (byHint && !kern::compiler::nvptx::isInlinedByHint(facts))
      continue;
    SmallVector<CallInst *> inlined, functionCalls;
    for (User *user : function.users())
      if (auto *call = dyn_cast<CallInst>(user)) {
        const bool staysCall =
            byHint ? !isHinted(call)
                   : call->getAttributes().hasFnAttr(Attribute::NoInline);
        (staysCall ? functionCalls : inlined).push_back(call);
      }
    if (Function *quick =
            hasLoop(function)
                ? nullptr
                : kern::compiler::nvptx::withoutRarePaths(function)) {
      kern::compiler::nvptx::joinRarePaths(inlined, function, *quick);
    } else if (byHint) {
      for (CallInst *call : inlined)
        call->addFnAttr(Attribute::AlwaysInline);
    } else {
      function.removeFnAttr(Attribute::NoInline);
      function.addFnAttr(Attribute::AlwaysInline);
      if (!kern::compiler::nvptx::isKeptForFew(facts))
        for (CallInst *call : functionCalls)
          call->removeFnAttr(Attribute::NoInline);
    }
  }
  modules.invalidate(module, PreservedAnalyses::none());
  ModulePassManager passes;
  passes.addPass(AlwaysInlinerPass(/*InsertLifetime=*/false));
  passes.addPass(GlobalDCEPass());
  passes.run(module, modules);
}

kern::compiler::nvptx::CodeFacts
Optimizer::run(kern::compiler::Timing *timing) {
  kern::compiler::nvptx::CodeFacts facts;
  kern::compiler::StageTimer timer(timing, "optimise bodies");
  // Kernels are emitted in their final form, and are only cleaned up later.
  auto isWorked = [&](const Function &function) {
    return isOurs(function) && !isKernel(function);
  };
  bool bodiesLoop = any_of(module, [&](const Function &function) {
    return isWorked(function) && hasLoop(function);
  });
  facts.bodiesLoop = any_of(module, [&](const Function &function) {
    return !function.isDeclaration() && !isKernel(function) &&
           hasLoop(function);
  });
  inlineIntoBodies();
  for (Function &function : module)
    if (function.hasFnAttribute(kern::ir::loop::unrolledAttribute)) {
      askForUnrolling(function, true);
      runOn(function, unrollingPasses());
      askForUnrolling(function, false);
    }
  if (bodiesLoop) {
    builder.buildPerModuleDefaultPipeline(OptimizationLevel::O2)
        .run(module, modules);
  } else {
    for (Function &function : module)
      if (isWorked(function))
        runOn(function, straightLinePasses());
  }
  timer.next("inline bodies");
  inlineBodies();
  timer.next("tidy kernels");
  // The same GPUs have both instructions.
  const bool roundsPairs = kern::ir::loop::hasFmaOfBF16(computeCapability);
  for (Function &function : module)
    if (isOurs(function)) {
      runOn(function, tidyingPasses(hasLoop(function)));
      if (isPaired(function))
        runOn(function, pairingPasses());
      kern::compiler::nvptx::shareReciprocals(function);
      kern::compiler::nvptx::divideHalves(function);
      kern::compiler::nvptx::takeRootsOfHalves(function);
      kern::compiler::nvptx::shortenApproximations(function);
      kern::compiler::nvptx::widenBF16(function, roundsPairs);
    }
  for (const Function &function : module) {
    facts.largest = std::max(facts.largest, function.getInstructionCount());
    facts.hasCalls |= !function.isIntrinsic() && !function.use_empty();
  }
  return facts;
}

kern::compiler::nvptx::CodeFacts
kern::compiler::nvptx::optimize(Module &module, TargetMachine &machine,
                                Timing *timing) {
  return Optimizer(module, machine).run(timing);
}
