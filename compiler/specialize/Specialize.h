//===- Specialize.h - polymorphic to typed functions ---------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/diagnostics/Diagnostics.h"
#include "compiler/specialize/Inference.h"

#include "mlir/IR/Builders.h"
#include "mlir/Support/LLVM.h"

namespace kern::compiler {

/// On a typed function: for each parameter, the set (DTypeSet::bits) of integer
/// types to which a weak integer argument is converted. Its value must fit
/// them.
inline constexpr llvm::StringLiteral meetsAttribute = "kern.meets";

/// Makes the typed form of a polymorphic function at the builder's insertion
/// point. Its name is the function's with the parameter types: `add__f32_f32`.
///
/// Type errors go to `diagnostics`, with the calls of inlined `def`s and the
/// specialisation as notes. Without `diagnostics` they are MLIR errors.
mlir::FailureOr<ir::FuncOp> specialize(ir::FuncOp func,
                                       const Specialization &request,
                                       mlir::OpBuilder &builder,
                                       DiagnosticEngine *diagnostics);

/// The specialisation for row `index` of the header's `loops`. Fails if a
/// parameter is generic.
std::optional<Specialization> declaredLoop(ir::FuncOp func, size_t index);

/// The specialisation for exactly these argument types. A generic parameter
/// takes its argument's type; an annotated one takes its type in the first row
/// of `loops` that accepts the arguments. Nothing if no row does.
std::optional<Specialization>
specializationFor(ir::FuncOp func, llvm::ArrayRef<runtime::ArgType> arguments);

/// The type that an annotation denotes, given the type variables; nothing
/// without an annotation.
std::optional<runtime::DType>
declaredType(mlir::Attribute type,
             const llvm::StringMap<runtime::DType> &variables);

/// The values of a header's type variables in row `index` of its `loops`.
llvm::StringMap<runtime::DType> loopRow(mlir::ArrayAttr typeVariables,
                                        mlir::ArrayAttr loops, size_t index);

/// True if some parameter has no declared type.
bool isGeneric(ir::FuncOp func);

/// Reports, as remarks, what slows down a typed function and can be changed in
/// its source: integer division by a variable in a loop, and loops that prevent
/// vectorisation on the CPU. Changes nothing.
void remarkOn(ir::FuncOp typed, DiagnosticEngine &diagnostics);

} // namespace kern::compiler
