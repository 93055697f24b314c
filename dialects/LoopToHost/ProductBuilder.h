//===- ProductBuilder.h - functions of a product of matrices ----*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToLLVM/KernelBuilder.h"

namespace kern::ir::loop {

/// The rows of a block. With one vector of 64 bytes for each, sums fill twelve
/// of AVX2's sixteen registers.
inline constexpr int64_t productRows = 6;
/// The columns of the blocks that a wide one does not fit into.
inline constexpr unsigned narrowColumns = 4;

/// A matrix in memory. Steps are in bytes.
struct MatrixView {
  mlir::Value start, row, column;
};

/// Makes the functions that compute a product of matrices of `element`, each
/// once: a block of results, the packing of columns, and a row of results.
class ProductBuilder {
public:
  ProductBuilder(KernelBuilder &b, mlir::Type element, std::string name)
      : b(b), element(element), name(std::move(name)) {}

  KernelBuilder &b;

  int64_t size() const { return storedSize(element); }
  /// Calls a function that computes a block of up to `productRows` rows and
  /// `lanes` columns of `out`. The right matrix has vectors of `lanes` columns,
  /// whatever `columns` is.
  void block(unsigned lanes, const MatrixView &left, const MatrixView &right,
             const MatrixView &out, mlir::Value rows, mlir::Value columns,
             mlir::Value depth);
  /// Calls a function that copies `columns` columns of `matrix` to `packed`,
  /// with `lanes` places for each row. The last one repeats.
  void pack(unsigned lanes, const MatrixView &matrix, mlir::Value columns,
            mlir::Value depth, mlir::Value packed);
  /// Calls a function that computes `columns` results of one row, a multiple of
  /// the lanes, from rows of columns that are neighbours.
  void row(unsigned lanes, const MatrixView &left, const MatrixView &right,
           mlir::Value out, mlir::Value columns, mlir::Value depth);

  using Values = llvm::SmallVector<mlir::Value>;
  using Body = llvm::function_ref<Values(mlir::Value, mlir::ValueRange)>;
  /// Emits `for (i = from; i < to; i += step) values = body(i, values)`, and
  /// returns the last values.
  Values loop(mlir::Value from, mlir::Value to, int64_t step,
              mlir::ValueRange initial, Body body);
  /// Continues in a block behind `yes` and `no`.
  void either(mlir::Value condition, llvm::function_ref<void()> yes,
              llvm::function_ref<void()> no);

private:
  mlir::Type vector(unsigned lanes) const {
    return mlir::VectorType::get({int64_t(lanes)}, element);
  }
  mlir::Value load(mlir::Type type, mlir::Value address);
  void store(mlir::Value value, mlir::Value address);
  mlir::Value splat(mlir::Value number, unsigned lanes);
  /// The address of an element.
  mlir::Value at(const MatrixView &matrix, mlir::Value row, mlir::Value column);
  /// Emits a function of this name before the kernel, unless there is one, and
  /// calls it. A value is passed on as an argument of its type.
  void call(llvm::StringRef function, unsigned lanes, mlir::ValueRange values,
            llvm::function_ref<void(mlir::ValueRange)> emit);

  void emitBlock(unsigned lanes, mlir::ValueRange arguments);
  void emitPack(unsigned lanes, mlir::ValueRange arguments);
  void emitRow(unsigned lanes, mlir::ValueRange arguments);

  mlir::Type element;
  std::string name;
};

} // namespace kern::ir::loop
