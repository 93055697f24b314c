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

namespace kern {

class Unit {
public:
  /// Parses, lowers and types a source. Whether it was accepted is
  /// `!diagnostics.hasErrors()`. `timing` may be NULL. What it imports
  /// `modules` finds, or if that is NULL a ModuleFiles. Not safe for use by
  /// several threads.
  Unit(std::string name, std::string text, Timing *timing = nullptr,
       Checks checks = {}, ModuleFinder *modules = nullptr);
  ~Unit();

private:
  SourceManager sources; // the diagnostics refer to it

public:
  DiagnosticEngine diagnostics{sources};

  /// The file and what it imports, in the order in which they were read.
  const SourceManager &files() const { return sources; }
  /// Functions with their declared loops; no kernels.
  const Manifest &manifest() const { return description; }
  mlir::MLIRContext *context() { return mlirContext->get(); }
  /// The polymorphic functions.
  mlir::ModuleOp functions() { return *polymorphic; }
  FuncOp find(llvm::StringRef name);
  /// Adds a text that is no file, such as a signature, for messages about it;
  /// returns where it is.
  Span addText(std::string name, std::string text);
  /// The typed form of loop `index` of a function of the manifest.
  FuncOp declared(const FunctionInfo &function, size_t index);

  /// A new module for functions that go through the pipeline.
  mlir::OwningOpRef<mlir::ModuleOp> emptyModule();

private:
  void describe(FuncOp func);

  std::optional<PooledContext> mlirContext; ///< always one
  mlir::OwningOpRef<mlir::ModuleOp> polymorphic;
  mlir::OwningOpRef<mlir::ModuleOp> typed;
  std::vector<std::vector<FuncOp>> loops; ///< by function and loop
  Manifest description;
};

/// The loop that a typed function is: its types, no kernels yet. `request` is
/// what it was specialised for.
LoopInfo loopOf(FuncOp typed, const Specialization &request);

/// How many 64-bit words the largest kernel of a function takes.
size_t wordCount(const FunctionInfo &function);

} // namespace kern
