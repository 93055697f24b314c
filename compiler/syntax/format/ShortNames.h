//===- ShortNames.h - names that have a shorter form ---------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/syntax/Tree.h"
#include "compiler/syntax/format/Pieces.h"

namespace kern::syntax {

/// Writes `float32` as `f32` and `np.sin` as `sin`, and removes the imports
/// that this leaves without use: each where no name that the file binds
/// anywhere could be meant instead.
void shortenNames(const File &file, std::vector<Piece> &pieces);

} // namespace kern::syntax
