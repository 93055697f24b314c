//===- KernelBuilder.h - code in an llvm.func -------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the bodies of entry points: index arithmetic in 32 or 64 bits (both
// operands of the same width), blocks, and accesses to elements. Folds as it
// builds.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace kern::ir::loop {

/// How a target addresses memory.
struct Memory {
  unsigned addressSpace = 0;
  /// Whether elements are aligned to their size.
  bool isAligned = true;
  /// Where tables of constants lie.
  unsigned constantSpace = 0;
};

/// The type of an element in memory: i8 for i1, a vector of two parts for a
/// complex number, else the element's own.
mlir::Type storedType(mlir::Type element);
/// The type of an element as a value in an llvm.func: a vector of two parts for
/// a complex number, else the element's own.
mlir::Type valueType(mlir::Type element);
/// The size of an element in memory, in bytes.
unsigned storedSize(mlir::Type element);
/// The number of 64-bit words that hold a scalar
/// (docs/explanation/kernel-abi.md).
unsigned wordCount(mlir::Type element);

/// Where a kernel calls its body. A body that stays a function is inlined where
/// most elements are, if that is not too much code (an inline hint); a body
/// that is inlined stays a call where few elements are (noinline).
enum class CallPlace { Usual, OfMost, OfFew };

/// Appends operations of entry points and bodies. One class, since a builder
/// has a method for each operation.
class KernelBuilder : public mlir::ImplicitLocOpBuilder {
public:
  using Predicate = mlir::arith::CmpIPredicate;

  KernelBuilder(mlir::Location location, mlir::MLIRContext *context,
                Memory memory)
      : ImplicitLocOpBuilder(location, context), memory(memory) {}

  mlir::Type pointerType() {
    return mlir::LLVM::LLVMPointerType::get(getContext(), memory.addressSpace);
  }

  unsigned constantSpace() const { return memory.constantSpace; }

  mlir::Value i64(int64_t value);
  mlir::Value i32(int32_t value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  /// Unsigned; `b` is not 0.
  mlir::Value div(mlir::Value a, mlir::Value b);
  mlir::Value rem(mlir::Value a, mlir::Value b);
  mlir::Value bitAnd(mlir::Value a, mlir::Value b);
  mlir::Value bitOr(mlir::Value a, mlir::Value b);
  mlir::Value compare(Predicate predicate, mlir::Value a, mlir::Value b);
  /// The smaller of two unsigned values.
  mlir::Value least(mlir::Value a, mlir::Value b);
  /// Zero extension to i64.
  mlir::Value widen(mlir::Value value);
  /// Sign extension to i64.
  mlir::Value widenSigned(mlir::Value value);
  /// The low half of an i64.
  mlir::Value narrow(mlir::Value value);

  /// Adds a block at the end of the function that is being built.
  mlir::Block *block(mlir::TypeRange arguments = {});
  void branch(mlir::Block *to, mlir::ValueRange values = {});
  void branch(mlir::Value condition, mlir::Block *yes, mlir::Block *no,
              mlir::ValueRange yesValues = {}, mlir::ValueRange noValues = {});
  /// Continues at the end of a block.
  void at(mlir::Block *block) { setInsertionPointToEnd(block); }

  /// `pointer` moved by `bytes`.
  mlir::Value offset(mlir::Value pointer, mlir::Value bytes);
  /// `&((type *)pointer)[index]`.
  mlir::Value element(mlir::Value pointer, mlir::Type type, mlir::Value index);
  /// A pointer as an i64.
  mlir::Value addressOf(mlir::Value pointer);
  /// Loads or stores one element; an i1 is a byte.
  mlir::Value load(mlir::Type element, mlir::Value address);
  void store(mlir::Value value, mlir::Value address);
  /// Converts an element from and to its type in memory.
  mlir::Value fromStored(mlir::Type element, mlir::Value stored);
  mlir::Value toStored(mlir::Value value);
  /// The element whose bits are in the low bytes of a word, or in two words.
  mlir::Value fromWords(mlir::Type element, llvm::ArrayRef<mlir::Value> words);

  /// The address of the record of checks; null if the kernel has none.
  mlir::Value record;
  /// Calls a kernel's body, with the record as the last argument if there is
  /// one, and returns its results.
  llvm::SmallVector<mlir::Value> call(mlir::LLVM::LLVMFuncOp body,
                                      mlir::ValueRange arguments,
                                      CallPlace place = CallPlace::Usual);
  void ret() { mlir::LLVM::ReturnOp::create(*this, mlir::ValueRange()); }

private:
  Memory memory;
};

} // namespace kern::ir::loop
