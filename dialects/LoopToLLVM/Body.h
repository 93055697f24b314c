//===- Body.h - a kernel as an llvm.func ------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"
#include "dialects/LoopToLLVM/KernelBuilder.h"

namespace kern::loop {

/// The LLVM attribute of a function that is a kernel's body.
inline constexpr llvm::StringLiteral bodyAttribute = "kern-body";

/// How a target lowers what lanes do together.
class GroupLowering {
public:
  virtual ~GroupLowering() = default;
  /// Types of the arguments that the body takes after those of the kernel.
  virtual llvm::SmallVector<mlir::Type> extraArguments(KernelBuilder &) = 0;
  /// Tells the values of those arguments, before any other lowering.
  virtual void begin(mlir::ValueRange extraArguments) = 0;
  virtual mlir::Value lane(KernelBuilder &) = 0;
  virtual mlir::Value groupSize(KernelBuilder &) = 0;
  /// Replaces the operation, which may split its block.
  virtual void combine(KernelBuilder &, CombineOp) = 0;
  virtual void barrier(KernelBuilder &, BarrierOp) = 0;
};

/// Moves the region of a distributed kernel into a new internal function
/// `<symbol>__body` before the kernel. It takes the kernel's arguments in
/// order, an array as its pointer and one stride in bytes for each dimension,
/// then the extra arguments of `group`, then the address of each slot of its
/// local arrays and, if it has checks, of their record, and returns the scalar
/// results: none, one, or a struct of them. Complex numbers become vectors of
/// their two parts. The kernel is left without a body; erase it.
mlir::LLVM::LLVMFuncOp moveBody(KernelOp kernel, Memory memory,
                                GroupLowering &group);

} // namespace kern::loop
