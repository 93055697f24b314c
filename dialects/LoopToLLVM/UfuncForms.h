//===- UfuncForms.h - which forms of a ufunc to make ------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

namespace kern::ir::loop {

/// Which forms of a ufunc to make. A gufunc has only the general form. The host
/// has only the first two forms.
struct UfuncForms {
  bool contiguous = true;
  bool strided = true;
  bool inner = false;
  bool tiled = false;
  /// GPU: make each form for operands that may be one and the same array, and
  /// for outputs that share no memory with an input.
  bool inPlace = true;
  bool disjoint = false;
};

} // namespace kern::ir::loop
