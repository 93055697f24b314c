//===- Checks.h - checks of running programs ------------------ -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

namespace kern::compiler {

/// The checks that are compiled into a program (`--check`). Without any the
/// code is unchanged.
struct Checks {
  bool bounds = false;  ///< indices and bounds of slices
  bool asserts = false; ///< conditions of `assert`
  bool results = false; ///< that every element of array results is written
  bool races = false;   ///< that iterations of a prange do not race

  bool any() const { return bounds || asserts || results || races; }
  bool operator==(const Checks &) const = default;
};

} // namespace kern::compiler
