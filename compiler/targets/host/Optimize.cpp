//===- Optimize.cpp - LLVM passes for the CPU -----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/instcombine/Guard.h"
#include "compiler/library/Library.h"
#include "compiler/targets/host/Passes.h"
#include "dialects/LoopToHost/LoopToHost.h"
#include "dialects/LoopToLLVM/Body.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;
using kern::compiler::host::VectorUnit;

namespace {
struct SettleVectorFunctions : PassInfoMixin<SettleVectorFunctions> {
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
    kern::compiler::host::settleVectorFunctions(module);
    return PreservedAnalyses::none();
  }
};

/// Complex numbers are vectors of two, which the loop vectoriser rejects.
struct ScalarizeComplex : PassInfoMixin<ScalarizeComplex> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    if (kern::compiler::host::isVectorWrapper(function) ||
        function.hasFnAttribute(kern::ir::loop::vectorsAttribute))
      return PreservedAnalyses::all();
    ScalarizerPassOptions options;
    options.ScalarizeLoadStore = true;
    return ScalarizerPass(options).run(function, analyses);
  }
};

struct CountInIntegers : PassInfoMixin<CountInIntegers> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    const LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
    return kern::compiler::host::countInIntegers(loops)
               ? PreservedAnalyses::none()
               : PreservedAnalyses::all();
  }
};

struct SplitRunningExtremes : PassInfoMixin<SplitRunningExtremes> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    const LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
    return kern::compiler::host::splitRunningExtremes(loops)
               ? PreservedAnalyses::none()
               : PreservedAnalyses::all();
  }
};

struct ReadWithoutMasks : PassInfoMixin<ReadWithoutMasks> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
    auto &scalars = analyses.getResult<ScalarEvolutionAnalysis>(function);
    return kern::compiler::host::readWithoutMasks(function, dominators, scalars)
               ? PreservedAnalyses::none()
               : PreservedAnalyses::all();
  }
};

struct HideWrappedIndices : PassInfoMixin<HideWrappedIndices> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    const LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
    auto &scalars = analyses.getResult<ScalarEvolutionAnalysis>(function);
    return kern::compiler::host::hideWrappedIndices(function, loops, scalars)
               ? PreservedAnalyses::none()
               : PreservedAnalyses::all();
  }
};

struct HoistDivisions : PassInfoMixin<HoistDivisions> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    const LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
    return kern::compiler::host::hoistDivisions(loops)
               ? PreservedAnalyses::none()
               : PreservedAnalyses::all();
  }
};

struct SplitWholeVectors : PassInfoMixin<SplitWholeVectors> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
    LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
    return kern::compiler::host::splitWholeVectors(dominators, loops)
               ? PreservedAnalyses::none()
               : PreservedAnalyses::all();
  }
};

struct DivideVectors : PassInfoMixin<DivideVectors> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &) {
    return kern::compiler::host::divideVectors(function)
               ? PreservedAnalyses::none()
               : PreservedAnalyses::all();
  }
};

struct ExpandExtremes : PassInfoMixin<ExpandExtremes> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &) {
    return kern::compiler::host::expandExtremes(function)
               ? PreservedAnalyses::none()
               : PreservedAnalyses::all();
  }
};

struct WidenMasks : PassInfoMixin<WidenMasks> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &) {
    return kern::compiler::host::widenMasks(function)
               ? PreservedAnalyses::none()
               : PreservedAnalyses::all();
  }
};

struct StreamStores : PassInfoMixin<StreamStores> {
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
    kern::compiler::host::streamStores(module);
    return PreservedAnalyses::none();
  }
};
} // namespace

/// The functions of the C library that LLVM may use: those that set and copy
/// memory. LLVM must not replace an elementary function by another one, or
/// evaluate it.
static TargetLibraryInfoImpl describeLibrary(const Triple &triple) {
  TargetLibraryInfoImpl library(triple);
  library.disableAllFunctions();
  for (LibFunc function : {LibFunc_memcpy, LibFunc_memmove, LibFunc_memset})
    library.setAvailable(function);
  return library;
}

static VectorUnit vectorUnit(const Module &module,
                             const TargetMachine &machine) {
  const MCSubtargetInfo &cpu = *machine.getMCSubtargetInfo();
  return kern::compiler::host::chooseVectorUnit(
      machine.getTargetCPU(),
      [&](StringRef feature) {
        return cpu.checkFeatures(("+" + feature).str());
      },
      kern::compiler::host::callsVectorFunctions(module, VectorUnit::Avx512));
}

/// Sets the vector width to that of the unit's registers, whatever LLVM prefers
/// on this CPU.
static void settleRegisters(Module &module, VectorUnit unit) {
  StringRef bits = unit == VectorUnit::Avx512 ? "512" : "256";
  if (GlobalVariable *large =
          module.getNamedGlobal(kern::ir::loop::largeRegisters))
    large->setInitializer(
        ConstantInt::get(large->getValueType(), unit == VectorUnit::Avx512));
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("prefer-vector-width", bits);
    function.addFnAttr("min-legal-vector-width", bits);
  }
}

