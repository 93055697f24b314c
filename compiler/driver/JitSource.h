//===- JitSource.h - code on demand -----------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/driver/JitUnit.h"
#include "compiler/driver/SingleFlight.h"

#include <tuple>
#include <vector>

namespace kern::compiler {

/// A source, read and lowered. KERN_ERROR_COMPILE with the rendered
/// diagnostics if it has errors.
runtime::Expected<std::unique_ptr<Unit>> unitOf(const JitText &source);

/// Compiles a source on demand, one kernel at a time. Threads that need
/// different kernels compile in parallel, each in its own pooled unit.
class JitSource : public runtime::CodeSource {
public:
  /// `unit` holds the source and has no errors.
  JitSource(JitText source, std::unique_ptr<Unit> unit);

  const runtime::Manifest &manifest() const override { return description; }
  const char *originalText() const override { return source.text.c_str(); }
  const char *digest() const override { return source.digest.c_str(); }
  std::shared_ptr<const kern_diagnostics> diagnostics() const override {
    return report;
  }
  bool makesVariants() const override { return true; }
  runtime::Expected<runtime::LoopInfo>
  specialise(const runtime::FunctionInfo &function,
             std::span<const runtime::ArgType> arguments) override;
  runtime::Expected<runtime::Nest> nest(const runtime::FunctionInfo &function,
                                        const runtime::LoopInfo &loop) override;
  runtime::Expected<std::shared_ptr<const runtime::KernelCode>>
  kernel(const runtime::FunctionInfo &function, const runtime::LoopInfo &loop,
         const runtime::KernelVariant &asked,
         runtime::CodeTarget device) override;
  runtime::Expected<std::shared_ptr<runtime::CodeSource>>
  method(const runtime::FunctionInfo &function,
         const runtime::MethodGufunc &wanted) override;

private:
  /// A pooled unit, returned to the pool on destruction.
  class Lease;
  using LoopKey = std::pair<std::string, std::string>;
  using KernelKey = std::tuple<std::string, std::string, runtime::KernelVariant,
                               const Target *, std::string>;

  JitText source;
  runtime::Manifest description;
  std::shared_ptr<const kern_diagnostics> report;
  std::mutex mutex;
  std::vector<std::unique_ptr<JitUnit>> idle;
  SingleFlight<LoopKey, runtime::LoopInfo> loops;
  SingleFlight<KernelKey, std::shared_ptr<const runtime::KernelCode>> kernels;
};

} // namespace kern::compiler
