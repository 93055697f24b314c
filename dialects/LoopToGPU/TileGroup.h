//===- TileGroup.h - the threads of a tile ----------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToGPU/Group.h"

namespace kern::ir::loop {

/// The threads of a block for tiles of a kernel: whole groups.
unsigned tileBlock(KernelOp kernel);

/// A group of a constant number of threads, in one warp or a whole block, that
/// share memory. Copies are asynchronous from sm_80 on, for elements of 4, 8
/// and 16 bytes.
class TileGroup : public GpuGroup, private MatrixUnits {
public:
  TileGroup(KernelOp kernel, unsigned computeCapability);
  void barrier(KernelBuilder &b, BarrierOp op) override;
  mlir::Value sharedMemory(KernelBuilder &b) override;
  void fetch(KernelBuilder &b, FetchOp op, mlir::Value source,
             mlir::Value target) override;
  void fetchPart(KernelBuilder &b, FetchPartOp op, mlir::Value source,
                 mlir::Value target) override;
  void await(KernelBuilder &b, AwaitOp op) override;
  MatrixUnits *matrixUnits() override { return this; }

private:
  // From sm_80 on (Matrices.cpp).
  Values loadMatrices(KernelBuilder &b, LoadMatricesOp op,
                      mlir::Value address) override;
  Values multiply(KernelBuilder &b, MultiplyMatricesOp op) override;
  // Of sm_90a (Warpgroups.cpp).
  void fenceShared(KernelBuilder &b, FenceSharedOp op) override;
  Values startProduct(KernelBuilder &b, StartProductOp op, mlir::Value left,
                      mlir::Value right) override;
  Values awaitProduct(KernelBuilder &b, AwaitProductOp op) override;

  std::string symbol; ///< of the shared memory
  unsigned threads, block, bytes, computeCapability;
  bool isAsynchronous;
  bool hasWarpgroups = false; ///< it multiplies by four warps together
};

} // namespace kern::ir::loop
