//===- Form.cpp - which kernel form, launched how -------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/Form.h"

#include <algorithm>
#include <bit>
#include <cmath>

using namespace kern;

bool kern::isContiguous(const Layout &layout,
                        std::span<const OperandFacts> facts) {
  if (layout.rank() > 1)
    return false;
  if (layout.rank() == 0)
    return true;
  for (size_t k = 0; k < facts.size(); ++k)
    if (!facts[k].isScalar &&
        layout.strides[k][0] != int64_t(facts[k].itemSize))
      return false;
  return true;
}

bool kern::isAligned(std::span<const OperandFacts> facts, size_t alignment) {
  return std::ranges::all_of(facts, [&](const OperandFacts &f) {
    return f.isScalar || f.address % alignment == 0;
  });
}

Form kern::wantedCudaForm(FunctionKind kind, const Layout &layout,
                          std::span<const OperandFacts> facts) {
  if (kind == FunctionKind::Gufunc)
    return Form::General;
  bool isVector = isContiguous(layout, facts) && isAligned(facts, vectorBytes);
  return isVector ? Form::Contiguous : Form::Strided;
}

Form kern::wantedHostForm(FunctionKind kind) {
  return kind == FunctionKind::Gufunc ? Form::General : Form::Contiguous;
}

static int64_t ceilDivide(int64_t a, int64_t b) { return a / b + (a % b != 0); }

Geometry kern::contiguousGeometry(const KernelInfo &kernel, int64_t count) {
  Geometry geometry;
  geometry.blockX = std::max(kernel.block, 1u);
  geometry.blocks = ceilDivide(count, int64_t(geometry.blockX) *
                                          std::max(kernel.elements, 1u));
  return geometry;
}

Geometry kern::stridedGeometry(const KernelInfo &kernel, const Layout &layout) {
  int64_t n0 = layout.rank() ? layout.extents[0] : 1;
  int64_t rows = layout.outerCount(1);
  // The largest power of two that divides the block is what can be tiled.
  unsigned block = std::max(kernel.block, 1u);
  unsigned powers = block & -block;
  unsigned tx =
      unsigned(std::min<uint64_t>(std::bit_ceil(uint64_t(n0)), powers));
  if (rows == 1)
    tx = powers;
  // A narrower tile wastes fewer threads at the end of each row: 33 elements
  // in tiles of 64 leave 31 idle, in tiles of 32 as many; 65 in 128 leave 63.
  while (tx > 32 && rows > 1 &&
         ceilDivide(n0, tx / 2) * (tx / 2) < ceilDivide(n0, tx) * tx)
    tx /= 2;
  Geometry geometry;
  geometry.blockX = tx;
  geometry.blockY = block / tx;
  geometry.tiles = ceilDivide(n0, tx);
  int64_t bands = ceilDivide(rows, geometry.blockY);
  if (__builtin_mul_overflow(geometry.tiles, bands, &geometry.blocks))
    geometry.blocks = INT64_MAX;
  return geometry;
}

Geometry kern::generalGeometry(const KernelInfo &kernel, int64_t count,
                               int64_t sharedExtent, int64_t threads) {
  Geometry geometry;
  unsigned block = std::max(kernel.block, 32u);
  if (!kernel.sharedExtents.empty() && sharedExtent > 1) {
    // Measured on an H200 with the norm of rows: of 16 elements 2 threads each
    // are the fastest, of 256 8, of 2^14 128, of 2^20 a whole block. So threads
    // and iterations grow alike, with fewer threads where a warp is shared.
    uint64_t root = std::bit_floor(uint64_t(std::sqrt(double(sharedExtent))));
    uint64_t group = sharedExtent <= 1024 ? root / 2 : root;
    group = std::clamp<uint64_t>(group, 1, 1024);
    // Too few elements leave the GPU idle: share more, while each thread keeps
    // several iterations.
    while (group < 1024 && count * int64_t(group) < threads &&
           uint64_t(sharedExtent) / (group * 2) >= 4)
      group *= 2;
    geometry.group = unsigned(group);
  }
  if (geometry.group > 32) {
    geometry.blockX = geometry.group;
    geometry.blocks = count;
    return geometry;
  }
  geometry.blockX = block;
  geometry.blocks = ceilDivide(count, block / geometry.group);
  return geometry;
}
