//===- Launcher.h - the launches of one kernel on a GPU ---------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/space/ChooseKernel.h"
#include "runtime/space/DeviceRecord.h"
#include "runtime/space/MappedLaunch.h"
#include "runtime/space/Scratch.h"

namespace kern::runtime {

/// A kernel and the shared state of its launches.
class Launcher {
public:
  Launcher(std::shared_ptr<cuda::Context> context, CUstream stream,
           MappedLaunch mapped, std::shared_ptr<const LoadedKernel> chosen,
           std::vector<ScratchSize> scratch)
      : context(std::move(context)), stream(stream), mapped(std::move(mapped)),
        name(this->context->intern(launch().function->name)),
        loaded(std::move(chosen)), kernel(loaded->code->kernel),
        scratch(std::move(scratch)) {}

  Status run();

  /// Loop elements, or their iterations.
  int64_t items() const;
  /// Whether there is nothing to launch: an iteration range is empty.
  bool isEmpty() const { return items() == 0; }

  std::optional<LaunchTemplate> prepare();

  /// Of the first launch, if there is one. The kernel is one of so many.
  void describe(kern_call_report &report, size_t phases) const;

  /// Of the first launch, if there is one.
  Explanation explain() const;

private:
  /// The mapped one.
  const Launch &launch() const { return mapped.launch(); }

  ScratchLayout scratchOf(const Geometry &geometry) const;

  /// How the kernel walks a layout.
  struct Plan {
    Rows rows; ///< for other forms, only the layout
    Geometry geometry;
  };

  /// Puts the dimensions into the order of the kernel's form.
  Layout arrange();
  Plan planFor(const Layout &layout,
               std::span<const KernelOperand> operands) const;
  KernelWords wordsFor(const Plan &plan,
                       std::span<const KernelOperand> operands) const;

  /// Without those of local arrays.
  KernelWords walkWords(const Plan &plan,
                        std::span<const KernelOperand> operands) const;
  cuda::GridBlock shapeOf(const Geometry &geometry) const;

  /// The blocks of each launch: those of slices, then those of whole loops.
  std::vector<unsigned> gridsOf(const Geometry &geometry) const;

  /// The dimension to halve where a grid would have too many blocks, or local
  /// arrays too much memory.
  std::optional<size_t> toHalve(const Layout &layout,
                                const Geometry &geometry) const;
  Status run(const Layout &layout, std::vector<KernelOperand> operands);

  /// One launch for each index of the dimensions that the kernel does not take.
  Status runOuter(const Layout &layout,
                  const std::vector<KernelOperand> &operands);

  std::shared_ptr<cuda::Context> context;
  CUstream stream;
  MappedLaunch mapped;
  const std::string *name; ///< the function's, from Context::intern()
  std::shared_ptr<const LoadedKernel> loaded;
  const KernelInfo &kernel;
  Transposition transposition;        ///< of the tiled form
  std::vector<ScratchSize> scratch;   ///< of its local arrays
  std::optional<Geometry> first;      ///< of the first launch
  std::optional<DeviceRecord> record; ///< of its checks
};

/// The launchers of a chain of kernels, which run one after the other. The
/// context must be current.
Expected<std::vector<Launcher>>
makeLaunchers(const std::shared_ptr<cuda::Context> &context, CUstream stream,
              const Launch &launch);

/// The launcher that reports tell of: that of the most items.
const Launcher &mainOf(const std::vector<Launcher> &chain);

} // namespace kern::runtime
