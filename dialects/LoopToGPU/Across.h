//===- Across.h - lanes across loop elements --------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToLLVM/Body.h"

namespace kern::ir::loop {

/// A block of threads (x, y), in which x is a loop element and the threads of
/// one x are its group: y is the lane. The number of lanes that share the
/// iterations of a reduction may be a multiple of the block's height. Lanes
/// combine values through shared memory, in the order in which GpuGroup does.
/// The body takes its lane, the group's size and the number of lanes as three
/// extra i64 arguments. Where lanes of a warp exchange values, blocks have 32
/// times 32 threads, and a warp is a row of them.
class AcrossGroup : public GroupLowering {
public:
  llvm::SmallVector<mlir::Type> extraArguments(KernelBuilder &b) override;
  void begin(mlir::ValueRange extraArguments) override;
  mlir::Value lane(KernelBuilder &) override { return laneArgument; }
  mlir::Value groupSize(KernelBuilder &) override { return sizeArgument; }
  mlir::Value laneCount(KernelBuilder &) override { return countArgument; }
  void combine(KernelBuilder &b, CombineOp op) override;
  void barrier(KernelBuilder &b, BarrierOp op) override;
  mlir::Value keep(KernelBuilder &b, mlir::Value value) override;
  mlir::Value ofLane(KernelBuilder &b, OfLaneOp op) override;
  mlir::Value earlierLane(KernelBuilder &b, EarlierLaneOp op) override;
  void transpose(KernelBuilder &b, TransposeOp op) override;

private:
  mlir::Value laneArgument, sizeArgument, countArgument;
};

} // namespace kern::ir::loop
