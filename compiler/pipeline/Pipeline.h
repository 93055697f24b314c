//===- Pipeline.h - typed functions to code ------------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles typed functions to code. Pipeline.cpp reads as the list of passes.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/targets/Target.h"
#include "dialects/Kern/Kern.h"
#include "dialects/LoopToLLVM/Entry.h"

#include "mlir/IR/MLIRContext.h"

#include <map>
#include <string>

namespace kern::compiler {

/// A context with every dialect of the pipeline and MLIR's threading off.
std::unique_ptr<mlir::MLIRContext> makeContext();

/// For Stage::Object: the symbol of the kern_native_code, and the manifest of
/// the compiled functions.
struct ObjectRequest {
  std::string symbol;
  std::function<std::string(const std::vector<ir::loop::Entry> &)> manifest;
};

struct PipelineOptions {
  /// For a device: its target and the best architecture for it.
  explicit PipelineOptions(runtime::CodeTarget device = {})
      : target(&targetOf(device.kind)), arch(target->archOf(device)),
        hasWarpgroups(target->hasWarpgroups(device)) {}
  PipelineOptions(const Target &target, std::string arch)
      : target(&target), arch(std::move(arch)) {}

  const Target *target; ///< never null
  std::string arch;     ///< as in CodegenOptions
  /// The code is for a GPU alone whose warps multiply four at a time.
  bool hasWarpgroups = false;
  /// Where to stop: from Typed to Object.
  Stage stage = Stage::Code;
  KernelRequest kernels = {};
  /// Forbids contraction of `a * b + c` and ignores `@fastmath`.
  bool isPrecise = false;
  std::optional<ObjectRequest> object = {}; ///< for Stage::Object
  /// Which part of a file this is. Names inside the code depend on it.
  unsigned part = 0;
  Timing *timing = nullptr; ///< receives the time of each pass, if not null
};

/// The nests of gufuncs, by the symbols of their typed functions.
using Nests = std::map<std::string, runtime::Nest>;

struct PipelineResult {
  /// The stage's text, or the bytes of an object file.
  std::string text;
  std::vector<ir::loop::Entry> entries; ///< empty if stopped before the target
  Nests nests = {}; ///< of runPipelineInParts() for a device with mappings
};

/// Turns typed functions into loop.kernels, with the declarations that they
/// need. This is the first pass of runPipeline(), where it does nothing if it
/// has already run.
runtime::Status lowerFunctions(mlir::ModuleOp module,
                               const PipelineOptions &options);

/// The nests of a module's kernels, after lowerFunctions().
Nests nestsOf(mlir::ModuleOp module);

/// Compiles all typed functions of a module and consumes it. Builds with
/// KERN_VERIFY_IR verify the IR after every pass. Failures are
/// KERN_ERROR_INTERNAL with the pass in the message, or KERN_ERROR_MEMORY if
/// memory is too short for this much code.
runtime::Expected<PipelineResult>
runPipeline(mlir::OwningOpRef<mlir::ModuleOp> module,
            const PipelineOptions &options);

/// The last passes of runPipeline(): compiles a module of entry points to LLVM,
/// Assembly, Code or Object, and consumes it.
runtime::Expected<std::string> generateCode(mlir::ModuleOp module,
                                            const Target &target, Stage stage,
                                            const CodegenOptions &options);

/// Like runPipeline(). For the code of a compiled file, compiles the module's
/// parts (Target::split()) in up to `maxThreads` threads (0: one per CPU).
/// Kernels, and the forms of one kernel, are independent of each other. Entries
/// and code are in the order of parts, whatever the threads. Of several
/// failures, the first part's is returned. `options.timing` receives the sum
/// over all threads.
runtime::Expected<PipelineResult>
runPipelineInParts(mlir::OwningOpRef<mlir::ModuleOp> module,
                   const PipelineOptions &options, unsigned maxThreads = 0);

/// Makes a typed ufunc take and return elements of these types, one for each
/// parameter and result in order, with `kern.cast` conversions around its body.
/// Its symbol says so: `add__f32_f32` becomes `add__f32_f32_of_i16_f32_f32`. A
/// complex type cannot become a real one.
void convertOperands(ir::FuncOp func, llvm::ArrayRef<runtime::DType> stored);

} // namespace kern::compiler
