//===- Codegen.cpp - machine code from lowered kernels --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/host/Codegen.h"

#include "compiler/targets/LLVMModule.h"
#include "compiler/targets/host/BFloat.h"
#include "compiler/targets/host/Functions.h"
#include "compiler/targets/host/Optimize.h"

#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
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
  // These instructions take subnormal bf16 numbers for zero; BFloat.h rounds.
  host->getFeatures().AddFeature("avx512bf16", false);
  host->getFeatures().AddFeature("avxneconvert", false);
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

/// Optimised code, and the vector functions that it may call.
struct MadeModule {
  std::unique_ptr<llvm::Module> module;
  host::VectorSymbols vectors;
};
} // namespace

static Expected<MadeModule> makeModule(mlir::ModuleOp module,
                                       llvm::LLVMContext &context,
                                       llvm::TargetMachine &machine) {
  if (Status status = convertToLLVMDialect(module, host::functionSymbol);
      !status)
    return status.error();
  context.setDiagnosticHandler(std::make_unique<QuietHandler>());
  auto translated =
      translateToLLVMIR(module, context, machine, host::scalarSymbol);
  if (!translated)
    return translated.error();
  host::VectorSymbols vectors = host::optimize(**translated, machine);
  return MadeModule{std::move(*translated), std::move(vectors)};
}

namespace {

class JitCode : public host::Code {
public:
  explicit JitCode(std::unique_ptr<llvm::orc::LLJIT> jit)
      : jit(std::move(jit)) {}

  Expected<host::EntryPoint> find(std::string_view symbol) override {
    auto address = jit->lookup(llvm::StringRef(symbol));
    if (!address)
      return Error{KERN_ERROR_NOT_FOUND, llvm::toString(address.takeError())};
    return address->toPtr<host::EntryPoint>();
  }

private:
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

} // namespace

/// The elementary functions and their vector functions by address, and whatever
/// else LLVM calls (memset, fma on an old CPU) from this process.
static llvm::Error addSymbols(llvm::orc::LLJIT &jit,
                              const host::VectorSymbols &vectors) {
  llvm::orc::SymbolMap symbols;
  auto add = [&](llvm::StringRef symbol, void *address) {
    symbols[jit.mangleAndIntern(symbol)] = {
        llvm::orc::ExecutorAddr::fromPtr(address),
        llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  };
  for (auto [symbol, address] : host::functionAddresses())
    add(symbol, address);
  add(host::bfloatRoundingSymbol,
      reinterpret_cast<void *>(&host::roundToBFloat));
  for (const host::VectorFunction &vector : vectors)
    add(vector.symbol, vector.address);
  llvm::orc::JITDylib &library = jit.getMainJITDylib();
  if (auto error = library.define(llvm::orc::absoluteSymbols(symbols)))
    return error;
  auto process = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      jit.getDataLayout().getGlobalPrefix());
  if (!process)
    return process.takeError();
  library.addGenerator(std::move(*process));
  return llvm::Error::success();
}

Expected<std::shared_ptr<host::Code>>
kern::host::compile(mlir::ModuleOp module, const Options &options) {
  auto description = describeHost(options);
  if (!description)
    return description.error();
  auto machine = description->createTargetMachine();
  if (!machine)
    return internal(machine.takeError());
  auto context = std::make_unique<llvm::LLVMContext>();
  auto made = makeModule(module, *context, **machine);
  if (!made)
    return made.error();

  auto jit = llvm::orc::LLJITBuilder()
                 .setJITTargetMachineBuilder(*description)
                 .setPlatformSetUp(llvm::orc::setUpInactivePlatform)
                 .setLinkProcessSymbolsByDefault(false)
                 .create();
  if (!jit)
    return internal(jit.takeError());
  if (auto error = addSymbols(**jit, made->vectors))
    return internal(std::move(error));
  if (auto error = (*jit)->addIRModule(llvm::orc::ThreadSafeModule(
          std::move(made->module), std::move(context))))
    return internal(std::move(error));
  return std::shared_ptr<Code>(std::make_shared<JitCode>(std::move(*jit)));
}

Expected<std::string> kern::host::emitLLVM(mlir::ModuleOp module,
                                           const Options &options) {
  auto description = describeHost(options);
  if (!description)
    return description.error();
  auto machine = description->createTargetMachine();
  if (!machine)
    return internal(machine.takeError());
  llvm::LLVMContext context;
  auto made = makeModule(module, context, **machine);
  if (!made)
    return made.error();
  return printIR(*made->module);
}

Expected<std::string> kern::host::emitAssembly(mlir::ModuleOp module,
                                               const Options &options) {
  auto description = describeHost(options);
  if (!description)
    return description.error();
  auto machine = description->createTargetMachine();
  if (!machine)
    return internal(machine.takeError());
  llvm::LLVMContext context;
  auto made = makeModule(module, context, **machine);
  if (!made)
    return made.error();
  return printAssembly(*made->module, **machine);
}

std::string kern::host::cpuName() { return llvm::sys::getHostCPUName().str(); }
