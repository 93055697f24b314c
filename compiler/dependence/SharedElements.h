//===- SharedElements.h - stores that iterations share -------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Kern/Kern.h"

namespace kern {

/// The load of the very element that `store` writes, from which its value is
/// computed, where data decides which element that is: `h[k[i]] = h[k[i]] + 1`.
/// Null if there is none, or if the iteration has the element to itself.
LoadOp updatedLoad(ParallelOp parallel, StoreOp store);

/// What `value` is an index value of; itself if it is none.
mlir::Value withoutIndex(mlir::Value value);

} // namespace kern
