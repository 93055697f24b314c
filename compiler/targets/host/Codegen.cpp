//===- Codegen.cpp - machine code from lowered kernels --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/host/Codegen.h"

#include "compiler/targets/LLVMModule.h"
#include "compiler/targets/host/Functions.h"
#include "compiler/targets/host/Optimize.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

#include <mutex>

using namespace kern;

static Error internal(llvm::Error error) {
  return {KERN_ERROR_INTERNAL, llvm::toString(std::move(error))};
}

static Expected<llvm::orc::JITTargetMachineBuilder>
describeHost(const host::Options &options) {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
  auto host = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!host)
    return internal(host.takeError());
  if (!options.cpu.empty()) {
    host->setCPU(options.cpu);
    host->getFeatures() = llvm::SubtargetFeatures();
  }
  // These instructions take subnormal bf16 numbers for zero; BFloat.h rounds.
  host->getFeatures().AddFeature("avx512bf16", false);
  host->getFeatures().AddFeature("avxneconvert", false);
  // The code lies far from the functions that it calls.
  host->setRelocationModel(llvm::Reloc::PIC_);
  host->setCodeModel(llvm::CodeModel::Small);
  host->getOptions().AllowFPOpFusion =
      options.isPrecise ? llvm::FPOpFusion::Strict : llvm::FPOpFusion::Fast;
  return std::move(*host);
}

namespace {
/// LLVM would print that it could not make vectors of a loop, which is no news
/// to anyone: the loop stays as it is.
class QuietHandler : public llvm::DiagnosticHandler {
public:
  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    return info.getSeverity() != llvm::DS_Error;
  }
};

} // namespace

static Expected<std::unique_ptr<llvm::Module>>
makeModule(mlir::ModuleOp module, llvm::LLVMContext &context,
           llvm::TargetMachine &machine, Timing *timing) {
  StageTimer timer(timing, "convert to LLVM");
  if (Status status = convertToLLVMDialect(module, host::functionSymbol);
      !status)
    return status.error();
  timer.next("translate to LLVM");
  context.setDiagnosticHandler(std::make_unique<QuietHandler>());
  auto translated =
      translateToLLVMIR(module, context, machine, host::scalarSymbol);
  if (!translated)
    return translated.error();
  timer.next("optimise");
  host::optimize(**translated, machine);
  return std::move(*translated);
}

/// Makes `module` into code of a machine, and gives that to `print`.
template <typename Print>
static Expected<std::string> emit(mlir::ModuleOp module,
                                  const host::Options &options, Print print) {
  StageTimer timer(options.timing, "target machine");
  auto description = describeHost(options);
  if (!description)
    return description.error();
  auto machine = description->createTargetMachine();
  if (!machine)
    return internal(machine.takeError());
  timer.next(nullptr);
  llvm::LLVMContext context;
  auto made = makeModule(module, context, **machine, options.timing);
  if (!made)
    return made.error();
  timer.next("generate code");
  return print(**made, **machine);
}

Expected<std::shared_ptr<host::Code>>
kern::host::compile(mlir::ModuleOp module, const Options &options) {
  Expected<std::string> object = emit(module, options, emitObject);
  if (!object)
    return object.error();
  return link(std::make_shared<const std::string>(std::move(*object)));
}

Expected<std::string> kern::host::emitLLVM(mlir::ModuleOp module,
                                           const Options &options) {
  return emit(module, options, [](llvm::Module &made, llvm::TargetMachine &) {
    return Expected<std::string>(printIR(made));
  });
}

Expected<std::string> kern::host::emitAssembly(mlir::ModuleOp module,
                                               const Options &options) {
  return emit(module, options,
              [](llvm::Module &made, llvm::TargetMachine &machine) {
                return printAssembly(made, machine);
              });
}

Expected<std::string> kern::host::emitObjectFile(
    mlir::ModuleOp module, const std::vector<loop::Entry> &entries,
    const ObjectDescription &description, const Options &options) {
  return emit(module, options,
              [&](llvm::Module &made, llvm::TargetMachine &machine) {
                made.setPICLevel(llvm::PICLevel::BigPIC);
                makeLinkable(made, entries, description);
                return emitObject(made, machine);
              });
}

host::CpuText kern::host::cpuText() {
  std::vector<std::string> features;
  for (const auto &feature : llvm::sys::getHostCPUFeatures())
    if (feature.second)
      features.push_back(feature.first().str());
  llvm::sort(features);
  return {llvm::sys::getHostCPUName().str(), llvm::join(features, ",")};
}
