//===- Flatten.h - iterations as loop elements ------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopMappings/Obstacle.h"

namespace kern::ir::loop {

/// Makes the iterations of a gufunc's outermost parallel loop loop elements:
/// its body becomes the kernel's, and its indices follow from the flat ones.
/// Then the same of a loop inside that is alone now. Only a loop is taken that
/// is the kernel's only one, whose ranges follow from dimensions, and around
/// which nothing reads what is written. Returns whether there was one.
bool flatten(KernelOp kernel);

/// What keeps the iterations of a gufunc's only outer loop from being loop
/// elements. Nothing if they can be, or if it has no such loop.
std::optional<Obstacle> flatObstacle(KernelOp kernel);

} // namespace kern::ir::loop
