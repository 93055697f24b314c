//===- Group.h - cooperation of the lanes of a group ------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToLLVM/Body.h"
#include "dialects/LoopToLLVM/Reduction.h"
#include "runtime/artefact/Nest.h"

namespace kern::ir::loop {

/// The body takes its lane and the group's size as two extra i64 arguments. A
/// group of up to 32 lanes lies in one warp and exchanges values by shuffles
/// with its own member mask. A larger group is a whole block. It first combines
/// the values of all warps, through shared memory and in order, and then those
/// of a warp's lanes.
class GpuGroup : public GroupLowering {
public:
  explicit GpuGroup(KernelOp kernel,
                    runtime::Groups groups = runtime::Groups::Any);
  llvm::SmallVector<mlir::Type> extraArguments(KernelBuilder &b) override;
  void begin(mlir::ValueRange extraArguments) override;
  mlir::Value lane(KernelBuilder &) override { return laneArgument; }
  mlir::Value groupSize(KernelBuilder &) override { return sizeArgument; }
  mlir::Value laneCount(KernelBuilder &) override { return sizeArgument; }
  void combine(KernelBuilder &b, CombineOp op) override;
  void barrier(KernelBuilder &b, BarrierOp op) override;
  void publish(KernelBuilder &b, PublishOp op, mlir::Value address) override;
  void awaitWord(KernelBuilder &b, AwaitWordOp op,
                 mlir::Value address) override;
  mlir::Value keep(KernelBuilder &b, mlir::Value value) override;
  mlir::Value ofLane(KernelBuilder &b, OfLaneOp op) override;
  mlir::Value earlierLane(KernelBuilder &b, EarlierLaneOp op) override;
  mlir::Value ofWarps(KernelBuilder &b, OfWarpsOp op) override;
  mlir::Value sharedMemory(KernelBuilder &b) override;
  /// Kernels that fetch ahead are for GPUs with asynchronous copies.
  void fetch(KernelBuilder &b, FetchOp op, mlir::Value source,
             mlir::Value target) override;
  void await(KernelBuilder &b, AwaitOp op) override;
  void waitForStage(KernelBuilder &b, StageWaitOp op) override;

private:
  void combineSeveral(KernelBuilder &b, ReduceKind kind, Accumulator mine,
                      mlir::Block *after);
  /// In a cooperative kernel, whose groups are blocks of `cooperatingLanes`.
  void combineCooperating(KernelBuilder &b, CombineOp op, Accumulator mine,
                          mlir::Block *after);

  runtime::Groups groups; ///< what is known of the group's size
  unsigned mostLanes;     ///< of a block; of a cooperative kernel, all
  /// The kernel is cooperative, and each item of a team passes several barriers
  /// of combinations: each of these has memory of its own.
  bool ownsSlots = false;
  unsigned combinations = 0; ///< lowered so far
  mlir::Value laneArgument;
  mlir::Value sizeArgument;
};

} // namespace kern::ir::loop
