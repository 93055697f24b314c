//===- Codegen.cpp - machine code from lowered kernels --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/host/Codegen.h"

#include "compiler/targets/LLVMModule.h"
#include "compiler/targets/host/Passes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

#include <mutex>

using namespace kern::compiler;
using namespace kern::runtime;

static Error internal(llvm::Error error) {
  return {KERN_ERROR_INTERNAL, llvm::toString(std::move(error))};
}

static Expected<llvm::orc::JITTargetMachineBuilder>
describeHost(const CodegenOptions &options) {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
  auto host = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!host)
    return internal(host.takeError());
  if (!options.arch.empty()) {
    host->setCPU(options.arch);
    host->getFeatures() = llvm::SubtargetFeatures();
  }
  // These instructions treat subnormal bf16 numbers as zero. expandBFloat()
  // rounds instead.
  host->getFeatures().AddFeature("avx512bf16", false);
  host->getFeatures().AddFeature("avxneconvert", false);
  // With these LLVM 22 never ends for some shuffles of 64 bytes (issue 137422
  // of llvm-project).
  host->getFeatures().AddFeature("avx512vbmi", false);
  // The code may be far from the functions that it calls.
  host->setRelocationModel(llvm::Reloc::PIC_);
  host->setCodeModel(llvm::CodeModel::Small);
  host->getOptions().AllowFPOpFusion =
      options.isPrecise ? llvm::FPOpFusion::Strict : llvm::FPOpFusion::Standard;
  return std::move(*host);
}

namespace {
class HostCodegen : public Codegen {
public:
  HostCodegen(std::unique_ptr<llvm::TargetMachine> made,
              const CodegenOptions &options)
      : made(std::move(made)), options(options) {}

  llvm::TargetMachine &machine() override { return *made; }

  void optimize(llvm::Module &module) override {
    StageTimer timer(options.timing, "optimise");
    host::optimize(module, *made);
  }

  Expected<std::string> emit(llvm::Module &module, Stage stage) override {
    StageTimer timer(options.timing, "generate code");
    if (stage == Stage::Assembly)
      return printAssembly(module, *made);
    if (stage == Stage::Object) {
      module.setPICLevel(llvm::PICLevel::BigPIC);
      host::makeLinkable(module, *options.object);
    }
    return emitObject(module, *made);
  }

private:
  std::unique_ptr<llvm::TargetMachine> made;
  CodegenOptions options;
};
} // namespace

Expected<std::unique_ptr<Codegen>>
kern::compiler::host::codegen(const CodegenOptions &options) {
  auto description = describeHost(options);
  if (!description)
    return description.error();
  auto machine = description->createTargetMachine();
  if (!machine)
    return internal(machine.takeError());
  return std::unique_ptr<Codegen>(
      std::make_unique<HostCodegen>(std::move(*machine), options));
}

host::CpuText kern::compiler::host::cpuText() {
  std::vector<std::string> features;
  for (const auto &feature : llvm::sys::getHostCPUFeatures())
    if (feature.second)
      features.push_back(feature.first().str());
  llvm::sort(features);
  return {llvm::sys::getHostCPUName().str(), llvm::join(features, ",")};
}
