//===- StoredTypes.h - arrays of other types than the loop's ----*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Kern/Kern.h"
#include "runtime/array/DType.h"

namespace kern {

/// Makes a typed ufunc take and give elements of these types, one for each
/// parameter and result in order, with the conversions of `kern.cast` around
/// its body. Its symbol says so: `add__f32_f32` becomes
/// `add__f32_f32_of_i16_f32_f32`. No complex type becomes a real one.
void convertOperands(FuncOp func, llvm::ArrayRef<DType> stored);

} // namespace kern
