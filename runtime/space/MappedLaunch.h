//===- MappedLaunch.h - a launch as a mapping makes it ----------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/plan/Schedule.h"
#include "runtime/space/Space.h"

#include <optional>
#include <vector>

namespace kern::runtime {

/// The facts about a GPU that mappings depend on.
struct GpuFacts {
  static GpuFacts of(const cuda::Context &context);
  int64_t threads = 0;         ///< resident ones
  bool cooperates = false;     ///< has cooperative launches
  bool fetchesAhead = false;   ///< has asynchronous copies, and memory for them
  bool hasMatrixUnits = false; ///< those of Nest::Tile::speed
  unsigned sharedBytes = 0;    ///< the most that a block can ask for
};

/// A launch on a GPU, with the mapping of its loops if it is a gufunc's.
class MappedLaunch {
public:
  /// `launch` must outlive the result. It is of all phases of a body, or of
  /// the one with this number, from 1 on.
  static Expected<MappedLaunch> make(const Launch &launch, GpuFacts gpu,
                                     unsigned phase = 0);

  /// How many phases of the body have kernels of their own; 0: one kernel runs
  /// all of it.
  Expected<unsigned> phases() const;

  /// The kernel of the mapping, or, if the function has no such kernel, of one
  /// that serves as well; the mapping is then changed to that. The same while
  /// the kernel is made, if `mayAwait`.
  Expected<std::shared_ptr<const LoadedKernel>>
  choose(const std::shared_ptr<cuda::Context> &context, bool mayAwait);
  /// Whether choose() took another mapping until the kernel is made.
  bool isForNow() const { return forNow; }

  /// The loop that the kernel's form walks over: the launch itself, or that of
  /// the equivalent ufunc.
  const Launch &launch() const { return flat ? *flat : *original; }
  /// The number of items of `elements` loop elements.
  int64_t itemsOf(int64_t elements) const;
  /// The extents of the flat indices, in tiles if there are any.
  std::vector<int64_t> ranges() const;
  /// Where each operand of launch() comes from; empty: from the same operand of
  /// the original.
  std::vector<LaunchTemplate::Source> sources() const;
  /// An explanation of launch() for the operands of the original.
  Explanation inOriginal(Explanation explanation) const;

  Schedule schedule;
  NestExtents extents;

private:
  MappedLaunch(const Launch &launch, GpuFacts gpu, unsigned phase)
      : original(&launch), gpu(gpu), phase(phase) {}
  /// Takes the schedule from a nest.
  Status arrange(Nest described);

  const Launch *original;
  GpuFacts gpu;
  unsigned phase; ///< from 1 on; 0: all
  Nest nest;
  std::optional<Launch> flat; ///< of an elementwise nest
  bool forNow = false;
};

} // namespace kern::runtime
