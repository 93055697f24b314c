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

namespace kern {
/// A unit attribute of a kern.func: its header has `@fastmath`.
inline constexpr llvm::StringLiteral fastmathAttribute = "kern.fastmath";

/// Likewise: that every element of its array results is written is checked.
inline constexpr llvm::StringLiteral checkResultsAttribute =
    "kern.check_results";
/// Likewise: that iterations of its pranges keep apart is checked.
inline constexpr llvm::StringLiteral checkRacesAttribute = "kern.check_races";

/// Open, or one of the builtin types that stand for Kern's element types.
bool isScalar(mlir::Type type);
} // namespace kern

#include "dialects/Kern/KernDialect.h.inc"

#include "dialects/Kern/KernEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/Kern/KernTypes.h.inc"
namespace kern {
/// How many names and numbers the expression of an extent may have where it is
/// computed in a function's body. Written out, an expression can be very much
/// longer than the statements that make it.
inline constexpr unsigned maxDimTerms = 1000;

/// The token of a dimension's name in reverse Polish notation: names that are
/// operators there have a `$` before them.
std::string dimToken(llvm::StringRef name);

/// The scalar function of two integers that an operator of dimensions is, and
/// the operator that a scalar function is, if it is one.
ScalarFunction scalarFunctionOf(DimKind kind);
std::optional<DimKind> dimOperator(ScalarFunction function);
} // namespace kern

#define GET_ATTRDEF_CLASSES
#include "dialects/Kern/KernAttrs.h.inc"
#define GET_OP_CLASSES
#include "dialects/Kern/KernOps.h.inc"

namespace kern {
/// `n - k + 1`, as #kern.dim<…> and the operands of kern.func have it. Null
/// after an error, which is reported.
DimExprAttr parseDimExpr(mlir::AsmParser &parser);
void printDimExpr(mlir::AsmPrinter &printer, DimExprAttr expr);
} // namespace kern
