//===- Header.h - a function's header ------------------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/modules/ModuleScope.h"

#include "mlir/IR/Builders.h"

namespace kern::compiler {

/// A header with its names resolved, as the attributes of a kern.func.
struct Header {
  llvm::SmallVector<mlir::Attribute> parameters; ///< OperandAttr
  llvm::SmallVector<mlir::Attribute> results;    ///< OperandAttr
  /// Core dimensions and `dim` parameters, in the order of their first use.
  llvm::SmallVector<mlir::StringRef> dims;
  /// The core dimensions that arrays may lack (`m?`).
  llvm::SmallVector<mlir::StringRef> optionalDims;
  llvm::SmallVector<mlir::StringRef> typeVariables;
  llvm::SmallVector<mlir::Attribute> loops; ///< ArrayAttr of TypeAttr
};

/// Resolves types, type variables and core dimensions; constants of the
/// function's file (`scope`) may be sizes. Nothing after an error.
std::optional<Header> lowerHeader(const syntax::Function &function,
                                  mlir::MLIRContext *context,
                                  ModuleScope &scope);

/// The types that an annotation takes in a header's loops; none if it is open.
runtime::DTypeSet typesOf(mlir::Attribute annotation, const Header &header);

//===--- Defaults.cpp -----------------------------------------------------===//
/// The defaults of the parameters, as `kern.defaults` has them; null if there
/// are none, nothing after an error (K0156).
std::optional<mlir::Attribute> lowerDefaults(const syntax::Function &function,
                                             const Header &header,
                                             mlir::Builder &builder,
                                             ModuleScope &scope);

/// The type that the default of a parameter has because the header declares it,
/// `k: i32 = 2`. Nothing for one that stays as it is: the header declares a
/// type variable or no type, the constant has a type of its own, or a weak
/// number counts as this type anyway.
std::optional<runtime::DType> declaredType(const NamedConstant &constant,
                                           const syntax::Parameter &parameter,
                                           const syntax::Function &function);

//===--- @associative(identity=V) (Associative.cpp) -----------------------===//
/// The value V in `@associative(identity=V)`; null without the decorator.
const syntax::Expr *identityOf(const syntax::Function &function);

/// Checks a function with `@associative`, whose `header` is complete. It must
/// be a ufunc from two values to one, all of one type (K0224), and its identity
/// a constant of the types of all its loops (K0302, K0316). False after an
/// error; true without the decorator.
bool checkAssociative(const syntax::Function &function, const Header &header,
                      ModuleScope &scope);

//===--- Between Header.cpp and WhereClauses.cpp --------------------------===//
/// Sets the type variables and loops of `header` from the function's `where`
/// clauses; reports errors in them.
void lowerWhere(const syntax::Function &function, mlir::Builder &builder,
                DiagnosticEngine &diagnostics, Header &header);

/// Reports type variables that no parameter or result uses: no call could tell
/// their loops apart.
void requireUses(const syntax::Function &function,
                 DiagnosticEngine &diagnostics);

/// Reports a name that is not a type, in a header with these type variables.
void reportUnknownType(const syntax::Identifier &name,
                       llvm::ArrayRef<llvm::StringRef> variables,
                       DiagnosticEngine &diagnostics);

} // namespace kern::compiler
