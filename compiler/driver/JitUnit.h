//===- JitUnit.h - one source in the hands of one thread --------*- C++ -*-===//
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

/// A source text, and how it is to be compiled.
struct JitText {
  std::string name; ///< for messages
  std::string text;
  bool isPrecise = false; ///< as PipelineOptions has it
  Checks checks = {};
  bool remarks = false; ///< whether diagnostics() has them
  /// Where it finds what it imports, each time it is compiled; NULL: as Unit.
  std::shared_ptr<ModuleFinder> modules = nullptr;
};

/// A unit and what was specialised in it. For one thread at a time.
class JitUnit {
public:
  /// `unit` must have no errors.
  JitUnit(std::unique_ptr<Unit> unit, bool isPrecise);

  const Manifest &manifest() const { return unit->manifest(); }
  /// KERN_ERROR_TYPE with the rendered diagnostics if the body does not work
  /// for these types.
  Expected<LoopInfo> specialise(const FunctionInfo &function,
                                std::span<const ArgType> arguments);
  /// Compiles exactly the kernel that is wanted, for an architecture of a
  /// target.
  Expected<std::shared_ptr<const KernelCode>>
  compile(const FunctionInfo &function, const LoopInfo &loop,
          KernelVariant wanted, const Target &target, std::string arch);

private:
  /// A typed function and the loop that it is.
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
  std::map<std::pair<std::string, std::string>, Typed> loops; ///< likewise
};

/// "f32, i64".
std::string typeList(std::span<const ArgType> arguments);

} // namespace kern
