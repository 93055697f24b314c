//===- JitSource.h - code on demand --------------------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/driver/Unit.h"
#include "runtime/launch/CodeSource.h"

#include <map>
#include <mutex>
#include <tuple>

namespace kern {

/// Code made on demand from a source, one kernel at a time. Kernels of one
/// source are compiled one after the other; sources compile independently.
class JitSource : public CodeSource {
public:
  /// `unit` must have no errors. `isPrecise` is PipelineOptions'.
  JitSource(std::unique_ptr<Unit> unit, bool isPrecise);

  const Manifest &manifest() const override { return unit->manifest(); }
  /// KERN_ERROR_TYPE with the rendered diagnostics if the body does not work
  /// for these types.
  Expected<LoopInfo> specialise(const FunctionInfo &function,
                                std::span<const ArgType> arguments) override;
  Expected<std::shared_ptr<const KernelCode>>
  kernel(const FunctionInfo &function, const LoopInfo &loop,
         KernelVariant wanted, CodeTarget target) override;

private:
  /// A typed function and the loop that it is.
  struct Typed {
    FuncOp func;
    LoopInfo loop;
  };
  using LoopKey = std::pair<std::string, std::string>;
  using KernelKey =
      std::tuple<std::string, std::string, KernelVariant, CodeTarget>;

  Expected<Typed> specialised(const FunctionInfo &function,
                              std::span<const ArgType> arguments);
  Expected<FuncOp> typedForm(const FunctionInfo &function,
                             const LoopInfo &loop);
  Expected<std::shared_ptr<const KernelCode>>
  compile(FuncOp typed, KernelVariant wanted, CodeTarget target);

  std::mutex mutex;
  std::unique_ptr<Unit> unit;
  bool isPrecise;
  mlir::OwningOpRef<mlir::ModuleOp> specialisations; ///< of generic functions
  std::map<LoopKey, Typed> loops;                    ///< likewise, by types
  std::map<KernelKey, std::shared_ptr<const KernelCode>> codes;
};

} // namespace kern
