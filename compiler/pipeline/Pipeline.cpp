//===- Pipeline.cpp - the order of the passes -----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From source to code, in the order of the `--emit` stages:
//
//   source text
//     parse                     compiler/syntax
//     lower                     compiler/lowering, with the files it imports
//   Kern: the kern dialect, types still open
//     specialise                compiler/specialize, for each loop
//   Typed: the kern dialect, one function for each loop   (all in driver/Unit)
//     kern-to-loop              dialects/KernToLoop
//     loop-write-out            dialects/LoopToLLVM
//     loop-recompute            dialects/LoopToLLVM
//     loop-merge-reductions     dialects/LoopToLLVM
//     loop-fuse                 dialects/LoopToLLVM
//     loop-merge-products       dialects/LoopToLLVM
//     loop-choose-contractions  dialects/LoopToLLVM, for a GPU
//   Loop: the loop dialect, one description of each kernel
//     loop-map                  dialects/LoopMappings, for a GPU
//     loop-map-to-host          dialects/LoopToHost, for a CPU
//     loop-narrow-comparisons   dialects/LoopToLLVM
//     loop-contract-products    dialects/LoopToLLVM, for a CPU
//     loop-distribute           dialects/LoopToLLVM
//     loop-to-gpu, -host, …     dialects/LoopToGPU, LoopToHost: one per target
//   Target: entry points
//     convert to LLVM           targets/ElementaryCalls, ScalarOperations
//     translate to LLVM         targets/LLVMModule, with Kern's own library
//     link                      the target's library (nvptx: libdevice)
//     optimise                  the target's passes over LLVM IR
//   LLVM: optimised LLVM IR
//     generate code             LLVM's back end
//   Assembly, Code or Object
//
// The code below is this list from Typed on. A kernel is described once, in the
// loop dialect. What KernelRequest asks for (a form, a mapping) is chosen
// between Loop and Target.
//
//===----------------------------------------------------------------------===//
#include "compiler/pipeline/Pipeline.h"

#include "compiler/source/FreeMemory.h"
#include "compiler/targets/LLVMModule.h"
#include "dialects/KernToLoop/KernToLoop.h"
#include "dialects/LoopMappings/CoreExtents.h"
#include "dialects/LoopMappings/Mappings.h"
#include "dialects/LoopMappings/OrderedLoop.h"
#include "dialects/LoopToLLVM/ContractProducts.h"
#include "dialects/LoopToLLVM/Contractions.h"
#include "dialects/LoopToLLVM/Distribute.h"
#include "dialects/LoopToLLVM/EqualReductions.h"
#include "dialects/LoopToLLVM/FuseLoops.h"
#include "dialects/LoopToLLVM/NarrowComparisons.h"
#include "dialects/LoopToLLVM/Recompute.h"
#include "dialects/LoopToLLVM/TableReductions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace mlir;

namespace kern::compiler {

using runtime::Error;
using runtime::Expected;
using runtime::Status;

std::unique_ptr<MLIRContext> makeContext() {
  DialectRegistry registry;
  registry.insert<ir::KernDialect, ir::loop::LoopDialect, arith::ArithDialect,
                  cf::ControlFlowDialect, complex::ComplexDialect,
                  func::FuncDialect, LLVM::LLVMDialect, math::MathDialect>();
  auto context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  prepareTranslation(*context);
  context->loadAllAvailableDialects();
  return context;
}

/// MLIR's text as `--emit` shows it.
static std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream, OpPrintingFlags().assumeVerified());
  stream << '\n';
  return text;
}

namespace {
/// Runs and times passes over MLIR. An MLIR diagnostic is a bug in Kern and
/// becomes an Error.
class PassRunner {
public:
  PassRunner(ModuleOp module, Timing *timing)
      : module(module), timer(timing, nullptr),
        handler(module.getContext(), [this](mlir::Diagnostic &diagnostic) {
          if (text.empty())
            text = diagnostic.str();
          return success();
        }) {}

