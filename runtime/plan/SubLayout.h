//===- SubLayout.h - the part of a layout that fits one launch --*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/artefact/Manifest.h"
#include "runtime/plan/Layout.h"

#include <optional>

namespace kern::runtime {

/// A loop or a part of one: a layout, and each operand's distance, in bytes,
/// from the first element of the whole loop to that of the part.
struct SubLayout {
  Layout layout;
  std::vector<int64_t> moved;
};

/// The dimension along which a layout must be halved: kernels of some forms
/// have 32-bit indices and byte offsets, and grids have a limit. Nothing if one
/// launch can walk it.
std::optional<size_t> dimensionToHalve(Form form, const Layout &layout,
                                       int64_t blocks);

/// The two halves. The first is a multiple of every vector's elements along the
/// dimension, so that alignment is kept.
std::pair<SubLayout, SubLayout> halves(const Layout &layout, size_t dimension);

} // namespace kern::runtime
