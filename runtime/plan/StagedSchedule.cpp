//===- StagedSchedule.cpp - elements through shared memory ----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/StagedSchedule.h"

#include <algorithm>

using namespace kern::runtime;

/// The longest loops that are worth unrolling in a thread of its own.
static constexpr int64_t longestOfThread = 16;

/// Whether the kernel of a staged schedule has threads' arrays in registers:
/// all extents are constants, and small.
static bool fitRegisters(const NestExtents &extents,
                         const std::vector<int64_t> &constants) {
  // As a stage's bytes, which may have a word of padding.
  constexpr int64_t most = 1032;
  bool areConstant =
      !constants.empty() && std::ranges::find(constants, 0) == constants.end();
  return (areConstant || extents.areStagesConstant) &&
         std::ranges::all_of(extents.stages,
                             [](int64_t bytes) { return bytes <= most; });
}

/// Whether the staged kernel of a loop in order is spread: whether there are so
/// few loop elements that, with 32 to a warp, most units that issue would have
/// no warp. With more than twice that many, warps that share a unit would issue
/// the same computations for fewer elements each.
static bool spreadsOut(const Nest &nest, const NestExtents &extents,
                       int64_t threads) {
  constexpr int64_t threadsOfUnit = 512, warps = 2;
  return nest.canSpread() &&
         extents.elements <= threads / threadsOfUnit * warps * spreadElements;
}

void kern::runtime::setStaged(Schedule &schedule, const Nest &nest,
                              const NestExtents &extents, int64_t threads,
                              std::optional<bool> wanted) {
  const bool isSpread = wanted.value_or(spreadsOut(nest, extents, threads));
  constexpr unsigned warp = 32, most = 128;
  constexpr int64_t maxBytes = 48 << 10, unit = 16;
  // A block for each multiprocessor, if there are enough loop elements.
  constexpr int64_t threadsOfMultiprocessor = 2048;
  std::vector<int64_t> constants = constantsFor(extents, longestOfThread);
  bool inRegisters = fitRegisters(extents, constants);
  // Tiles are then spaced for wide accesses.
  int64_t padding = inRegisters && !extents.areStagesConstant ? 12 : 0;
  auto elementsOf = [&](unsigned block) -> int64_t {
    return isSpread ? block / warp * spreadElements : block;
  };
  auto bytesOf = [&](unsigned block) {
    int64_t sum = 0;
    for (size_t k = 0; k < extents.stages.size(); ++k) {
      int64_t bytes = extents.stages[k];
      if (bytes > maxBytes)
        return INT64_MAX;
      const Nest::Stage &stage = nest.stages[k];
      int64_t all = isSpread && stage.spreadBytes
                        ? stage.spreadBytes * elementsOf(block)
                        : (bytes + padding) * block;
      if (!inRegisters || !stage.isInPlace)
        sum += ceilDivide(all, unit) * unit;
    }
    return sum;
  };
  unsigned block = most;
  while (block > warp &&
         (bytesOf(block) > maxBytes || extents.elements / elementsOf(block) <
                                           threads / threadsOfMultiprocessor))
    block /= 2;
  if (isSpread && bytesOf(block) > maxBytes)
    return setStaged(schedule, nest, extents, threads, /*wanted=*/false);
  if (extents.stages.empty() || bytesOf(block) > maxBytes)
    return;
  schedule = {};
  schedule.mapping.staged = true;
  schedule.mapping.spread = isSpread;
  schedule.block = block;
  schedule.sharedBytes = unsigned(bytesOf(block));
  schedule.constants = std::move(constants);
}

bool kern::runtime::isSmall(const Nest &nest, const NestExtents &extents) {
  constexpr int64_t maxBytes = 1024;
  int64_t bytes = 0;
  for (int64_t each : extents.stages)
    bytes = std::min(bytes + each, INT64_MAX / 2);
  return !nest.flat.empty() && !nest.stages.empty() && bytes <= maxBytes &&
         fitRegisters(extents, constantsFor(extents, longestOfThread));
}