  Status run(const char *pass, llvm::function_ref<LogicalResult()> body) {
    timer.next(pass);
    return failed(body()) ? failure(pass) : check(pass);
  }
  /// For a pass that cannot fail; calls `body` for each kernel.
  Status runOnKernels(const char *pass,
                      llvm::function_ref<void(ir::loop::KernelOp)> body) {
    return run(pass, [&] {
      for (ir::loop::KernelOp kernel :
           llvm::make_early_inc_range(module.getOps<ir::loop::KernelOp>()))
        body(kernel);
      return success();
    });
  }
  /// Verifies the IR after a pass in builds with KERN_VERIFY_IR.
  Status check(const char *pass) {
#ifdef KERN_VERIFY_IR
    if (mlir::failed(verify(module)))
      return failure(pass);
#endif
    return {};
  }

private:
  Error failure(llvm::StringRef pass) {
    return {KERN_ERROR_INTERNAL, "internal error in " + pass.str() + ": " +
                                     (text.empty() ? "no reason given" : text)};
  }

  ModuleOp module;
  StageTimer timer;
  std::string text;
  ScopedDiagnosticHandler handler;
};
} // namespace

Status lowerFunctions(ModuleOp module, const PipelineOptions &options) {
  PassRunner passes(module, options.timing);
  if (Status status = passes.check("specialisation"); !status)
    return status;
  if (Status status = passes.run(
          "kern-to-loop",
          [&] {
            return ir::lowerToLoop(module, options.isPrecise,
                                   options.target->fmaOfHalves(options.arch));
          });
      !status)
    return status;
  if (Status status =
          passes.runOnKernels("loop-write-out", ir::loop::writeOutTables);
      !status)
    return status;
  if (Status status =
          passes.runOnKernels("loop-recompute", ir::loop::recompute);
      !status)
    return status;
  if (Status status = passes.runOnKernels("loop-merge-reductions",
                                          ir::loop::mergeReductions);
      !status)
    return status;
  if (Status status = passes.runOnKernels("loop-fuse", ir::loop::fuseLoops);
      !status)
    return status;
  if (options.isPrecise)
    return {};
  // For every target: a nest, whose phases a kernel must have, is of any. Loops
  // that nothing needs go with the products.
  if (Status status = passes.runOnKernels("loop-merge-products",
                                          ir::loop::mergeEqualProducts);
      !status)
    return status;
  if (options.target->facts.isSequential)
    return {};
  return passes.runOnKernels("loop-choose-contractions",
                             ir::loop::chooseContractions);
}

Nests nestsOf(ModuleOp module) {
  Nests nests;
  for (ir::loop::KernelOp kernel : module.getOps<ir::loop::KernelOp>())
    nests[kernel.getSymName().str()] = ir::loop::nestOf(kernel);
  return nests;
}

/// From kernels to entry points.
static Status lowerKernels(ModuleOp module, const PipelineOptions &options) {
  const Target &target = *options.target;
  PassRunner passes(module, options.timing);
  if (const std::optional<runtime::KernelVariant> &variant =
          options.kernels.variant;
      variant &&
      (variant->mapping != runtime::Mapping{} || !variant->constants.empty()))
    if (Status status = passes.runOnKernels(
            "loop-map",
            [&](ir::loop::KernelOp kernel) {
              ir::loop::setConstantExtents(kernel, variant->constants);
              ir::loop::applyMapping(kernel, variant->mapping,
                                     variant->form != runtime::Form::General,
                                     options.hasWarpgroups);
            });
        !status)
      return status;
  if (!target.facts.isSequential)
    if (Status status =
            passes.runOnKernels("loop-read-together", ir::loop::readTogether);
        !status)
      return status;
  if (target.facts.isSequential)
    if (Status status = passes.run("loop-map-to-host",
                                   [&] {
                                     target.mapKernels(module, options.kernels);
                                     return success();
                                   });
        !status)
      return status;
  if (Status status = passes.runOnKernels("loop-narrow-comparisons",
                                          ir::loop::narrowComparisons);
      !status)
    return status;
  if (target.facts.isSequential && !options.isPrecise)
    if (Status status = passes.runOnKernels("loop-contract-products",
                                            ir::loop::contractProducts);
        !status)
      return status;
  if (Status status = passes.runOnKernels(
          "loop-distribute",
          [&](ir::loop::KernelOp kernel) {
            ir::loop::distribute(kernel, target.facts.isSequential);
          });
      !status)
    return status;
  // A literal ends with 0. NOLINTNEXTLINE(*-stringview-data-usage)
  return passes.run(target.facts.lowering.data(), [&] {
    target.lowerKernels(module, options.kernels, options.arch);
    return success();
  });
}

