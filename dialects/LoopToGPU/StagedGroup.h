//===- StagedGroup.h - elements through shared memory --------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToLLVM/SingleLane.h"

namespace kern::ir::loop {

/// A thread for each loop element. The lanes of a warp move their arrays
/// between global and shared memory together, along each lane's elements. The
/// body takes its lane as an extra i64 argument, which is 0 where there is a
/// loop element.
class StagedGroup : public SingleLane {
public:
  explicit StagedGroup(unsigned computeCapability)
      : computeCapability(computeCapability) {}
  llvm::SmallVector<mlir::Type> extraArguments(KernelBuilder &b) override;
  void begin(mlir::ValueRange extraArguments) override;
  mlir::Value sharedMemory(KernelBuilder &b) override;
  BlockPlace placeInBlock(KernelBuilder &b) override;
  void move(KernelBuilder &b, const Move &move) override;
  void waitForStage(KernelBuilder &b, StageWaitOp op) override;

private:
  bool hasAsyncCopies() const { return computeCapability >= 80; }

  unsigned computeCapability;
  mlir::Value laneArgument;
};

} // namespace kern::ir::loop
