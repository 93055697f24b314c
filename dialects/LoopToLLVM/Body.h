//===- Body.h - a kernel as an llvm.func ------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"
#include "dialects/LoopToLLVM/KernelBuilder.h"
#include "dialects/LoopToLLVM/MatrixUnits.h"

namespace kern::ir::loop {

/// The LLVM attribute that marks a kernel's body.
inline constexpr llvm::StringLiteral bodyAttribute = "kern-body";
/// Of a loop.kernel, and of the body in which loops with a constant number of
/// iterations are to be unrolled.
inline constexpr llvm::StringLiteral unrolledAttribute = "loop.unrolled";
/// Of a loop.kernel, and of its body, in which the code generator of a CPU adds
/// no products at once but those with flags (ContractProducts.h).
inline constexpr llvm::StringLiteral productsChosenAttribute =
    "loop.products_chosen";
/// Of a loop.kernel whose reductions are written out (LoopMappings/Unroll.h).
inline constexpr llvm::StringLiteral writtenOutAttribute = "loop.written_out";
/// Of a loop.kernel whose slices add up squares about their own means
/// (LoopMappings/Recentre.h).
inline constexpr llvm::StringLiteral recentredAttribute = "loop.recentred";
/// Of a staged kernel whose warps have few loop elements each
/// (runtime::Mapping::spread), and of the arrays that such a warp has for each
/// loop element, not for each thread.
inline constexpr llvm::StringLiteral spreadAttribute = "loop.spread";

/// Of a loop.kernel whose one loop is a short reduction over chunks: how many
/// arrays it reads.
inline constexpr llvm::StringLiteral arraysReadAttribute = "loop.arrays_read";

/// Of a loop.stage_wait or a loop.await: the number of later ones whose fetches
/// may still be pending. A fetch belongs to the next such wait.
inline constexpr llvm::StringLiteral aheadAttribute = "loop.ahead";

/// The number of what a thread works on among all in its block, and how many
/// there are. As i64.
struct BlockPlace {
  mlir::Value number, count;
};

/// The operands of a loop.stage_in or loop.stage_out. One record, since a group
/// lowers the operation as a whole.
struct Move {
  mlir::Operation *op; ///< the move ends before it; may split its block
  bool isFetch;
  mlir::Type element;
  mlir::Value pointer; ///< of the lane's box
  llvm::SmallVector<mlir::Value> strides, extents;
  mlir::Value tiles; ///< those of the block's threads, `pitch` bytes apart
  mlir::Value pitch;
  mlir::Value at; ///< the first element in a tile
  unsigned size;
  bool isChunked; ///< tiles begin at multiples of the accesses to them
};

/// How a target lowers the operations that the lanes of a group share.
class GroupLowering {
public:
  virtual ~GroupLowering() = default;
  /// The types of the arguments that the body takes after the kernel's.
  virtual llvm::SmallVector<mlir::Type> extraArguments(KernelBuilder &) = 0;
  /// Passes the values of those arguments. Called before any other lowering.
  virtual void begin(mlir::ValueRange extraArguments) = 0;
  virtual mlir::Value lane(KernelBuilder &) = 0;
  virtual mlir::Value groupSize(KernelBuilder &) = 0;
  virtual mlir::Value laneCount(KernelBuilder &) = 0;
  /// Replaces the operation, which may split its block.
  virtual void combine(KernelBuilder &, CombineOp) = 0;
  virtual void barrier(KernelBuilder &, BarrierOp) = 0;
  /// Of a cooperative kernel.
  virtual void publish(KernelBuilder &, PublishOp, mlir::Value /*address*/) {
    llvm_unreachable("this target has no cooperative kernels");
  }
  /// Replaces the operation.
  virtual void awaitWord(KernelBuilder &, AwaitWordOp,
                         mlir::Value /*address*/) {
    llvm_unreachable("this target has no cooperative kernels");
  }
  virtual mlir::Value keep(KernelBuilder &, mlir::Value value) { return value; }
  /// Of a kernel whose lanes share a scan.
  virtual mlir::Value ofLane(KernelBuilder &, OfLaneOp) {
    llvm_unreachable("this target has no warps");
  }
  virtual mlir::Value earlierLane(KernelBuilder &, EarlierLaneOp) {
    llvm_unreachable("this target has no warps");
  }
  /// May split the operation's block.
  virtual mlir::Value ofWarps(KernelBuilder &, OfWarpsOp) {
    llvm_unreachable("this target has no warps");
  }
  /// Replaces the operation.
  virtual void transpose(KernelBuilder &, TransposeOp) {
    llvm_unreachable("this target has no rows of threads");
  }
  /// The address of the block's shared memory, where the arrays lie that are
  /// `shared`.
  virtual mlir::Value sharedMemory(KernelBuilder &) {
    llvm_unreachable("this target has no shared memory");
  }
  /// Of a staged kernel: that of the thread, or of its loop element.
  virtual BlockPlace placeInBlock(KernelBuilder &, bool /*ofElement*/) {
    llvm_unreachable("this target has no shared memory");
  }
  virtual void move(KernelBuilder &, const Move &) {
    llvm_unreachable("this target has no shared memory");
  }
  virtual void waitForStage(KernelBuilder &, StageWaitOp) {
    llvm_unreachable("this target has no shared memory");
  }
  /// Of a kernel with tiles.
  virtual void fetch(KernelBuilder &, FetchOp, mlir::Value /*source*/,
                     mlir::Value /*target*/) {
    llvm_unreachable("this target has no shared memory");
  }
  /// Before the operation, whose source and target are these addresses.
  virtual void fetchPart(KernelBuilder &, FetchPartOp, mlir::Value /*source*/,
                         mlir::Value /*target*/) {
    llvm_unreachable("this target has no shared memory");
  }
  virtual void await(KernelBuilder &, AwaitOp) {
    llvm_unreachable("this target has no shared memory");
  }
  /// Null on a target that has none.
  virtual MatrixUnits *matrixUnits() { return nullptr; }
};

/// The value of an operation that queries a lane or exchanges values among
/// lanes; null for any other.
mlir::Value laneValue(KernelBuilder &b, GroupLowering &group,
                      mlir::Operation &op);

/// Lowers an operation on the parts of complex numbers, and erases it; false
/// for any other. Its operands are vectors already: block arguments are lowered
/// first, then operations in order.
bool lowerComplexParts(KernelBuilder &b, mlir::Operation &op);

/// Moves the region of a distributed kernel into a new internal function
/// `<symbol>__body` in front of the kernel. Its arguments are, in order:
///   1. the kernel's arguments; an array is a pointer and, for each dimension,
///      a stride in bytes;
///   2. the extra arguments of `group`;
///   3. the address of each slot for local arrays;
///   4. the address of the record, if the kernel has checks.
/// It returns the scalar results: none, one, or a struct of them. Complex
/// numbers become vectors of their two parts. The kernel is left without a
/// body; erase it.
mlir::LLVM::LLVMFuncOp moveBody(KernelOp kernel, Memory memory,
                                GroupLowering &group);

} // namespace kern::ir::loop
