//===- Optimize.cpp - LLVM passes for PTX ---------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/nvptx/Optimize.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace llvm;

void kern::nvptx::optimize(Module &module, TargetMachine &machine) {
  PipelineTuningOptions tuning;
  tuning.LoopVectorization = false;
  tuning.SLPVectorization = false;
  PassBuilder builder(&machine, tuning);
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);

  SmallVector<Function *> bodies;
  for (Function &function : module)
    if (function.getName().ends_with("__body") && !function.isDeclaration()) {
      function.removeFnAttr(Attribute::AlwaysInline);
      function.addFnAttr(Attribute::NoInline);
      bodies.push_back(&function);
    }
  builder.buildPerModuleDefaultPipeline(OptimizationLevel::O2)
      .run(module, modules);

  for (Function &function : module)
    if (function.getName().ends_with("__body")) {
      function.removeFnAttr(Attribute::NoInline);
      function.addFnAttr(Attribute::AlwaysInline);
    }
  modules.invalidate(module, PreservedAnalyses::none());
  ModulePassManager finish;
  finish.addPass(AlwaysInlinerPass(/*InsertLifetime=*/false));
  finish.addPass(GlobalDCEPass());
  FunctionPassManager tidy;
  tidy.addPass(SROAPass(SROAOptions::ModifyCFG));
  tidy.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  tidy.addPass(InstCombinePass());
  tidy.addPass(SimplifyCFGPass());
  tidy.addPass(ADCEPass());
  finish.addPass(createModuleToFunctionPassAdaptor(std::move(tidy)));
  finish.run(module, modules);
}
