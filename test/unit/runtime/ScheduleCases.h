//===- ScheduleCases.h - nests that tests schedule --------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/plan/Schedule.h"

namespace kern::runtime {

/// About as many as an H200 holds.
inline constexpr int64_t threads = 270000;

/// The norm of rows.
inline Nest norm() {
  Nest nest;
  nest.hasLoops = nest.isStraight = true;
  nest.launches = 2;
  nest.chunk = 4;
  nest.sharedExtents = {{{"n"}}};
  nest.accesses = {{.operand = 0, .steps = {{1}}}};
  return nest;
}

inline NestExtents extents(int64_t elements, int64_t shared) {
  NestExtents out;
  out.elements = elements;
  out.shared = shared;
  return out;
}

} // namespace kern::runtime
