//===- LLVMModule.cpp - from lowered kernels to LLVM IR -------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/LLVMModule.h"

#include "compiler/library/Library.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Pass.h"
#include "llvm/PassInfo.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using kern::runtime::Error;
using kern::runtime::Status;

namespace {

/// Collects MLIR's diagnostics during its lifetime, for an Error.
class MessageCollector {
public:
  explicit MessageCollector(MLIRContext *context)
      : handler(context, [this](Diagnostic &diagnostic) {
          text += text.empty() ? "" : "; ";
          text += diagnostic.str();
          return success();
        }) {}
  Error error(StringRef stage) const {
    return {KERN_ERROR_INTERNAL, (stage + ": " + text).str()};
  }

private:
  std::string text;
  ScopedDiagnosticHandler handler;
};

} // namespace

/// Elementary functions depend only on their arguments: nothing reads errno or
/// signgam.
static void markPure(ModuleOp module) {
  auto *context = module.getContext();
  auto none = LLVM::ModRefInfo::NoModRef;
  auto effects = LLVM::MemoryEffectsAttr::get(
      context, {none, none, none, none, none, none});
  auto passthrough =
      ArrayAttr::get(context, {StringAttr::get(context, "nounwind"),
                               StringAttr::get(context, "willreturn")});
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    if (!function.isExternal())
      continue;
    function.setMemoryEffectsAttr(effects);
    function.setPassthroughAttr(passthrough);
  }
}

/// Converts what replaceScalarOperations() left, with MLIR's patterns.
static Status convertTheRest(ModuleOp module) {
  MLIRContext *context = module.getContext();
  MessageCollector messages(context);
  LLVMTypeConverter types(context);
  RewritePatternSet patterns(context);
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);
  arith::populateArithToLLVMConversionPatterns(types, patterns);
  populateMathToLLVMConversionPatterns(types, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(types, patterns);
  populateFuncToLLVMConversionPatterns(types, patterns);
  LLVMConversionTarget target(*context);
  target.addLegalOp<ModuleOp>();
  if (failed(applyFullConversion(module, target, std::move(patterns))))
    return messages.error("conversion to LLVM");
  return {};
}

Status kern::compiler::convertToLLVMDialect(ModuleOp module,
                                            library::FunctionTable functions) {
  module.getContext()->loadDialect<LLVM::LLVMDialect>();
  if (Status status = callElementaryFunctions(module, functions); !status)
    return status;
  if (!replaceScalarOperations(module))
    if (Status status = convertTheRest(module); !status)
      return status;
  markPure(module);
  return {};
}

void kern::compiler::prepareTranslation(MLIRContext &context) {
  DialectRegistry registry;
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  // Changes nothing if the context already has them.
  context.appendDialectRegistry(registry);
}

namespace {
/// Silences LLVM. It would print that a loop was not vectorised, which is
/// harmless.
class QuietHandler : public llvm::DiagnosticHandler {
public:
  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    return info.getSeverity() != llvm::DS_Error;
  }
};

} // namespace

kern::runtime::Expected<std::unique_ptr<llvm::Module>>
kern::compiler::translateToLLVMIR(ModuleOp module, llvm::LLVMContext &context,
                                  const llvm::TargetMachine &machine,
                                  library::FunctionTable functions) {
  prepareTranslation(*module.getContext());
  context.setDiagnosticHandler(std::make_unique<QuietHandler>());
  MessageCollector messages(module.getContext());
  std::unique_ptr<llvm::Module> translated =
      translateModuleToLLVMIR(module, context, "kern");
  if (!translated)
    return messages.error("translation to LLVM IR");
  translated->setTargetTriple(machine.getTargetTriple());
  translated->setDataLayout(machine.createDataLayout());
  if (Status status = library::link(*translated, functions); !status)
    return status.error();
  return translated;
}

std::string kern::compiler::printIR(const llvm::Module &module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, nullptr);
  return text;
}

namespace {
/// A pass manager that leaves out passes, and repeated passes that this makes
/// adjacent.
class LeanPassManager : public llvm::legacy::PassManager {
public:
  explicit LeanPassManager(llvm::ArrayRef<llvm::StringLiteral> unwanted)
      : unwanted(unwanted) {}
  void add(llvm::Pass *pass) override {
    const llvm::PassInfo *info = llvm::Pass::lookupPassInfo(pass->getPassID());
    if (pass->getPassID() == last ||
        (info && llvm::is_contained(unwanted, info->getPassArgument()))) {
      delete pass; // add() owns the pass
      return;
    }
    last = pass->getPassID();
    llvm::legacy::PassManager::add(pass);
  }

private:
  llvm::ArrayRef<llvm::StringLiteral> unwanted;
  const void *last = nullptr;
};
} // namespace

static kern::runtime::Expected<std::string>
emit(llvm::Module &module, llvm::TargetMachine &machine,
     llvm::CodeGenFileType type, llvm::ArrayRef<llvm::StringLiteral> unwanted) {
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  LeanPassManager passes(unwanted);
#ifdef KERN_VERIFY_IR
  bool isTrusted = false;
#else
  bool isTrusted = true;
#endif
  if (machine.addPassesToEmitFile(passes, stream, nullptr, type,
                                  /*DisableVerify=*/isTrusted))
    return Error{KERN_ERROR_INTERNAL, "the target cannot emit such a file"};
  passes.run(module);
  return std::string(text);
}

kern::runtime::Expected<std::string>
kern::compiler::printAssembly(llvm::Module &module,
                              llvm::TargetMachine &machine,
                              llvm::ArrayRef<llvm::StringLiteral> unwanted) {
  return emit(module, machine, llvm::CodeGenFileType::AssemblyFile, unwanted);
}

kern::runtime::Expected<std::string>
kern::compiler::emitObject(llvm::Module &module, llvm::TargetMachine &machine) {
  return emit(module, machine, llvm::CodeGenFileType::ObjectFile, {});
}
