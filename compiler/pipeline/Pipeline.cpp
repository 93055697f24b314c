//===- Pipeline.cpp - typed functions to code -----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/pipeline/Pipeline.h"

#include "compiler/source/FreeMemory.h"
#include "compiler/targets/LLVMModule.h"
#include "compiler/targets/nvptx/Architectures.h"
#include "compiler/targets/nvptx/Codegen.h"
#include "dialects/Kern/Kern.h"
#include "dialects/KernToLoop/KernToLoop.h"
#include "dialects/LoopToGPU/LoopToGPU.h"
#include "dialects/LoopToHost/LoopToHost.h"
#include "dialects/LoopToLLVM/Distribute.h"
#include "dialects/LoopToLLVM/NarrowComparisons.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;

namespace kern {

std::unique_ptr<MLIRContext> makeContext() {
  DialectRegistry registry;
  registry.insert<KernDialect, loop::LoopDialect, arith::ArithDialect,
                  cf::ControlFlowDialect, complex::ComplexDialect,
                  func::FuncDialect, LLVM::LLVMDialect, math::MathDialect>();
  auto context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  prepareTranslation(*context);
  context->loadAllAvailableDialects();
  return context;
}

/// The text of MLIR as `--emit` shows it.
static std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream, OpPrintingFlags().assumeVerified());
  stream << '\n';
  return text;
}

namespace {
/// Takes MLIR's own diagnostics, which in the pipeline are defects of Kern.
class DefectCollector {
public:
  explicit DefectCollector(MLIRContext *context)
      : handler(context, [this](mlir::Diagnostic &diagnostic) {
          if (text.empty())
            text = diagnostic.str();
          return success();
        }) {}
  Error error(llvm::StringRef stage) {
    return {KERN_ERROR_INTERNAL, "internal error in " + stage.str() + ": " +
                                     (text.empty() ? "no reason given" : text)};
  }

private:
  std::string text;
  ScopedDiagnosticHandler handler;
};
} // namespace

/// Whether IR is what it should be; in release builds this is taken on trust.
static bool isSound(ModuleOp module) {
#ifdef KERN_VERIFY_IR
  return succeeded(verify(module));
#else
  return true;
#endif
}

Status lowerFunctions(ModuleOp module, const PipelineOptions &options) {
  DefectCollector defects(module->getContext());
  if (!isSound(module))
    return defects.error("specialisation");
  StageTimer timer(options.timing, "kern-to-loop");
  if (failed(lowerToLoop(module, options.isPrecise)) || !isSound(module))
    return defects.error("kern-to-loop");
  return {};
}

static void distributeAll(ModuleOp module, bool sequential) {
  for (loop::KernelOp kernel : module.getOps<loop::KernelOp>()) {
    loop::narrowComparisons(kernel);
    loop::distribute(kernel, sequential);
  }
}

KernelVariant distinctVariant(KernelVariant wanted, CodeTarget target) {
  // The host's kernels and those of gufuncs work on operands that are the very
  // same array.
  bool tells =
      target.kind == CodeTarget::Kind::Cuda && wanted.form != Form::General;
  wanted.disjoint &= tells;
  return wanted;
}

CodeTarget distinctTarget(CodeTarget target) {
  const nvptx::Architecture *known =
      nvptx::architectureFor(unsigned(target.computeCapability));
  if (target.kind == CodeTarget::Kind::Cuda && known)
    target.computeCapability = int(known->computeCapability);
  return target;
}

static loop::UfuncForms formsFor(std::optional<KernelVariant> variant, bool all,
                                 ModuleOp module) {
  bool hasChecks =
      llvm::any_of(module.getOps<loop::KernelOp>(), [](loop::KernelOp kernel) {
        return kernel.getChecks().has_value();
      });
  loop::UfuncForms forms;
  if (!variant) {
    forms.inner = forms.tiled = all && !hasChecks;
    forms.disjoint = all;
    return forms;
  }
  if (hasChecks && variant->form != Form::Contiguous &&
      variant->form != Form::General)
    variant->form = Form::Strided;
  forms.contiguous = variant->form == Form::Contiguous;
  forms.inner = variant->form == Form::Inner;
  forms.tiled = variant->form == Form::Tiled;
  forms.strided = variant->form == Form::Strided;
  forms.disjoint = variant->disjoint;
  forms.inPlace = !variant->disjoint;
  return forms;
}

Expected<PipelineResult> runPipeline(OwningOpRef<ModuleOp> module,
                                     const PipelineOptions &options) {
  bool isHost = options.target.kind == CodeTarget::Kind::Host;
  auto computeCapability =
      unsigned(distinctTarget(options.target).computeCapability);
  size_t operations = 0;
  module->walk([&](Operation *) { ++operations; });
  if (!hasMemory(StepMemory::ofCode(operations)))
    return Error{KERN_ERROR_MEMORY,
                 "too little memory on the host to make code of " +
                     std::to_string(operations) + " operations"};
  DefectCollector defects(module->getContext());
  PipelineResult result;
  // Whether the pipeline is to stop here.
  auto stopsAt = [&](Stage stage) {
    if (options.dump != stage)
      return false;
    result.text = print(*module);
    return true;
  };

  if (stopsAt(Stage::Typed))
    return result;
  if (Status status = lowerFunctions(*module, options); !status)
    return status.error();
  if (options.variant && options.variant->masked)
    for (loop::KernelOp kernel : module->getOps<loop::KernelOp>())
      kernel->setAttr(loop::maskedAttribute,
                      UnitAttr::get(module->getContext()));
  if (stopsAt(Stage::Loop))
    return result;

  StageTimer timer(options.timing, "loop-distribute");
  distributeAll(*module, /*sequential=*/isHost);
  if (!isSound(*module))
    return defects.error("loop-distribute");

  timer.next(isHost ? "loop-to-host" : "loop-to-gpu");
  loop::UfuncForms forms = formsFor(options.variant, options.allForms, *module);
  if (isHost)
    loop::lowerToHost(*module, options.variant &&
                                   options.variant->form == Form::Streamed);
  else
    loop::lowerToGpu(*module, forms, computeCapability);
  if (!isSound(*module))
    return defects.error(isHost ? "loop-to-host" : "loop-to-gpu");
  timer.next(nullptr);
  result.entries = loop::entries(*module);
  if (stopsAt(Stage::Target))
    return result;

  host::Options hostOptions{options.isPrecise, options.level, options.timing};
  if (isHost && !options.dump && !options.object) {
    auto code = host::compile(*module, hostOptions);
    if (!code)
      return code.error();
    result.code = std::move(*code);
    return result;
  }
  Expected<std::string> text = [&]() -> Expected<std::string> {
    if (isHost && !options.dump)
      return host::emitObjectFile(*module, result.entries, *options.object,
                                  hostOptions);
    if (isHost)
      return options.dump == Stage::LLVM
                 ? host::emitLLVM(*module, hostOptions)
                 : host::emitAssembly(*module, hostOptions);
    nvptx::Options target{computeCapability, options.isPrecise, options.timing,
                          options.part};
    return options.dump == Stage::LLVM ? nvptx::emitLLVM(*module, target)
                                       : nvptx::emitPtx(*module, target);
  }();
  if (!text)
    return text.error();
  result.text = std::move(*text);
  return result;
}

} // namespace kern
