//===- PartCopy.h - copies of a scan's parts --------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace kern::ir::loop {

/// Emits a copy of a region that ends with loop.give, and gives what that has,
/// values of the types `given`. New blocks are placed before `after`, and the
/// builder continues in the last of them.
llvm::SmallVector<mlir::Value>
copyPart(mlir::ImplicitLocOpBuilder &b, mlir::Region &part,
         mlir::ValueRange arguments, mlir::TypeRange given, mlir::Block *after);

} // namespace kern::ir::loop
