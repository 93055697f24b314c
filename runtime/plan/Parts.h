//===- Parts.h - the parts of arrays that pieces need -----------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Views of arrays, in memory as they are and as they are moved. Pure.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/plan/Pieces.h"

namespace kern::runtime {

/// The part of an operand that belongs to a piece of the loop: all of its last
/// `coreRank` dimensions, and of the others what the piece has. A dimension of
/// extent 1 is broadcast. Moves `data` if it is not NULL.
StridedView partOf(StridedView operand, size_t coreRank, const Piece &piece);

/// The distance, in the unit of the strides, from the operand's first element
/// to the first of partOf().
int64_t partOffset(const StridedView &operand, size_t coreRank,
                   const Piece &piece);

/// Each element once: dimensions of stride 0 have an extent of at most 1.
StridedView distinct(StridedView view);
/// The bytes of the distinct elements.
size_t distinctBytes(const StridedView &view);

/// The same array, its distinct elements in the same order but without holes,
/// at `data` on `device`.
StridedView packed(const StridedView &view, std::byte *data, DLDevice device);
/// Whether an array lies in memory as packed() would put it.
bool isPacked(const StridedView &view);

} // namespace kern::runtime
