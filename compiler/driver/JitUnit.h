//===- JitUnit.h - one source, compiled by one thread -----------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/driver/Unit.h"
#include "compiler/targets/Target.h"

#include <map>

namespace kern {

/// A source text and its compile options.
struct JitText {
  std::string name; ///< for messages
  std::string text;
  bool isPrecise = false; ///< as in PipelineOptions
  Checks checks = {};
  bool remarks = false; ///< whether diagnostics() includes them
  /// Finds its imports each time it is compiled. Null: the default of Unit.
  std::shared_ptr<ModuleFinder> modules = nullptr;
};

/// A unit and its specialisations. Not thread-safe.
class JitUnit {
public:
  /// `unit` must have no errors.
  JitUnit(std::unique_ptr<Unit> unit, bool isPrecise);

  const Manifest &manifest() const { return unit->manifest(); }
  /// KERN_ERROR_TYPE with the rendered diagnostics if the body has type errors
  /// for these types.
  Expected<LoopInfo> specialise(const FunctionInfo &function,
                                std::span<const ArgType> arguments);
  /// Compiles exactly the requested kernel for an architecture of a target.
  Expected<std::shared_ptr<const KernelCode>>
  compile(const FunctionInfo &function, const LoopInfo &loop,
          KernelVariant wanted, const Target &target, std::string arch);

private:
  /// A typed function and its loop.
  struct Typed {
    FuncOp func;
    LoopInfo loop;
  };
  Expected<Typed> specialised(const FunctionInfo &function,
                              std::span<const ArgType> arguments);
  Expected<FuncOp> typedForm(const FunctionInfo &function,
                             const LoopInfo &loop);

  std::unique_ptr<Unit> unit;
  bool isPrecise;
  mlir::OwningOpRef<mlir::ModuleOp> specialisations; ///< of generic functions
  std::map<std::pair<std::string, std::string>, Typed> loops; ///< their loops
};

/// "f32, i64".
std::string typeList(std::span<const ArgType> arguments);

} // namespace kern
