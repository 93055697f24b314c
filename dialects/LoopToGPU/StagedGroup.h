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
///
/// In a spread kernel the first lanes of a warp have a loop element each, and
/// the others compute the same ones once more, without storing any.
class StagedGroup : public SingleLane {
public:
  StagedGroup(unsigned computeCapability, bool isSpread)
      : computeCapability(computeCapability), isSpread(isSpread) {}
  llvm::SmallVector<mlir::Type> extraArguments(KernelBuilder &b) override;
  void begin(mlir::ValueRange extraArguments) override;
  mlir::Value sharedMemory(KernelBuilder &b) override;
  BlockPlace placeInBlock(KernelBuilder &b, bool ofElement) override;
  void move(KernelBuilder &b, const Move &move) override;
  void waitForStage(KernelBuilder &b, StageWaitOp op) override;

private:
  bool hasAsyncCopies() const { return computeCapability >= 80; }

  unsigned computeCapability;
  bool isSpread;
  mlir::Value laneArgument;
};

} // namespace kern::ir::loop
