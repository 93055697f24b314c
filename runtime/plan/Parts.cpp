//===- Parts.cpp - the parts of arrays that pieces need -------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/Parts.h"

#include "runtime/plan/Layout.h"

#include <algorithm>

using namespace kern::runtime;

namespace {
/// The loop dimension of an operand's first dimension.
size_t skipped(const StridedView &operand, size_t coreRank,
               const Piece &piece) {
  return piece.first.size() - (operand.rank() - coreRank);
}
} // namespace

int64_t kern::runtime::partOffset(const StridedView &operand, size_t coreRank,
                                  const Piece &piece) {
  int64_t offset = 0;
  const size_t before = skipped(operand, coreRank, piece);
  for (size_t i = 0; i < operand.rank() - coreRank; ++i)
    if (operand.shape[i] != 1)
      offset += piece.first[before + i] * operand.strides[i];
  return offset;
}

StridedView kern::runtime::partOf(StridedView operand, size_t coreRank,
                                  const Piece &piece) {
  if (operand.data)
    operand.data += partOffset(operand, coreRank, piece);
  const size_t before = skipped(operand, coreRank, piece);
  for (size_t i = 0; i < operand.rank() - coreRank; ++i)
    if (operand.shape[i] != 1)
      operand.shape[i] = piece.extents[before + i];
  return operand;
}

StridedView kern::runtime::distinct(StridedView view) {
  for (size_t i = 0; i < view.rank(); ++i)
    if (view.strides[i] == 0)
      view.shape[i] = std::min<int64_t>(view.shape[i], 1);
  return view;
}

size_t kern::runtime::distinctBytes(const StridedView &view) {
  return size_t(distinct(view).count()) * itemSize(view.dtype);
}

StridedView kern::runtime::packed(const StridedView &view, std::byte *data,
                                  DLDevice device) {
  const StridedView once = distinct(view);
  const Strides given[] = {once.strides};
  StridedView out = view;
  out.data = data;
  out.device = device;
  out.strides = packedStrides(once.shape, memoryOrder(once.shape, given),
                              itemSize(view.dtype));
  for (size_t i = 0; i < view.rank(); ++i)
    if (view.strides[i] == 0)
      out.strides[i] = 0;
  return out;
}

bool kern::runtime::isPacked(const StridedView &view) {
  const StridedView like = packed(view, view.data, view.device);
  for (size_t i = 0; i < view.rank(); ++i)
    if (view.shape[i] > 1 && view.strides[i] != like.strides[i])
      return false;
  return true;
}
