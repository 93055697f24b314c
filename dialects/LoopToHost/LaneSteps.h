//===- LaneSteps.h - values that advance from lane to lane ------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include <optional>

namespace kern::ir::loop {

/// How much larger a value is where a counter is larger by 1, if that is the
/// same everywhere. `isFixed` tells of values that do not depend on the
/// counter.
std::optional<int64_t> stepAlong(mlir::Value counter, mlir::Value value,
                                 llvm::function_ref<bool(mlir::Value)> isFixed);

/// The same of the bytes of an address.
std::optional<int64_t>
addressStep(mlir::Value counter, mlir::Value address,
            llvm::function_ref<bool(mlir::Value)> isFixed);

} // namespace kern::ir::loop