/// Inlines functions of Kern's library that call nothing: a GPU calls them for
/// rare numbers, but a call keeps a loop from becoming vectors.
static void inlineLibrary(Module &module) {
  for (Function &function : module) {
    if (!function.hasFnAttribute(kern::compiler::library::functionAttribute) ||
        !function.hasFnAttribute(Attribute::NoInline))
      continue;
    bool calls = any_of(instructions(function), [](const Instruction &op) {
      return isa<CallBase>(op) && !isa<IntrinsicInst>(op);
    });
    if (calls)
      continue;
    function.removeFnAttr(Attribute::NoInline);
    function.addFnAttr(Attribute::AlwaysInline);
  }
}

/// Lets the code generator add products at once.
static void allowContractions(Function &function) {
  for (Instruction &op : instructions(function))
    if (is_contained({Instruction::FAdd, Instruction::FSub, Instruction::FMul},
                     op.getOpcode()))
      op.setHasAllowContract(true);
}

static bool hasChosenProducts(const Function &function) {
  return function.hasFnAttribute(kern::ir::loop::productsChosenAttribute);
}

/// Says of callers of gufuncs' bodies, too, that their products are chosen.
/// What they call, such as the library, may be contracted and inlined.
static void separateChosenProducts(Module &module) {
  SetVector<Function *> own, called;
  for (Function &function : module)
    if (hasChosenProducts(function))
      own.insert(&function);
  for (size_t i = 0; i < own.size(); ++i) {
    own[i]->addFnAttr(kern::ir::loop::productsChosenAttribute);
    for (User *user : own[i]->users())
      if (auto *call = dyn_cast<CallBase>(user))
        own.insert(call->getFunction());
  }
  auto addCallees = [&](Function &function) {
    for (Instruction &op : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&op))
        if (Function *callee = call->getCalledFunction();
            callee && !hasChosenProducts(*callee))
          called.insert(callee);
  };
  for (Function *function : own)
    addCallees(*function);
  for (size_t i = 0; i < called.size(); ++i) {
    addCallees(*called[i]);
    allowContractions(*called[i]);
  }
}

void kern::compiler::host::optimize(Module &module, TargetMachine &machine) {
  const bool mayContract =
      machine.Options.AllowFPOpFusion != FPOpFusion::Strict;
  if (mayContract)
    separateChosenProducts(module);
  inlineLibrary(module);
  expandBFloat(module);
  VectorUnit unit = vectorUnit(module, machine);
  offerVectorFunctions(module, unit);
  settleRegisters(module, unit);
  PipelineTuningOptions tuning;
  tuning.LoopVectorization = true;
  tuning.LoopInterleaving = true;
  tuning.SLPVectorization = false;
  PassInstrumentationCallbacks callbacks;
  guardInstCombine(callbacks);
  PassBuilder builder(&machine, tuning, std::nullopt, &callbacks);
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  functions.registerPass([&] {
    return TargetLibraryAnalysis(describeLibrary(machine.getTargetTriple()));
  });
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.registerVectorizerStartEPCallback(
      [](FunctionPassManager &passes, OptimizationLevel) {
        passes.addPass(ScalarizeComplex());
        passes.addPass(ReadWithoutMasks());
        passes.addPass(EarlyCSEPass());
        passes.addPass(LoopSimplifyPass());
        passes.addPass(CountInIntegers());
        passes.addPass(LCSSAPass());
        passes.addPass(SplitRunningExtremes());
        passes.addPass(HoistDivisions());
        passes.addPass(HideWrappedIndices());
      });
  const bool hasMasks =
      machine.getMCSubtargetInfo()->checkFeatures("+avx512vl");
  builder.registerOptimizerLastEPCallback([hasMasks](ModulePassManager &passes,
                                                     OptimizationLevel,
                                                     ThinOrFullLTOPhase) {
    passes.addPass(createModuleToFunctionPassAdaptor(SplitWholeVectors()));
    passes.addPass(createModuleToFunctionPassAdaptor(DivideVectors()));
    passes.addPass(createModuleToFunctionPassAdaptor(ExpandExtremes()));
    passes.addPass(SettleVectorFunctions());
    passes.addPass(AlwaysInlinerPass(/*InsertLifetimeIntrinsics=*/false));
    passes.addPass(GlobalDCEPass());
    if (!hasMasks)
      passes.addPass(createModuleToFunctionPassAdaptor(WidenMasks()));
    passes.addPass(StreamStores());
  });
  builder.buildPerModuleDefaultPipeline(OptimizationLevel::O3)
      .run(module, modules);
  // Other functions get the flags last, as LLVM's passes respect them.
  for (Function &function : module)
    if (mayContract && !hasChosenProducts(function))
      allowContractions(function);
}
