//===- DataOrigin.h - which values data decides ----------------- -*- C++
//-*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Kern/Kern.h"
#include "mlir/IR/Dominance.h"

namespace kern {

/// Whether an element of an array has a part in a value, or in which of the
/// paths that meet at it are taken.
bool followsFromData(mlir::Value value, mlir::DominanceInfo &dominance);

} // namespace kern
