//===- Unit.h - one file in the compiler ---------------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One `.kern` file in the compiler: its text, its polymorphic functions, and
// the typed form of every loop that its headers declare.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/diagnostics/Diagnostics.h"
#include "compiler/diagnostics/Timing.h"
#include "compiler/lowering/Checks.h"
#include "compiler/modules/Modules.h"
#include "compiler/pipeline/PooledContext.h"
#include "compiler/specialize/Specialize.h"
#include "runtime/artefact/Manifest.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <memory>
#include <optional>

namespace kern::compiler {

class Unit {
public:
  /// Parses, lowers and types a source. The source is valid if
  /// `!diagnostics.hasErrors()`. `timing` may be null. `modules` finds the
  /// imports; if null, a ModuleFiles does. Not thread-safe.
  Unit(std::string name, std::string text, Timing *timing = nullptr,
       Checks checks = {}, ModuleFinder *modules = nullptr);
  ~Unit();

private:
  SourceManager sources; // the diagnostics refer to it

public:
  DiagnosticEngine diagnostics{sources};

  /// The file and its imports, in the order in which they were read.
  const SourceManager &files() const { return sources; }
  /// Functions with their declared loops, without kernels.
  const runtime::Manifest &manifest() const { return description; }
  mlir::MLIRContext *context() { return mlirContext->get(); }
  /// The polymorphic functions.
  mlir::ModuleOp functions() { return *polymorphic; }
  ir::FuncOp find(llvm::StringRef name);
  /// Adds a text that is not a file, such as a signature, so that messages can
  /// refer to it. Returns its span.
  Span addText(std::string name, std::string text);
  /// The typed form of loop `index` of a function of the manifest.
  ir::FuncOp declared(const runtime::FunctionInfo &function, size_t index);

  /// A new module for functions to run through the pipeline.
  mlir::OwningOpRef<mlir::ModuleOp> emptyModule();

private:
  void describe(ir::FuncOp func);

  std::optional<PooledContext> mlirContext; ///< always set
  mlir::OwningOpRef<mlir::ModuleOp> polymorphic;
  mlir::OwningOpRef<mlir::ModuleOp> typed;
  std::vector<std::vector<ir::FuncOp>> loops; ///< by function and loop
  runtime::Manifest description;
};

/// The loop of a typed function: its types, without kernels. `request` is what
/// it was specialised for.
runtime::LoopInfo loopOf(ir::FuncOp typed, const Specialization &request);

/// The number of 64-bit words of a function's largest kernel.
size_t wordCount(const runtime::FunctionInfo &function);

} // namespace kern::compiler
