//===- ElementTypes.h - Kern's element types as MLIR types ------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "mlir/IR/Types.h"
#include "runtime/array/DType.h"

#include <optional>

namespace kern::ir {

/// bool is i1; i8 is si8 and u8 is ui8; c64 is complex<f32>.
mlir::Type toType(mlir::MLIRContext *context, runtime::DType dtype);
std::optional<runtime::DType> toDType(mlir::Type type);

/// Whether an integer type can represent `value`, given in two's complement.
bool holdsInteger(runtime::DType type, const llvm::APInt &value);

} // namespace kern::ir
