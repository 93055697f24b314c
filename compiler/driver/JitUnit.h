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

namespace kern::compiler {

/// A source text and its compile options.
struct JitText {
  std::string name; ///< for messages
  std::string text;
  bool isPrecise = false; ///< as in PipelineOptions
  Checks checks = {};
  bool remarks = false; ///< whether diagnostics() includes them
  /// Folders of its own for imports, separated by `:`.
  std::string includePath = {};
  /// Finds its imports each time it is compiled. Null: the default of Unit.
  std::shared_ptr<ModuleFinder> modules = nullptr;
  /// CodeSource::digest().
  std::string digest = {};
};

/// A unit and its specialisations. Not thread-safe.
class JitUnit {
public:
  /// `unit` must have no errors.
  JitUnit(std::unique_ptr<Unit> unit, bool isPrecise);

  const runtime::Manifest &manifest() const { return unit->manifest(); }
  /// KERN_ERROR_TYPE with the rendered diagnostics if the body has type errors
  /// for these types.
  runtime::Expected<runtime::LoopInfo>
  specialise(const runtime::FunctionInfo &function,
             std::span<const runtime::ArgType> arguments);
  /// The loops of a gufunc.
  runtime::Expected<runtime::Nest> nest(const runtime::FunctionInfo &function,
                                        const runtime::LoopInfo &loop);
  /// Compiles exactly the requested kernel, for this device.
  runtime::Expected<std::shared_ptr<const runtime::KernelCode>>
  compile(const runtime::FunctionInfo &function, const runtime::LoopInfo &loop,
          const runtime::KernelVariant &wanted, runtime::CodeTarget device);

private:
  /// A typed function and its loop.
  struct Typed {
    ir::FuncOp func;
    runtime::LoopInfo loop;
  };
  runtime::Expected<Typed>
  specialised(const runtime::FunctionInfo &function,
              std::span<const runtime::ArgType> arguments);
  runtime::Expected<ir::FuncOp> typedForm(const runtime::FunctionInfo &function,
                                          const runtime::LoopInfo &loop);

  std::unique_ptr<Unit> unit;
  bool isPrecise;
  mlir::OwningOpRef<mlir::ModuleOp> specialisations; ///< of generic functions
  std::map<std::pair<std::string, std::string>, Typed> loops; ///< their loops
};

/// "f32, i64".
std::string typeList(std::span<const runtime::ArgType> arguments);

} // namespace kern::compiler
