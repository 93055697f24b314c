//===- SingleLane.h - a group of one lane -----------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToLLVM/Body.h"
#include "dialects/LoopToLLVM/Reduction.h"

namespace kern::ir::loop {

/// One lane for each loop element: ufuncs, and every kernel on the host.
class SingleLane : public GroupLowering {
public:
  llvm::SmallVector<mlir::Type> extraArguments(KernelBuilder &) override {
    return {};
  }
  void begin(mlir::ValueRange) override {}
  mlir::Value lane(KernelBuilder &b) override { return b.i64(0); }
  mlir::Value groupSize(KernelBuilder &b) override { return b.i64(1); }
  mlir::Value laneCount(KernelBuilder &b) override { return b.i64(1); }
  void combine(KernelBuilder &b, CombineOp op) override {
    op.replaceAllUsesWith(
        result(b, op.getKind(), {op.getValue(), op.getIndex()}));
  }
  void barrier(KernelBuilder &, BarrierOp) override {}
};

} // namespace kern::ir::loop
