//===- Loop.h - the loop dialect --------------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/Loop/LoopDialect.h.inc"
#include "dialects/Loop/LoopEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/Loop/LoopTypes.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Loop/LoopAttrs.h.inc"

#define GET_OP_CLASSES
#include "dialects/Loop/LoopOps.h.inc"

namespace kern::loop {

/// What an array can hold and a kernel can take or return: i1, i8 … i64, f16,
/// bf16, f32, f64, and complex numbers of the last two.
bool isElement(mlir::Type type);

/// On a ufunc's kernel: its entry points for GPUs take one more array, of bool,
/// and write results where that is true.
inline constexpr llvm::StringLiteral maskedAttribute = "loop.masked";

/// True for the kinds whose result is a position.
inline bool isArg(ReduceKind kind) { return kind >= ReduceKind::ArgSMin; }

/// Whether a reduction of values of a type carries the place of its extremum:
/// the arg_ kinds, whose result it is, and extrema of complex numbers, where
/// the first of several NaN is to be found.
bool carriesPosition(ReduceKind kind, mlir::Type type);

} // namespace kern::loop
