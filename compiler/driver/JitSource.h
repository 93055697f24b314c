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

namespace kern {

/// Code made on demand from a source, one kernel at a time. Threads that want
/// different kernels compile at once, each in a unit of its own from a pool.
class JitSource : public CodeSource {
public:
  /// `unit` is that of the source, which has no errors.
  JitSource(JitText source, std::unique_ptr<Unit> unit);

  const Manifest &manifest() const override { return description; }
  std::shared_ptr<const kern_diagnostics> diagnostics() const override {
    return report;
  }
  bool makesVariants() const override { return true; }
  Expected<LoopInfo> specialise(const FunctionInfo &function,
                                std::span<const ArgType> arguments) override;
  Expected<std::shared_ptr<const KernelCode>>
  kernel(const FunctionInfo &function, const LoopInfo &loop,
         KernelVariant wanted, CodeTarget device) override;

private:
  /// A unit from the pool, which gets it back at the end.
  class Lease;
  using LoopKey = std::pair<std::string, std::string>;
  using KernelKey = std::tuple<std::string, std::string, KernelVariant,
                               const Target *, std::string>;

  JitText source;
  Manifest description;
  std::shared_ptr<const kern_diagnostics> report;
  std::mutex mutex;
  std::vector<std::unique_ptr<JitUnit>> idle;
  SingleFlight<LoopKey, LoopInfo> loops;
  SingleFlight<KernelKey, std::shared_ptr<const KernelCode>> kernels;
};

} // namespace kern
