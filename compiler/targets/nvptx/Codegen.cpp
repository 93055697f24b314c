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
#include "compiler/targets/nvptx/Negation.h"
#include "compiler/targets/nvptx/Optimize.h"
#include "compiler/targets/nvptx/SinCos.h"

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

static Expected<std::unique_ptr<llvm::Module>>
makeModule(mlir::ModuleOp module, const nvptx::Options &options,
           llvm::LLVMContext &context, llvm::TargetMachine &machine) {
  StageTimer timer(options.timing, "convert to LLVM");
  if (Status status = convertToLLVMDialect(module, nvptx::functionSymbol);
      !status)
    return status.error();
  timer.next("translate to LLVM");
  auto translated =
      translateToLLVMIR(module, context, machine, nvptx::functionSymbol);
  if (!translated)
    return translated;
  timer.next("link libdevice");
  nvptx::fuseSinCos(**translated);
  if (Status status = nvptx::linkLibdevice(**translated); !status)
    return status.error();
  if (!options.isPrecise)
    allowContraction(**translated);
  timer.next(nullptr);
  nvptx::optimize(**translated, machine, options.timing);
  nvptx::keepSmallestIntegers(**translated);
  return translated;
}

/// Gives what a part defines for itself names of its own.
static void nameApart(llvm::Module &module, unsigned part) {
  if (part == 0)
    return;
  for (llvm::GlobalObject &object : module.global_objects())
    if (object.hasLocalLinkage())
      object.setName(object.getName() + "__" + llvm::Twine(part));
}

llvm::ArrayRef<llvm::StringLiteral>
kern::nvptx::unwantedPasses(size_t instructions) {
  // The last one is not idle: it moves what only one branch needs into that,
  // one instruction after the other, and looks at the whole block for each.
  // The driver's translator does it as well.
  constexpr size_t large = 4000;
  static constexpr std::array<llvm::StringLiteral, 10> names = {
      {"slsr", "nary-reassociate", "speculative-execution", "mergeicmps",
       "expand-memcmp", "partially-inline-libcalls", "objc-arc-contract",
       "early-tailduplication", "opt-phis", "machine-sink"}};
  return llvm::ArrayRef(names).drop_back(instructions < large ? 1 : 0);
}

static size_t largestFunction(const llvm::Module &module) {
  size_t largest = 0;
  for (const llvm::Function &function : module)
    largest = std::max<size_t>(largest, function.getInstructionCount());
  return largest;
}

Expected<std::string> kern::nvptx::emitPtx(mlir::ModuleOp module,
                                           const Options &options) {
  StageTimer timer(options.timing, "target machine");
  auto machine = createMachine(options);
  if (!machine)
    return machine.error();
  timer.next(nullptr);
  llvm::LLVMContext context;
  auto made = makeModule(module, options, context, **machine);
  if (!made)
    return made.error();
  nameApart(**made, options.part);
  timer.next("generate PTX");
  return printAssembly(**made, **machine,
                       unwantedPasses(largestFunction(**made)));
}

Expected<std::string> kern::nvptx::emitLLVM(mlir::ModuleOp module,
                                            const Options &options) {
  auto machine = createMachine(options);
  if (!machine)
    return machine.error();
  llvm::LLVMContext context;
  auto made = makeModule(module, options, context, **machine);
  if (!made)
    return made.error();
  return printIR(**made);
}
