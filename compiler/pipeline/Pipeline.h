//===- Pipeline.h - typed functions to code ------------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The way of typed functions to code: which passes run, in which order. To be
// read in Pipeline.cpp.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/targets/Target.h"
#include "dialects/Kern/Kern.h"
#include "dialects/LoopToLLVM/Entry.h"

#include "mlir/IR/MLIRContext.h"

namespace kern {

/// A context with every dialect of the pipeline and MLIR's threading off.
std::unique_ptr<mlir::MLIRContext> makeContext();

/// A stage of Stage::Object: the symbol of the kern_native_code, and the
/// manifest of what was made.
struct ObjectRequest {
  std::string symbol;
  std::function<std::string(const std::vector<loop::Entry> &)> manifest;
};

struct PipelineOptions {
  /// For a device: its target, and the architecture that serves it.
  explicit PipelineOptions(CodeTarget device = {})
      : target(&targetOf(device.kind)), arch(target->archOf(device)) {}
  PipelineOptions(const Target &target, std::string arch)
      : target(&target), arch(std::move(arch)) {}

  const Target *target; ///< never NULL
  std::string arch;     ///< as CodegenOptions has it
  /// Where to stop: from Typed to Object.
  Stage stage = Stage::Code;
  KernelRequest kernels = {};
  /// Forbids the contraction of `a * b + c`, and ignores `@fastmath`.
  bool isPrecise = false;
  std::optional<ObjectRequest> object = {}; ///< of Stage::Object
  /// Which part of a file this is: names inside of code differ by it.
  unsigned part = 0;
  Timing *timing = nullptr; ///< gets the time of each pass, if not NULL
};

struct PipelineResult {
  /// The text of the stage, or the bytes of an object file.
  std::string text;
  std::vector<loop::Entry> entries; ///< empty if stopped before the target
};

/// The first pass of runPipeline(), which has nothing more to do there then:
/// typed functions become loop.kernels, with the declarations that they need.
Status lowerFunctions(mlir::ModuleOp module, const PipelineOptions &options);

/// Compiles all typed functions of a module, which is consumed. The IR is
/// verified after every pass in builds with KERN_VERIFY_IR. Failures are
/// KERN_ERROR_INTERNAL, with the pass in the message; KERN_ERROR_MEMORY where
/// there is too little for so much code.
Expected<PipelineResult> runPipeline(mlir::OwningOpRef<mlir::ModuleOp> module,
                                     const PipelineOptions &options);

/// The last passes of runPipeline(): what `target` makes of a module of its
/// entry points, which is consumed, as LLVM, Assembly, Code or Object.
Expected<std::string> generateCode(mlir::ModuleOp module, const Target &target,
                                   Stage stage, const CodegenOptions &options);

/// runPipeline(), for the code of a compiled file with a thread for each part
/// of the module (Target::split()), up to `maxThreads` (0: one for each CPU).
/// Kernels do not depend on one another, nor do the forms of one. Entries and
/// code are in the order of parts, whatever the threads; of several failures
/// the first part's is told. `options.timing` gets the time of all threads
/// together.
Expected<PipelineResult>
runPipelineInParts(mlir::OwningOpRef<mlir::ModuleOp> module,
                   const PipelineOptions &options, unsigned maxThreads = 0);

/// Makes a typed ufunc take and give elements of these types, one for each
/// parameter and result in order, with the conversions of `kern.cast` around
/// its body. Its symbol says so: `add__f32_f32` becomes
/// `add__f32_f32_of_i16_f32_f32`. No complex type becomes a real one.
void convertOperands(FuncOp func, llvm::ArrayRef<DType> stored);

} // namespace kern
