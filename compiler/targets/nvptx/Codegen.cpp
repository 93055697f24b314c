//===- Codegen.cpp - PTX from LLVM IR -------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/nvptx/Codegen.h"

#include "compiler/targets/LLVMModule.h"
#include "compiler/targets/nvptx/Architectures.h"
#include "compiler/targets/nvptx/Passes.h"
#include "compiler/targets/nvptx/defects/Defects.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

#include <mutex>

using namespace kern::compiler;
using namespace kern::runtime;

unsigned kern::compiler::nvptx::computeCapability(llvm::StringRef arch) {
  unsigned number = 0;
  return arch.consume_front("sm_") && !arch.getAsInteger(10, number) ? number
                                                                     : 0;
}

/// With `isSpecific`, code that uses sm_90a's own instructions.
static Expected<std::unique_ptr<llvm::TargetMachine>>
createMachine(const CodegenOptions &options, bool isSpecific = false) {
  const nvptx::Architecture *architecture =
      nvptx::architectureFor(nvptx::computeCapability(options.arch));
  if (!architecture)
    return Error{KERN_ERROR_ARGUMENT,
                 "PTX for " + options.arch + " is not supported"};
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
  constexpr unsigned ptxOfSpecific = 80;
  unsigned version =
      std::max(architecture->ptxVersion, isSpecific ? ptxOfSpecific : 0);
  std::string cpu = "sm_" + std::to_string(architecture->computeCapability) +
                    (isSpecific ? "a" : "");
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, cpu, "+ptx" + std::to_string(version), flags, std::nullopt,
      std::nullopt, llvm::CodeGenOptLevel::Default));
  if (!machine)
    return Error{KERN_ERROR_INTERNAL, "no NVPTX target machine"};
  return machine;
}

/// The thread's target machine. It is kept from the last compilation if the
/// options are the same. Do not use it for code with calls: a machine numbers
/// them over its whole lifetime.
static Expected<llvm::TargetMachine *>
keptMachine(const CodegenOptions &options) {
  struct Kept {
    std::unique_ptr<llvm::TargetMachine> machine;
    std::string arch;
    bool isPrecise = false;
  };
  static thread_local Kept kept;
  if (!kept.machine || kept.arch != options.arch ||
      kept.isPrecise != options.isPrecise) {
    auto made = createMachine(options);
    if (!made)
      return made.error();
    kept = {std::move(*made), options.arch, options.isPrecise};
  }
  return kept.machine.get();
}

/// The assembly that a value or an instruction is; "" if it is none.
static llvm::StringRef assemblyOf(const llvm::Value *value) {
  const auto *call = llvm::dyn_cast<llvm::CallInst>(value);
  const auto *text =
      call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand())
           : nullptr;
  return text ? text->getAsmString() : "";
}

/// Whether there are instructions that only sm_90a has.
static bool isSpecific(const llvm::Module &module) {
  for (const llvm::Function &function : module)
    for (const llvm::Instruction &instruction : llvm::instructions(function))
      if (assemblyOf(&instruction).contains("wgmma."))
        return true;
  return false;
}

/// LLVM infers which operands are only read, and reads them through the
/// non-coherent cache. A kernel that waits for the writer of its inputs must
/// not do that.
static void readCoherently(llvm::Module &module) {
  for (llvm::Function &function : module)
    if (function.hasFnAttribute("kern-waits"))
      for (llvm::Argument &argument : function.args()) {
        argument.removeAttr(llvm::Attribute::ReadOnly);
        argument.removeAttr(llvm::Attribute::ReadNone);
      }
}

/// Renames the internal symbols of a part, so that parts can be joined.
static void suffixInternalNames(llvm::Module &module, unsigned part) {
  if (part == 0)
    return;
  for (llvm::GlobalObject &object : module.global_objects())
    if (object.hasLocalLinkage())
      object.setName(object.getName() + "__" + llvm::Twine(part));
}

namespace {
class PtxCodegen : public Codegen {
public:
  PtxCodegen(llvm::TargetMachine &kept, const CodegenOptions &options)
      : kept(kept), options(options) {}

  llvm::TargetMachine &machine() override { return kept; }

  Status link(llvm::Module &module) override {
    StageTimer timer(options.timing, "link libdevice");
    nvptx::fuseSinCos(module);
    nvptx::defineSines(module);
    nvptx::defineLogarithms(module);
    nvptx::defineDivisions(module);
    if (Status status = nvptx::linkLibdevice(module); !status)
      return status;
    if (!options.isPrecise)
      nvptx::contractProducts(module);
    return {};
  }

  void optimize(llvm::Module &module) override {
    facts = nvptx::optimize(module, kept, options.timing);
    readCoherently(module);
    nvptx::avoidDefects(module);
  }

  /// PTX serves as assembly and as code.
  Expected<std::string> emit(llvm::Module &module, Stage) override {
    suffixInternalNames(module, options.part);
    StageTimer timer(options.timing, "generate PTX");
    const bool needsOwn = isSpecific(module);
    if (!facts.hasCalls && !needsOwn)
      return printAssembly(module, kept, nvptx::unwantedPasses(facts));
    auto fresh = createMachine(options, needsOwn);
    if (!fresh)
      return fresh.error();
    return printAssembly(module, **fresh, nvptx::unwantedPasses(facts));
  }

private:
  llvm::TargetMachine &kept;
  CodegenOptions options;
  nvptx::CodeFacts facts;
};
} // namespace

Expected<std::unique_ptr<Codegen>>
kern::compiler::nvptx::codegen(const CodegenOptions &options) {
  auto machine = keptMachine(options);
  if (!machine)
    return machine.error();
  return std::unique_ptr<Codegen>(
      std::make_unique<PtxCodegen>(**machine, options));
}
