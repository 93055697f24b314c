//===- Inference.h - type inference --------------------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Types of the values of a polymorphic function, found by MLIR's dataflow
// solver: our lattice of type sets beside dead-code analysis, so that what
// `if T == f64:` turns away does not take part.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/specialize/TypeSet.h"
#include "dialects/Kern/Kern.h"

#include "mlir/Analysis/DataFlowFramework.h"

#include <memory>

namespace kern {

/// What a function is specialised for.
struct Specialization {
  llvm::StringMap<DType> variables; ///< type variables
  /// The type of each parameter that is not a `dim`, in order.
  llvm::SmallVector<ValueType> parameters;
};

/// The types of a function's values under one specialisation.
class InferredTypes {
public:
  InferredTypes(FuncOp func, const Specialization &request);
  ~InferredTypes();

  /// Nothing for a value that has no type: it is never computed, or what it is
  /// computed from has an error.
  std::optional<ValueType> type(mlir::Value value) const;
  /// A condition that is decided at compile time.
  std::optional<bool> known(mlir::Value condition) const;
  bool isLive(mlir::Block *block) const;

private:
  std::unique_ptr<mlir::DataFlowSolver> solver;
};

} // namespace kern
