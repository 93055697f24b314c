//===- StagedSchedule.h - elements through shared memory --------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The staged mapping has a thread for each loop element, whose elements come
// and go through shared memory: those of small cores whole, those of a loop in
// order a strip of iterations at a time. In a spread kernel a warp has few loop
// elements, and strips are longer (docs/explanation/mappings.md).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/plan/Schedule.h"

#include <optional>

namespace kern::runtime {

/// Changes a schedule to the staged one, if there is shared memory for it. The
/// kernel of a loop in order is spread if that is `wanted`, or else if there
/// are so few loop elements that it is faster.
void setStaged(Schedule &schedule, const Nest &nest, const NestExtents &extents,
               int64_t threads, std::optional<bool> wanted = std::nullopt);

/// Whether one thread computes a loop element faster than several do: its loops
/// are unrolled, and its arrays are in registers.
bool isSmall(const Nest &nest, const NestExtents &extents);

} // namespace kern::runtime