Expected<std::string> generateCode(ModuleOp module, const Target &target,
                                   Stage stage, const CodegenOptions &options) {
  auto functions = [&](const library::ElementaryFunction &function) {
    return target.functionSymbol(function);
  };
  auto libraryFunctions = [&](const library::ElementaryFunction &function) {
    return target.librarySymbol(function);
  };
  StageTimer timer(options.timing, "target machine");
  Expected<std::unique_ptr<Codegen>> codegen = target.codegen(options);
  if (!codegen)
    return codegen.error();
  timer.next("convert to LLVM");
  if (Status status = convertToLLVMDialect(module, functions); !status)
    return status.error();
  timer.next("translate to LLVM");
  llvm::LLVMContext context;
  auto translated = translateToLLVMIR(module, context, (*codegen)->machine(),
                                      libraryFunctions);
  if (!translated)
    return translated.error();
  timer.next(nullptr); // a target times its own steps
  if (Status status = (*codegen)->link(**translated); !status)
    return status.error();
  (*codegen)->optimize(**translated);
  if (stage == Stage::LLVM) {
    timer.next("generate code");
    return printIR(**translated);
  }
  return (*codegen)->emit(**translated, stage);
}

static std::optional<ObjectDescription>
describe(const std::optional<ObjectRequest> &request,
         const std::vector<ir::loop::Entry> &entries) {
  if (!request)
    return std::nullopt;
  ObjectDescription object = {request->symbol, request->manifest(entries), {}};
  for (const ir::loop::Entry &entry : entries)
    object.kernels.push_back(entry.symbol);
  return object;
}

Expected<PipelineResult> runPipeline(OwningOpRef<ModuleOp> module,
                                     const PipelineOptions &options) {
  size_t operations = 0;
  module->walk([&](Operation *) { ++operations; });
  if (!hasMemory(StepMemory::ofCode(operations)))
    return Error{KERN_ERROR_MEMORY,
                 "too little memory on the host to make code of " +
                     std::to_string(operations) + " operations"};
  if (options.stage == Stage::Typed)
    return PipelineResult{print(*module), {}};

  if (Status status = lowerFunctions(*module, options); !status)
    return status.error();
  if (options.kernels.variant && options.kernels.variant->masked)
    for (ir::loop::KernelOp kernel : module->getOps<ir::loop::KernelOp>())
      kernel->setAttr(ir::loop::maskedAttribute,
                      UnitAttr::get(module->getContext()));
  if (options.kernels.variant && options.kernels.variant->ranges)
    for (ir::loop::KernelOp kernel : module->getOps<ir::loop::KernelOp>())
      kernel->setAttr(
          ir::loop::rangesAttribute,
          IntegerAttr::get(IntegerType::get(module->getContext(), 64),
                           int64_t(options.kernels.variant->ranges)));
  if (options.stage == Stage::Loop)
    return PipelineResult{print(*module), {}};

  if (Status status = lowerKernels(*module, options); !status)
    return status.error();
  PipelineResult result;
  result.entries = ir::loop::entries(*module);
  if (options.stage == Stage::Target) {
    result.text = print(*module);
    return result;
  }

  Expected<std::string> text =
      generateCode(*module, *options.target, options.stage,
                   {.arch = options.arch,
                    .isPrecise = options.isPrecise,
                    .part = options.part,
                    .object = describe(options.object, result.entries),
                    .timing = options.timing});
  if (!text)
    return text.error();
  result.text = std::move(*text);
  return result;
}

} // namespace kern::compiler
