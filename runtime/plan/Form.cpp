//===- Form.cpp - the choice of a kernel's form ---------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/Transposition.h"

#include <algorithm>
#include <cstdlib>

using namespace kern::runtime;

bool kern::runtime::isContiguous(const Layout &layout,
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

bool kern::runtime::isAligned(std::span<const OperandFacts> facts,
                              size_t alignment) {
  return std::ranges::all_of(facts, [&](const OperandFacts &f) {
    return f.isScalar || f.address % alignment == 0;
  });
}

/// Whether the outputs' rows are worth vector accesses.
static bool hasVectorRows(const Layout &layout,
                          std::span<const OperandFacts> facts) {
  if (layout.rank() == 0)
    return false;
  int64_t widest = 1;
  bool isWhole = true;
  for (size_t k = 0; k < facts.size(); ++k) {
    if (facts[k].isScalar)
      continue;
    auto size = int64_t(facts[k].itemSize);
    int64_t stride = layout.strides[k][0];
    widest = std::max(widest, size);
    if (stride == size ||
        (!facts[k].isOutput && std::abs(stride) <= size && stride % size == 0))
      continue;
    // Elements a few sizes apart still share a memory transaction. But each
    // needs its own access, so allow only a few.
    static constexpr int64_t fewElements = 4, minSize = 4;
    if (facts[k].isOutput || size < minSize ||
        std::abs(stride) > fewElements * size)
      return false;
  }
  int64_t vector = int64_t(vectorBytes) / widest;
  if (vector < 2)
    return false;
  // Unaligned rows must be long enough, since a few elements at both ends are
  // processed one by one.
  for (size_t k = 0; k < facts.size(); ++k) {
    if (!facts[k].isOutput)
      continue;
    int64_t bytes = vector * int64_t(facts[k].itemSize);
    isWhole &= facts[k].address % uint64_t(bytes) == 0;
    for (size_t d = 1; d < layout.rank(); ++d)
      isWhole &= layout.strides[k][d] % bytes == 0;
  }
  static constexpr int64_t longRow = 1024; // bytes
  int64_t extent = layout.extents[0];
  return (isWhole && extent % vector == 0) || extent * widest >= longRow;
}

Form kern::runtime::wantedCudaForm(FunctionKind kind, const Layout &layout,
                                   std::span<const OperandFacts> facts,
                                   size_t alignment) {
  if (kind == FunctionKind::Gufunc)
    return Form::General;
  if (isContiguous(layout, facts) && isAligned(facts, alignment))
    return Form::Contiguous;
  if (std::ranges::none_of(facts, &OperandFacts::isRange) &&
      findTransposition(layout, facts))
    return Form::Tiled;
  return hasVectorRows(layout, facts) ? Form::Inner : Form::Strided;
}

Form kern::runtime::wantedHostForm(FunctionKind kind, const Layout &layout,
                                   std::span<const OperandFacts> facts,
                                   bool disjoint) {
  if (kind == FunctionKind::Gufunc)
    return Form::General;
  // Both ends of a row go through the caches.
  constexpr int64_t longRow = 4096; // bytes
  int64_t bytes = 0;
  for (size_t k = 0; k < facts.size(); ++k) {
    if (!facts[k].isRange && !facts[k].isScalar)
      bytes += layout.bytesOf(k, facts[k].itemSize);
    auto size = int64_t(facts[k].itemSize);
    if (facts[k].isOutput &&
        (facts[k].isBuffered || layout.rank() == 0 ||
         layout.strides[k][0] != size || layout.extents[0] * size < longRow))
      return Form::Contiguous;
  }
  return disjoint && bytes > streamedBytes ? Form::Streamed : Form::Contiguous;
}
