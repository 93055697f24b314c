//===- Piece.h - what one launch can walk ----------------------*- C++ -*--===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/artefact/Manifest.h"
#include "runtime/plan/Layout.h"

#include <optional>

namespace kern {

/// A loop, or a part of one: a layout, and for each operand how far its first
/// element is, in bytes, from that of the whole.
struct Piece {
  Layout layout;
  std::vector<int64_t> moved;
};

/// The dimension along which a layout must be halved, since a kernel of this
/// form takes indices and byte offsets in 32 bits or the grid would be too
/// large; nothing if one launch can walk it.
std::optional<size_t> dimensionToHalve(Form form, const Layout &layout,
                                       int64_t blocks);

/// The two parts. Each but the last is, along the dimension, a multiple of
/// every vector's elements, so that what was aligned stays so.
std::pair<Piece, Piece> halves(const Layout &layout, size_t dimension);

} // namespace kern
