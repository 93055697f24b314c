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

#include <climits>
#include <optional>
#include <span>
#include <string_view>

namespace kern::runtime {

/// What a schedule is chosen from, beside strides.
struct NestExtents {
  int64_t elements = 1;      ///< loop elements of the call
  std::vector<int64_t> flat; ///< the values of Nest::flat
  int64_t shared = 0;        ///< the longest loop that lanes share
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

/// Tiles of whatever size is best, in a mapping that tests ask for.
inline constexpr unsigned anyTile = UINT_MAX;

/// Parses `KERN_MAPPING`: "grouped", or words of Mapping with commas between
/// them; "tiled" is anyTile. Nothing for any other text.
std::optional<Mapping> parseMapping(std::string_view text);

/// The mapping that tests ask for, as far as the nest has it, with the lanes
/// and slices of `schedule` where those are several, and else some. A flat
/// nest stays flat. Tiles are the schedule's, or the nest's smallest.
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
