//===- LaneTransfer.h - core elements to and from vectors -------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToHost/GufuncCall.h"

namespace kern::ir::loop {

int64_t elementsOf(llvm::ArrayRef<int64_t> shape);
/// The strides, in bytes, of an array without gaps.
llvm::SmallVector<int64_t> denseStrides(mlir::Type element,
                                        llvm::ArrayRef<int64_t> shape);

/// Moves the core elements of a vector of loop elements: each core element is a
/// vector, with a lane for each loop element. Where loop elements lie one after
/// the other, without gaps, memory is read and written in whole vectors, which
/// are put in order in registers. Otherwise lanes are gathered and scattered.
class LaneTransfer {
public:
  /// For the loop elements from `first` on, of `count`. Lanes beyond the last
  /// loop element stand for it too.
  LaneTransfer(KernelBuilder &b, unsigned lanes, mlir::Value first,
               mlir::Value count);

  /// Memory of the function for an operand's vectors, one after the other.
  static mlir::Value place(KernelBuilder &b, mlir::Type element,
                           llvm::ArrayRef<int64_t> shape, unsigned lanes);
  void fill(mlir::Value place, const GufuncOperand &operand,
            llvm::ArrayRef<int64_t> shape);
  void drain(mlir::Value place, const GufuncOperand &operand,
             llvm::ArrayRef<int64_t> shape);
  /// Of an operand without core dimensions.
  mlir::Value loadNumber(const GufuncOperand &operand);
  void storeNumber(mlir::Value vector, const GufuncOperand &operand);
  /// The offsets of the lanes' elements of an operand, in bytes.
  mlir::Value offsetsOf(const GufuncOperand &operand);

private:
  mlir::VectorType vectorOf(mlir::Type element);
  mlir::Value splat(mlir::Value value);
  mlir::Value isDense(const GufuncOperand &operand,
                      llvm::ArrayRef<int64_t> shape);
  mlir::Value denseAddress(const GufuncOperand &operand);
  /// Where each lane's part of the core element with a number lies.
  mlir::Value pointersOf(const GufuncOperand &operand,
                         llvm::ArrayRef<int64_t> shape, int64_t number);
  mlir::Value allLanes();
  llvm::SmallVector<mlir::Value> load(const GufuncOperand &operand,
                                      llvm::ArrayRef<int64_t> shape);
  void store(llvm::ArrayRef<mlir::Value> vectors, const GufuncOperand &operand,
             llvm::ArrayRef<int64_t> shape);

  KernelBuilder &b;
  unsigned lanes;
  mlir::Value first, isFull, indices;
};

} // namespace kern::ir::loop
