//===- Kern.h - the kern dialect --------------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Kern/ScalarFunctions.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <string>

namespace kern::ir {
/// A unit attribute of a kern.func: its header has `@fastmath`.
inline constexpr llvm::StringLiteral fastmathAttribute = "kern.fastmath";
/// On kern.func: the text of V in `@associative(identity=V)`.
inline constexpr llvm::StringLiteral identityAttribute = "kern.identity";
/// On kern.func: for each parameter its default, [text, type, value], or unit.
/// The type is unit for a weak number; the value is as in kern.constant.
inline constexpr llvm::StringLiteral defaultsAttribute = "kern.defaults";

/// Likewise: check that every element of its array results is written.
inline constexpr llvm::StringLiteral checkResultsAttribute =
    "kern.check_results";
/// Likewise: check that the iterations of its pranges are independent.
inline constexpr llvm::StringLiteral checkRacesAttribute = "kern.check_races";
/// On kern.constant: it is the number of an array, among those of which a
/// condition chooses one. On an `equal` of kern.apply: it is asked only where
/// the array is none of those with lower numbers.
inline constexpr llvm::StringLiteral arrayNumberAttribute = "kern.array_number";

/// True for `!kern.open` and for the builtin type of each element type.
bool isScalar(mlir::Type type);
} // namespace kern::ir

#include "dialects/Kern/KernDialect.h.inc"

#include "dialects/Kern/KernEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/Kern/KernTypes.h.inc"
namespace kern::ir {
/// The limit of names and numbers in the expression of an extent that a
/// function's body computes. Expanded, the expression can be far longer than
/// the statements that compute it.
inline constexpr unsigned maxDimTerms = 1000;

/// The token of a dimension's name in reverse Polish notation. A name that is
/// an operator there gets a `$` in front.
std::string dimToken(llvm::StringRef name);

/// The scalar function that computes an operator of dimensions, and the
/// operator that a scalar function computes, if any.
ScalarFunction scalarFunctionOf(DimKind kind);
std::optional<DimKind> dimOperator(ScalarFunction function);
} // namespace kern::ir

#define GET_ATTRDEF_CLASSES
#include "dialects/Kern/KernAttrs.h.inc"
#define GET_OP_CLASSES
#include "dialects/Kern/KernOps.h.inc"

namespace kern::ir {
/// Parses `n - k + 1`, as written in #kern.dim<…> and in the operands of
/// kern.func. Reports an error and returns null.
DimExprAttr parseDimExpr(mlir::AsmParser &parser);
void printDimExpr(mlir::AsmPrinter &printer, DimExprAttr expr);

/// The array of which an operation reads or writes an element; null for any
/// other operation.
mlir::Value accessedArray(mlir::Operation *op);
} // namespace kern::ir
