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

namespace kern {

/// On a typed function: for each parameter the set (DTypeSet::bits) of integer
/// types that the value of a weak integer converts to and must fit.
inline constexpr llvm::StringLiteral meetsAttribute = "kern.meets";

/// Makes the typed form of a polymorphic function, at the builder's place. Its
/// name is the function's with the parameters' types: `add__f32_f32`.
///
/// Type errors go to `diagnostics`, with the calls of inlined `def`s and the
/// specialisation as notes; without one they are emitted as MLIR's own.
mlir::FailureOr<FuncOp> specialize(FuncOp func, const Specialization &request,
                                   mlir::OpBuilder &builder,
                                   DiagnosticEngine *diagnostics);

/// The specialisation of a header's loop: row `index` of its `loops`. Fails
/// if a parameter is generic.
std::optional<Specialization> declaredLoop(FuncOp func, size_t index);

/// The specialisation for exactly these argument types; a generic parameter
/// takes its argument's type, an annotated one that of the first row of
/// `loops` that takes the arguments. Nothing if no row does.
std::optional<Specialization>
specializationFor(FuncOp func, llvm::ArrayRef<ArgType> arguments);

/// The type that an annotation means under values of the type variables;
/// nothing where none was written.
std::optional<DType> declaredType(mlir::Attribute type,
                                  const llvm::StringMap<DType> &variables);

/// The values of a header's type variables in row `index` of its `loops`.
llvm::StringMap<DType> loopRow(mlir::ArrayAttr typeVariables,
                               mlir::ArrayAttr loops, size_t index);

/// True if some parameter has no declared type.
bool isGeneric(FuncOp func);

/// Reports, as remarks, what costs a typed function speed and can be changed in
/// its source: integer divisions by a variable in a loop, and loops that keep
/// the CPU from computing several elements at once. Changes nothing.
void remarkOn(FuncOp typed, DiagnosticEngine &diagnostics);

} // namespace kern
