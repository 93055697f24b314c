//===- Operands.h - operands of an entry point ------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parameters of a ufunc's entry point: words about the loop; for each input
// its pointer, its value and, in some forms, strides; for each output and the
// mask its pointer and, in some forms, strides
// (docs/explanation/kernel-abi.md).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToLLVM/KernelBuilder.h"
#include "dialects/LoopToLLVM/KernelFacts.h"

namespace kern::ir::loop {

/// The number of loop dimensions that a kernel takes.
inline constexpr unsigned loopRank = 6;

/// One operand of a ufunc's entry point.
struct EntryOperand {
  mlir::Type element;
  mlir::Value pointer;
  llvm::SmallVector<mlir::Value> words; ///< the value of an input
  mlir::Value isScalar; ///< i1: the value is used; null if not an input
  /// A range: the pointer is its first number, the value its step, and strides
  /// count positions.
  bool isRange = false;
  llvm::SmallVector<mlir::Value> strides; ///< in bytes, i32, innermost first
};

/// The numbers of words of an entry point.
struct ParameterCounts {
  unsigned loop = 0;    ///< before the operands; the last one has the flags
  unsigned strides = 0; ///< for each operand
};

/// The number of a range at an address, which is its pointer moved by as many
/// bytes as the position.
mlir::Value numberAt(KernelBuilder &b, const EntryOperand &range,
                     mlir::Value address);

/// The types of all parameters.
llvm::SmallVector<mlir::Type> parameterTypes(KernelBuilder &b,
                                             const KernelFacts &kernel,
                                             ParameterCounts counts);

/// The parameters of a function with these types.
struct Parameters {
  Parameters(KernelBuilder &b, const KernelFacts &kernel,
             ParameterCounts counts, mlir::ValueRange arguments);

  llvm::SmallVector<mlir::Value> loop;
  /// Inputs, outputs, and the mask if there is one.
  llvm::SmallVector<EntryOperand> operands;
  unsigned inputCount, outputCount;

  llvm::MutableArrayRef<EntryOperand> inputs() {
    return llvm::MutableArrayRef(operands).take_front(inputCount);
  }
  llvm::MutableArrayRef<EntryOperand> outputs() {
    return llvm::MutableArrayRef(operands).slice(inputCount, outputCount);
  }
};

} // namespace kern::ir::loop
