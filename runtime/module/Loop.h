//===- Loop.h - a loop and its kernels, ready to run ------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/code/CodeSource.h"
#include "runtime/device/cuda/Context.h"
#include "runtime/device/cuda/Module.h"
#include "runtime/plan/PlaceTrials.h"

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <tuple>

namespace kern::runtime {

/// Code of one kernel, ready to run on one device.
struct LoadedKernel {
  std::shared_ptr<const KernelCode> code;
  std::shared_ptr<cuda::Module> module; ///< on a GPU
  CUfunction function = nullptr;        ///< likewise
};

/// What the host's kernel of a loop costs.
struct HostCost {
  /// Of one core, for each index of loop and core dimensions.
  double picoseconds = 0;
  unsigned work = 0;    ///< KernelInfo::work, which decides how many threads
  bool inParts = false; ///< KernelInfo::inParts: they share a loop element
  /// A call of more indices should be measured again: so few were measured that
  /// the time around the kernel counts. INT64_MAX: none.
  int64_t upTo = 0;
};

/// A typed loop of a function, with the kernels that calls have needed so far.
class Loop : public std::enable_shared_from_this<Loop> {
public:
  /// `function` is one of the source's manifest.
  Loop(const FunctionInfo &function, LoopInfo info,
       std::shared_ptr<CodeSource> source)
      : description(std::move(info)), function(function),
        source(std::move(source)) {}

  /// Only the types are valid; ignore `kernels`.
  const LoopInfo &info() const { return description; }

  /// Whether there can be kernels that convert elements or read a mask.
  bool makesVariants() const { return source->makesVariants(); }

  /// The kernel for calls that ask for `wanted`, loaded for the GPU of
  /// `context`, or for the host if that is NULL. Kernels are kept for later
  /// calls. Thread-safe.
  Expected<std::shared_ptr<const LoadedKernel>>
  kernel(const KernelVariant &wanted,
         const std::shared_ptr<cuda::Context> &context);

  /// Has the kernel for `wanted` made beside calls (BackgroundJobs.h), unless
  /// it was before. True if a call of so many iterations is to use another
  /// kernel until it is there. False if kernel() has it, will say why it cannot
  /// be made, or must make it since no job can. Calls that return before they
  /// have run could pile up: after `mostForNow` iterations in all, it waits for
  /// the kernel. The loop lives as long as a job takes. Thread-safe.
  bool awaits(const KernelVariant &wanted,
              const std::shared_ptr<cuda::Context> &context,
              int64_t iterations);

  /// The loops of a gufunc, for GPUs. Kept, and safe for several threads.
  Expected<std::shared_ptr<const Nest>> nest();
  /// Whether all that a loop element has of a result is surely written, and not
  /// read before (Nest::whole, which numbers operands so). False also where
  /// that cannot be told.
  bool writesWhole(size_t operand);

  /// Nothing until a call has measured it. Both are safe for several threads.
  std::optional<HostCost> hostCost();
  void keepHostCost(const HostCost &cost);

  /// What calls took that may run on the CPU or on a GPU.
  PlaceTable &places() { return placeTable; }

private:
  /// A device, or the host, and a variant.
  using Key = std::tuple<std::string, KernelVariant>;
  static Key keyOf(const KernelVariant &wanted,
                   const std::shared_ptr<cuda::Context> &context);
  /// Of a kernel that is made beside calls.
  struct Beside {
    bool isRunning = false, hasFailed = false;
    int64_t iterations = 0; ///< of calls with another kernel
  };
  /// kernel(), in a job of the background.
  void makeBeside(const Key &key,
                  const std::shared_ptr<cuda::Context> &context);

  Expected<std::shared_ptr<const LoadedKernel>>
  load(const KernelVariant &wanted,
       const std::shared_ptr<cuda::Context> &context);

  LoopInfo description;
  const FunctionInfo &function;
  std::shared_ptr<CodeSource> source;
  std::mutex mutex;
  std::shared_ptr<const Nest> described; ///< NULL until nest() was called
  std::optional<HostCost> cost;
  PlaceTable placeTable;
  std::map<Key, std::shared_ptr<const LoadedKernel>> loaded;
  std::map<Key, Beside> beside;
  std::condition_variable ended; ///< with `mutex`: a job has ended
};

} // namespace kern::runtime
