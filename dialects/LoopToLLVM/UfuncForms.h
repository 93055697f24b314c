//===- UfuncForms.h - which forms of a ufunc to make ------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

namespace kern::loop {

/// Which forms of a ufunc to make. A gufunc has the general form alone, and the
/// host the first two.
struct UfuncForms {
  bool contiguous = true;
  bool strided = true;
  bool inner = false;
  bool tiled = false;
  /// GPU: each of them for operands that may be the very same array, and for
  /// outputs that share no memory with an input.
  bool inPlace = true;
  bool disjoint = false;
};

} // namespace kern::loop
