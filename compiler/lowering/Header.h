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

//===--- @associative(identity=V) (Associative.cpp) -----------------------===//
/// The value V of a function's `@associative(identity=V)`; null if it has none.
const syntax::Expr *identityOf(const syntax::Function &function);

/// Checks a function with `@associative`, of which `header` has the results as
/// well: it is a ufunc of two values of one type that gives a third one
/// (K0224), and its identity is a constant that each of its loops can take
/// (K0302, K0316). False after an error; true without the decorator.
bool checkAssociative(const syntax::Function &function, const Header &header,
                      ModuleScope &scope);

//===--- Between Header.cpp and WhereClauses.cpp --------------------------===//
/// Fills the type variables and loops of `header` from the function's `where`
/// clauses; reports what these have wrong.
void lowerWhere(const syntax::Function &function, mlir::Builder &builder,
                DiagnosticEngine &diagnostics, Header &header);

/// Reports type variables that no parameter or result has: they make loops that
/// a call cannot tell apart.
void requireUses(const syntax::Function &function,
                 DiagnosticEngine &diagnostics);

/// Reports a name that is no type, in a header with these type variables.
void reportUnknownType(const syntax::Identifier &name,
                       llvm::ArrayRef<llvm::StringRef> variables,
                       DiagnosticEngine &diagnostics);

} // namespace kern
