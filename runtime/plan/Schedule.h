//===- Schedule.h - how a call maps the loops of a gufunc -------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pure functions from the nest of a gufunc and one call's extents, types and
// device to a mapping (docs/explanation/mappings.md).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/artefact/Dimension.h"
#include "runtime/artefact/Nest.h"
#include "runtime/plan/Words.h"

#include <optional>
#include <span>
#include <string_view>

namespace kern::runtime {

/// What a schedule is chosen from, beside strides.
struct NestExtents {
  int64_t elements = 1;      ///< loop elements of the call
  std::vector<int64_t> flat; ///< the values of Nest::flat
  int64_t shared = 0;        ///< the longest loop that lanes share
  std::vector<int64_t> privatised; ///< the values of Nest::privatised
  std::vector<int64_t> tiles;      ///< the bytes of Nest::tiles
  int64_t items() const;     ///< elements times flat; INT64_MAX at most
};
/// `lookup` gives the dimensions of the call.
Expected<NestExtents> extentsOf(const Nest &nest, int64_t elements,
                                const DimLookup &lookup);

/// The grouping of reductions follows from extents, the nest and `threads`, the
/// GPU's resident threads, alone: lanes and slices. So a result does not depend
/// on strides. Whether lanes go along the loops or across loop elements follows
/// from `goesAcross`.
Schedule scheduleOf(const Nest &nest, const NestExtents &extents,
                    bool goesAcross, int64_t threads);

/// Parses `KERN_MAPPING`: "grouped", or words of Mapping with commas between
/// them. Nothing for any other text.
std::optional<Mapping> parseMapping(std::string_view text);

/// The mapping that tests ask for, as far as the nest has it, with the lanes
/// and slices of `schedule` where those are several, and else some. A flat
/// nest stays flat.
Schedule forced(Schedule schedule, Mapping wanted, const Nest &nest,
                const NestExtents &extents);

/// Whether neighbouring loop elements lie closer together in memory than
/// neighbouring iterations of the loops inside: then lanes should go across.
bool isCloserAcross(const Nest &nest, const Layout &layout,
                    std::span<const KernelOperand> operands,
                    const NestExtents &extents);

/// The lanes that share a loop of `extent` iterations, of which a lane takes
/// `chunk` at once, if there are enough items.
unsigned lanesFor(int64_t extent, unsigned chunk, int64_t items,
                  int64_t threads);

/// How many copies of the arrays into which iterations accumulate fit into a
/// block's shared memory and are worth clearing and adding, if the iterations
/// are cut into `slices`: a power of two, at most one for each bank; or 0.
unsigned copiesFor(const NestExtents &extents, int64_t slices);

/// Changes a schedule to the staged one, if there is shared memory for it.
/// Returns whether it did.
bool setStaged(Schedule &schedule, const NestExtents &extents, int64_t threads);

/// Whether a thread for each loop element, as `schedule` has it, reads and
/// writes memory in whole lines only if its elements are staged.
bool needsStaging(const Nest &nest, const Schedule &schedule,
                  const Layout &layout,
                  std::span<const KernelOperand> operands);

/// The loop of an elementwise nest, as a ufunc's.
struct FlatLoop {
  Layout layout;
  std::vector<KernelOperand> operands; ///< one for each access
};
/// `lookup` gives the dimensions of the call.
Expected<FlatLoop> flatLoop(const Nest &nest, const NestExtents &extents,
                            const Layout &layout,
                            std::span<const KernelOperand> operands,
                            const DimLookup &lookup);

} // namespace kern::runtime
