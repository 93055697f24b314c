//===- Checks.h - what a running program checks -------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

namespace kern {

/// What a program is compiled to check while it runs (`--check`). Without any
/// it is the same program as ever.
struct Checks {
  bool bounds = false;  ///< indices and bounds of slices
  bool asserts = false; ///< conditions of `assert`
  bool results = false; ///< that array results are written completely
  bool races = false;   ///< that iterations of a prange keep apart

  bool any() const { return bounds || asserts || results || races; }
  bool operator==(const Checks &) const = default;
};

} // namespace kern
