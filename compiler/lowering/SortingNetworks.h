//===- SortingNetworks.h - sorting of a few elements ---------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/lowering/FunctionLowering.h"

namespace kern::compiler {

/// The pairs of neighbours (i, i + 1) that a network for `count` elements
/// compares and exchanges, in order. Neighbours alone change places, so that
/// equal elements keep their order.
std::vector<size_t> sortingNetwork(size_t count);

/// The body of the library's `sort`, `argsort` or `partition`, whose frame is
/// the current one, as a network over the elements of a short array: no loops,
/// no branches and no memory. False for other functions, and for an array of
/// many elements or of a size that is not known.
bool lowerNetwork(FunctionLowering &fn, Span span);

} // namespace kern::compiler
