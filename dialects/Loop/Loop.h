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

namespace kern::ir::loop {

/// True for the types that an array holds and a kernel takes and returns: i1,
/// i8 … i64, f16, bf16, f32, f64, complex<f32> and complex<f64>.
bool isElement(mlir::Type type);

/// An attribute of a ufunc's kernel: its GPU entry points take one more array,
/// a mask of bool, and write results only where it is true.
inline constexpr llvm::StringLiteral maskedAttribute = "loop.masked";

/// An attribute of a ufunc's kernel, an integer with a bit for each input: in
/// its GPU entry points these are ranges, which are computed.
inline constexpr llvm::StringLiteral rangesAttribute = "loop.ranges";

/// An attribute of a ufunc's kernel: it was a gufunc whose iterations became
/// loop elements.
inline constexpr llvm::StringLiteral flattenedAttribute = "loop.flattened";
/// The number of the phase of the body that is left.
inline constexpr llvm::StringLiteral phaseAttribute = "loop.phase";

/// An attribute of a kernel whose items are computed in tiles.
inline constexpr llvm::StringLiteral tileAttribute = "loop.tile";

/// An attribute of a loop.reduce: lanes take one iteration at a time.
inline constexpr llvm::StringLiteral unchunkedAttribute = "loop.unchunked";

/// An attribute of a loop.reduce that is a plain sum: it mostly has no
/// iterations, and all threads agree whether it has some.
inline constexpr llvm::StringLiteral mostlyEmptyAttribute = "loop.mostly_empty";
/// An attribute of a loop.reduce whose result lane 0 alone uses.
inline constexpr llvm::StringLiteral toFirstAttribute = "loop.to_first";
/// An attribute of a loop.fetch: it copies so many neighbouring elements.
inline constexpr llvm::StringLiteral fetchedElements = "loop.elements";

/// Attributes of a loop.load and a loop.store: constants to add to their
/// indices; and that elements are contiguous along the last dimension.
inline constexpr llvm::StringLiteral offsetAttribute = "loop.offset";
inline constexpr llvm::StringLiteral denseAttribute = "loop.dense";

/// True for the kinds whose result is a position.
inline bool isArg(ReduceKind kind) { return kind >= ReduceKind::ArgSMin; }

/// Whether a reduction carries the position of its extremum. The arg_ kinds
/// return the position. Extrema of complex numbers need it to find the first
/// of several NaN.
bool carriesPosition(ReduceKind kind, mlir::Type type);

} // namespace kern::ir::loop
