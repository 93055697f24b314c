//===- Pieces.cpp - a loop cut into pieces --------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/Pieces.h"

#include "runtime/plan/Layout.h"

#include <algorithm>

using namespace kern::runtime;

int64_t Piece::count() const {
  int64_t count = 1;
  for (int64_t extent : extents)
    count *= extent;
  return count;
}

Pieces::Pieces(Extents shape, std::vector<unsigned> order, int64_t most)
    : shape(std::move(shape)), order(std::move(order)),
      extents(this->shape.size(), 1) {
  for (unsigned dimension : this->order) {
    extents[dimension] =
        std::min(this->shape[dimension], std::max<int64_t>(most, 1));
    most /= extents[dimension];
    if (isCut(dimension))
      break;
  }
}

int64_t Pieces::countAlong(size_t dimension) const {
  return ceilDivide(shape[dimension], extents[dimension]);
}

int64_t Pieces::count() const {
  int64_t count = 1;
  for (size_t d = 0; d < shape.size(); ++d)
    count *= countAlong(d);
  return count;
}

Piece Pieces::operator[](int64_t number) const {
  Piece piece = {Indices(shape.size()), extents};
  for (unsigned d : order) {
    piece.first[d] = number % countAlong(d) * extents[d];
    number /= countAlong(d);
    piece.extents[d] = std::min(extents[d], shape[d] - piece.first[d]);
  }
  return piece;
}

int64_t kern::runtime::pieceBytes(int64_t total) {
  constexpr int64_t least = int64_t(2) << 20, largest = int64_t(32) << 20;
  constexpr int64_t pieces = 16;
  return total < 4 * least ? total : std::clamp(total / pieces, least, largest);
}
