//===- SpecializePass.h - specialisation as a pass ------------ -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "mlir/Pass/Pass.h"

#include <memory>

namespace kern {

/// `kern-specialize`: adds the typed form of every loop that the headers of a
/// module's polymorphic functions declare, and removes the polymorphic ones.
/// Generic functions are specialised for `types`, an element type for each
/// parameter ("f32,i16"), if it is given.
std::unique_ptr<mlir::Pass> createSpecializePass();
void registerSpecializePass();

} // namespace kern
