//===- Pipeline.h - typed functions to code ------------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The way of typed functions to code: which passes run, in which order.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/diagnostics/Timing.h"
#include "compiler/targets/host/Codegen.h"
#include "dialects/LoopToLLVM/Entry.h"
#include "runtime/code/CodeSource.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <optional>
#include <vector>

namespace kern {

/// A context with every dialect of the pipeline and MLIR's threading off.
std::unique_ptr<mlir::MLIRContext> makeContext();

/// Stages that can be looked at.
enum class Stage : uint8_t { Typed, Loop, Target, LLVM, Code };

struct PipelineOptions {
  CodeTarget target;
  /// Forbids the contraction of `a * b + c`.
  bool isPrecise = false;
  /// The one kernel to make; if there is none, those of a compiled file. One
  /// with checks is made in the strided form where another is wanted that may
  /// compute elements that are none.
  std::optional<KernelVariant> variant;
  /// Without `variant`: every form that there is, not only contiguous and
  /// strided.
  bool allForms = false;
  /// Stops after this stage and gives its text.
  std::optional<Stage> dump;
  /// Host target, not stopped: makes an object file instead of code in this
  /// process.
  std::optional<host::ObjectDescription> object;
  /// Host target: as host::Options has it.
  std::string level;
  Timing *timing = nullptr; ///< gets the time of each stage, if not NULL
  /// Which part of a file this is: names inside of the PTX differ by it.
  unsigned part = 0;
};

struct PipelineResult {
  /// PTX, the bytes of an object file, or the text of the stage asked for.
  std::string text;
  std::vector<loop::Entry> entries; ///< empty if stopped before the target
  std::shared_ptr<host::Code> code; ///< host target, not stopped
};

/// The variant whose code serves `wanted` as well: variants that a target does
/// not tell apart share theirs.
KernelVariant distinctVariant(KernelVariant wanted, CodeTarget target);

/// The target whose code serves `target`: for a GPU between or beyond those
/// that are known, the nearest lower one
/// (compiler/targets/nvptx/Architectures.h).
CodeTarget distinctTarget(CodeTarget target);

/// The first step of runPipeline(), which has nothing more to do there then:
/// typed functions become loop.kernels, with the declarations that they need.
Status lowerFunctions(mlir::ModuleOp module, const PipelineOptions &options);

/// Compiles all typed functions of a module, which is consumed. The IR is
/// verified after every pass in builds with KERN_VERIFY_IR. Failures are
/// KERN_ERROR_INTERNAL, with the stage in the message.
Expected<PipelineResult> runPipeline(mlir::OwningOpRef<mlir::ModuleOp> module,
                                     const PipelineOptions &options);

} // namespace kern
