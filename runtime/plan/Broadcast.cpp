//===- Broadcast.cpp - NumPy's broadcasting -------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/Broadcast.h"

#include <algorithm>

using namespace kern::runtime;

Expected<Extents> kern::runtime::broadcast(std::span<const NamedShape> shapes) {
  size_t rank = 0;
  for (const NamedShape &operand : shapes)
    rank = std::max(rank, operand.shape.size());
  Extents out(rank, 1);
  // The operand that set each extent, for messages.
  std::vector<const NamedShape *> giver(rank, nullptr);
  for (const NamedShape &operand : shapes)
    for (size_t i = 0; i < operand.shape.size(); ++i) {
      size_t at = rank - operand.shape.size() + i;
      int64_t extent = operand.shape[i];
      if (extent == 1 || extent == out[at])
        continue;
      if (out[at] != 1)
        return Error(ErrorCode::shapes_do_not_broadcast,
                     {giver[at]->name, text(giver[at]->shape), operand.name,
                      text(operand.shape)});
      out[at] = extent;
      giver[at] = &operand;
    }
  if (!checkedCount(out))
    return Error(ErrorCode::broadcast_too_large, {text(out)});
  return out;
}

Strides kern::runtime::broadcastStrides(std::span<const int64_t> shape,
                                        std::span<const int64_t> strides,
                                        std::span<const int64_t> loopShape) {
  Extents out(loopShape.size(), 0);
  for (size_t i = 0; i < shape.size(); ++i)
    if (shape[i] != 1)
      out[loopShape.size() - shape.size() + i] = strides[i];
  return out;
}
