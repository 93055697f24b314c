//===- Product.h - products of matrices on the CPU --------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A gufunc that is a product of matrices (LoopMappings/PlainProduct.h) has code
// of its own on the CPU. Blocks of six rows and one vector of columns are
// summed up in registers, each result in the order of the sum: the bits do not
// depend on strides, on blocks, or on threads.
//
// What an iteration computes of its sum, `max(sum(…) + bias[j], 0)`, is the
// rest: the kernel's body, which reads the sums where the result will be.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/LoopToHost/GufuncCall.h"

#include "mlir/IR/BuiltinAttributes.h"

namespace kern::ir::loop {

/// The indices of a product: each runs over a dimension of the function.
struct ProductFacts {
  /// The first three indices. Those of batches follow.
  enum Index : unsigned { Row, Column, Sum, indices };
  /// An operand, and for each index which of the operand's core dimensions it
  /// runs along; -1: none.
  struct Term {
    int64_t operand = 0;
    llvm::SmallVector<int64_t> dimensions;
  };
  Term left, right, result;
  /// For each index the number of its dimension; -1: a product without rows.
  llvm::SmallVector<int64_t> extents;
};

/// The attribute of a loop.kernel: its ProductFacts. Its body is the rest.
inline constexpr llvm::StringLiteral productAttribute = "loop.product";
/// Of such a kernel that has a rest: its last dimensions are the bounds of a
/// span of rows and of one of columns, which the rest runs over.
inline constexpr llvm::StringLiteral restAttribute = "loop.rest";

/// Takes the product out of the body of a kernel that is one of f32 or f64,
/// with columns and over whole dimensions, and gives it the attributes. Returns
/// whether it is one.
bool takeProduct(KernelOp kernel);

/// What takeProduct() found; nothing for another kernel.
std::optional<ProductFacts> productOf(KernelOp kernel);

/// Adds the local array that emitProduct() packs columns into.
void addPackedColumns(KernelOp kernel, const ProductFacts &product);

/// The columns that a block has: a vector of 64 bytes.
unsigned productColumns(mlir::Type element);

/// The body of a product's rest; null without one.
struct ProductRest {
  mlir::LLVM::LLVMFuncOp body;
  mlir::LLVM::LLVMFuncOp unit; ///< the same for unit strides
};

/// Emits the entry point of a product. The kernel's last two dimensions, before
/// the bounds for its rest, are its part and the number of parts
/// (LoopToHost.h).
void emitProduct(KernelBuilder &b, const KernelFacts &kernel,
                 const ProductFacts &product, ProductRest rest);

} // namespace kern::ir::loop
