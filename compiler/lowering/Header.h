//===- Header.h - a function's header ------------------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/modules/ModuleScope.h"

#include "mlir/IR/Builders.h"

namespace kern {

/// A header with its names resolved, as the attributes of a kern.func.
struct Header {
  llvm::SmallVector<mlir::Attribute> parameters; ///< OperandAttr
  llvm::SmallVector<mlir::Attribute> results;    ///< OperandAttr
  /// Core dimensions and `dim` parameters, in order of first appearance.
  llvm::SmallVector<mlir::StringRef> dims;
  /// Those that arrays may lack (`m?`).
  llvm::SmallVector<mlir::StringRef> optionalDims;
  llvm::SmallVector<mlir::StringRef> typeVariables;
  llvm::SmallVector<mlir::Attribute> loops; ///< ArrayAttr of TypeAttr
};

/// Resolves types, type variables and core dimensions, of which the constants
/// of the function's file (`scope`) are sizes. Nothing after an error.
std::optional<Header> lowerHeader(const syntax::Function &function,
                                  mlir::MLIRContext *context,
                                  ModuleScope &scope);

} // namespace kern
