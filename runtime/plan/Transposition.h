//===- Transposition.h - inputs transposed to the outputs -------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/plan/Form.h"

namespace kern::runtime {

/// Two dimensions of a layout. The outputs are dense along `along`; some inputs
/// are dense along `across`, and have large strides along `along`.
struct Transposition {
  size_t along = 0;
  size_t across = 0;
  uint64_t inputs = 0; ///< bit k: input k lies across
  bool operator==(const Transposition &) const = default;
};

/// Nothing if the operands agree, or the two dimensions are too short for
/// tiles.
std::optional<Transposition>
findTransposition(const Layout &layout, std::span<const OperandFacts> facts);

/// The layout with these dimensions first.
Layout transposed(const Layout &layout, const Transposition &transposition);

} // namespace kern::runtime
