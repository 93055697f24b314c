//===- Codegen.cpp - PTX from lowered kernels -----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/nvptx/Codegen.h"

#include "compiler/targets/LLVMModule.h"
#include "compiler/targets/nvptx/Architectures.h"
#include "compiler/targets/nvptx/Functions.h"
#include "compiler/targets/nvptx/Libdevice.h"
#include "compiler/targets/nvptx/Optimize.h"
#include "compiler/targets/nvptx/Passes.h"
#include "compiler/targets/nvptx/SinCos.h"
#include "compiler/targets/nvptx/defects/Defects.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

#include <algorithm>
#include <mutex>

using namespace kern;

static Expected<std::unique_ptr<llvm::TargetMachine>>
createMachine(const nvptx::Options &options) {
  const nvptx::Architecture *architecture =
      nvptx::architectureFor(options.computeCapability);
  if (!architecture)
    return Error{KERN_ERROR_ARGUMENT,
                 "PTX for sm_" + std::to_string(options.computeCapability) +
                     " is not supported"};
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
  llvm::Triple triple("nvptx64-nvidia-cuda");
  std::string message;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return Error{KERN_ERROR_INTERNAL, message};
  llvm::TargetOptions flags;
  flags.AllowFPOpFusion =
      options.isPrecise ? llvm::FPOpFusion::Strict : llvm::FPOpFusion::Standard;
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, "sm_" + std::to_string(architecture->computeCapability),
      "+ptx" + std::to_string(architecture->ptxVersion), flags, std::nullopt,
      std::nullopt, llvm::CodeGenOptLevel::Default));
  if (!machine)
    return Error{KERN_ERROR_INTERNAL, "no NVPTX target machine"};
  return machine;
}

/// The thread's machine: the one of its last compilation, where that serves.
/// Not for code with calls, which a machine numbers for as long as it lives.
static Expected<llvm::TargetMachine *>
keptMachine(const nvptx::Options &options) {
  struct Kept {
    std::unique_ptr<llvm::TargetMachine> machine;
    unsigned computeCapability = 0;
    bool isPrecise = false;
  };
  static thread_local Kept kept;
  if (!kept.machine || kept.computeCapability != options.computeCapability ||
      kept.isPrecise != options.isPrecise) {
    auto made = createMachine(options);
    if (!made)
      return made.error();
    kept = {std::move(*made), options.computeCapability, options.isPrecise};
  }
  return kept.machine.get();
}

/// Products and sums may be contracted. In a library function (libdevice's and
/// Kern's own) only a product that one sum alone takes: where others take it
/// too, its rounding error is about to be computed. LLVM left to itself
/// contracts those as well, which made powf wrong by 34 ULP.
static void allowContraction(llvm::Module &module) {
  for (llvm::Function &function : module) {
    llvm::StringRef name = function.getName();
    bool isLibrary = name.starts_with("__") || name.starts_with("kern_") ||
                     name.starts_with("_ZN4kern");
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      unsigned opcode = instruction.getOpcode();
      bool isSum = opcode == llvm::Instruction::FAdd ||
                   opcode == llvm::Instruction::FSub;
      bool isProduct = opcode == llvm::Instruction::FMul &&
                       (!isLibrary || instruction.hasOneUse());
      if (isSum || isProduct)
        instruction.setHasAllowContract(true);
    }
  }
}

/// LLVM finds out which operands are only read, and reads them through the path
/// whose caches nothing keeps up to date. A kernel that waits for what writes
/// them must not.
static void readCoherently(llvm::Module &module) {
  for (llvm::Function &function : module)
    if (function.hasFnAttribute("kern-waits"))
      for (llvm::Argument &argument : function.args()) {
        argument.removeAttr(llvm::Attribute::ReadOnly);
        argument.removeAttr(llvm::Attribute::ReadNone);
      }
}

namespace {
struct Optimized {
  std::unique_ptr<llvm::Module> module;
  nvptx::CodeFacts facts;
};
} // namespace

static Expected<Optimized> makeModule(mlir::ModuleOp module,
                                      const nvptx::Options &options,
                                      llvm::LLVMContext &context,
                                      llvm::TargetMachine &machine) {
  StageTimer timer(options.timing, "convert to LLVM");
  if (Status status = convertToLLVMDialect(module, nvptx::functionSymbol);
      !status)
    return status.error();
  timer.next("translate to LLVM");
  auto translated =
      translateToLLVMIR(module, context, machine, nvptx::functionSymbol);
  if (!translated)
    return translated.error();
  timer.next("link libdevice");
  nvptx::fuseSinCos(**translated);
  if (Status status = nvptx::linkLibdevice(**translated); !status)
    return status.error();
  if (!options.isPrecise)
    allowContraction(**translated);
  timer.next(nullptr);
  nvptx::CodeFacts facts =
      nvptx::optimize(**translated, machine, options.timing);
  readCoherently(**translated);
  nvptx::avoidDefects(**translated);
  return Optimized{std::move(*translated), facts};
}

/// Gives what a part defines for itself names of its own.
static void nameApart(llvm::Module &module, unsigned part) {
  if (part == 0)
    return;
  for (llvm::GlobalObject &object : module.global_objects())
    if (object.hasLocalLinkage())
      object.setName(object.getName() + "__" + llvm::Twine(part));
}

Expected<std::string> kern::nvptx::emitPtx(mlir::ModuleOp module,
                                           const Options &options) {
  StageTimer timer(options.timing, "target machine");
  auto machine = keptMachine(options);
  if (!machine)
    return machine.error();
  timer.next(nullptr);
  llvm::LLVMContext context;
  auto made = makeModule(module, options, context, **machine);
  if (!made)
    return made.error();
  nameApart(*made->module, options.part);
  timer.next("generate PTX");
  auto print = [&](llvm::TargetMachine &machine) {
    return printAssembly(*made->module, machine, unwantedPasses(made->facts));
  };
  if (!made->facts.hasCalls)
    return print(**machine);
  auto fresh = createMachine(options);
  return fresh ? print(**fresh) : fresh.error();
}

Expected<std::string> kern::nvptx::emitLLVM(mlir::ModuleOp module,
                                            const Options &options) {
  auto machine = keptMachine(options);
  if (!machine)
    return machine.error();
  llvm::LLVMContext context;
  auto made = makeModule(module, options, context, **machine);
  if (!made)
    return made.error();
  return printIR(*made->module);
}
