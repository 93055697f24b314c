//===- MarkedWords.h - values in words that blocks exchange -----*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace kern::ir::loop {

/// Blocks that work at the same time exchange words of 64 bits, each of which
/// has 32 bits of a value and a mark: a word that has the mark is there, and a
/// reader needs to wait for nothing else. This is how many words a value takes.
unsigned markedWords(mlir::Type type);

/// The words of a value, as i64.
llvm::SmallVector<mlir::Value> toMarkedWords(mlir::ImplicitLocOpBuilder &b,
                                             mlir::Value value);
/// The inverse.
mlir::Value fromMarkedWords(mlir::ImplicitLocOpBuilder &b, mlir::Type type,
                            llvm::ArrayRef<mlir::Value> words);

} // namespace kern::ir::loop
