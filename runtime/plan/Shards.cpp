//===- Shards.cpp - how an axis is dealt over GPUs ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/Shards.h"

#include "runtime/error/Counted.h"

#include <algorithm>

using namespace kern::runtime;

Extents kern::runtime::deal(int64_t extent, size_t count) {
  const auto parts = int64_t(count);
  Extents begins = {0};
  for (int64_t i = 0; i < parts; ++i)
    begins.push_back(begins[size_t(i)] + extent / parts +
                     (i < extent % parts ? 1 : 0));
  return begins;
}

static size_t loopRank(const ShardedOperand &operand) {
  const size_t rank = operand.shape.size();
  return rank - std::min(rank, operand.coreRank);
}

Status kern::runtime::checkShards(std::span<const ShardedOperand> operands) {
  const ShardedOperand *first = nullptr;
  for (const ShardedOperand &operand : operands) {
    if (!operand.isDealt)
      continue;
    if (loopRank(operand) == 0)
      return Error(ErrorCode::dealt_along_core,
                   {operand.label, counted(operand.shape.size(), "dimension")});
    if (!first)
      first = &operand;
    if (loopRank(operand) != loopRank(*first))
      return Error(ErrorCode::dealt_ranks_differ,
                   {first->label, counted(loopRank(*first), "loop dimension"),
                    operand.label, loopRank(operand)});
    if (operand.shape[0] != first->shape[0])
      return Error(
          ErrorCode::dealt_extents_differ,
          {first->label, first->shape[0], operand.label, operand.shape[0]});
  }
  if (!first)
    return Error(ErrorCode::nothing_dealt);
  for (const ShardedOperand &operand : operands) {
    const size_t rank = loopRank(operand);
    if (operand.isWritten && !operand.isDealt)
      return Error(ErrorCode::whole_is_written, {operand.label, first->label});
    if (operand.isDealt || rank < loopRank(*first) ||
        (rank == loopRank(*first) && operand.shape[0] == 1))
      continue;
    return Error(ErrorCode::whole_beside_dealt,
                 {operand.label, text(operand.shape), first->label});
  }
  return {};
}
