//===- Overlap.h - do two arrays share memory -------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether two strided arrays share a byte is a Diophantine inequality; a
// bounded search for a solution gives exact answers. Pure.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/array/StridedView.h"

namespace kern::runtime {

enum class Overlap : uint8_t {
  None,  ///< no byte belongs to both
  Exact, ///< the same elements at the same indices
  Some,  ///< anything else, or too expensive to decide
};

/// How `a` and `b` overlap. Views on different devices do not.
Overlap overlapOf(const StridedView &a, const StridedView &b);

/// True if two elements of `view` share a byte, or that is too expensive to
/// decide.
bool overlapsItself(const StridedView &view);

/// The addresses of the first and the last byte of an array's memory that is
/// used; nothing for an array without elements.
std::optional<std::pair<uintptr_t, uintptr_t>> memoryOf(const StridedView &);

} // namespace kern::runtime
