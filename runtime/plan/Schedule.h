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

#include "runtime/plan/Geometry.h"
#include "runtime/plan/NestLayout.h"

#include <climits>
#include <optional>
#include <string_view>

namespace kern::runtime {

/// The grouping of reductions follows from extents, the nest and `threads`, the
/// GPU's resident threads, alone: lanes and slices. So a result does not depend
/// on strides, which decide only how that grouping is carried out.
Schedule scheduleOf(const Nest &nest, const NestExtents &extents,
                    StrideFacts strides, int64_t threads);

/// The iterations that kernels for now may take in all, some 30 ms on an H200.
inline constexpr int64_t mostForNow = int64_t(1) << 33;

/// What a call has in place of a kernel until that is made.
struct StandIn {
  Schedule schedule;
  int64_t iterations = 0; ///< of the call, at most mostForNow
};
/// For calls until the kernel of `schedule` is made: the schedule of one that
/// takes a fraction of that to make, and gives the same bits. Nothing where
/// there is no such kernel, or where the call would take longer with it than
/// the kernel to make.
std::optional<StandIn> untilMade(const Schedule &schedule, const Nest &nest,
                                 const NestExtents &extents);

/// Whether the phases of a body have kernels of their own, in place of one with
/// this schedule: `elements` loop elements, and up to `items` iterations of a
/// phase for all of them.
bool goesInPhases(const Schedule &whole, int64_t elements, int64_t items);

/// How many loop dimensions a kernel serves that is made for a call with `rank`
/// of them: none, one or all. Each beyond the first, and of a flat kernel the
/// first too, is a division of 64 bits, which takes the driver as long to
/// translate as a short body. Kernels of tiles, which take longest to make,
/// serve all calls, and those whose lanes go across have a loop dimension.
unsigned loopDimsFor(size_t rank, const Mapping &mapping);
/// The groups of a kernel made for calls with this schedule. Lanes exchange
/// values in three ways, and one lane, or a block of them, takes none or one.
Groups groupsFor(const Schedule &schedule);

/// Tiles of whatever size is best, in a mapping that tests ask for.
inline constexpr unsigned anyTile = UINT_MAX;

/// Parses `KERN_MAPPING`: "grouped", or words of Mapping with commas between
/// them; "tiled" is anyTile, and "phases" has a phase. Nothing for any other
/// text.
std::optional<Mapping> parseMapping(std::string_view text);

/// The mapping that tests ask for, as far as the nest has it. It takes lanes
/// and slices from `schedule` if that has several, and a few otherwise. A flat
/// nest stays flat. Tiles are the schedule's, or the nest's smallest.
Schedule forced(Schedule schedule, Mapping wanted, const Nest &nest,
                const NestExtents &extents, StrideFacts strides,
                int64_t threads);

/// The nest without what a kernel of this mapping cannot do, and without
/// unrolled loops: for the schedule of a kernel that a file has in place of
/// another one.
Nest within(Nest nest, const Mapping &mapping);

/// The lanes that share a loop of `extent` iterations, of which a lane takes
/// `chunk` at once, if there are enough items.
unsigned lanesFor(int64_t extent, unsigned chunk, int64_t items,
                  int64_t threads);

/// The largest extent that is a constant in kernels with unrolled loops.
inline constexpr int64_t longestUnrolled = 64;

/// The extents that are constants in a kernel made for calls of these: those up
/// to `longest`, if there are loop elements enough for such a kernel. For each
/// dimension the extent, or 0; empty if there are none.
std::vector<int64_t> constantsFor(const NestExtents &extents, int64_t longest);

/// How many copies of the arrays into which iterations accumulate fit into a
/// block's shared memory and are worth clearing and adding, if the iterations
/// are cut into `slices`: a power of two, at most one for each bank; or 0.
unsigned copiesFor(const NestExtents &extents, int64_t slices);

} // namespace kern::runtime
