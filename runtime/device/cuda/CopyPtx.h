//===- CopyPtx.h - PTX of strided copies ------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes the text of kernels that copy a strided array to another one and
// convert its elements as runtime/array/Convert.h says. They run on every GPU
// from sm_75 on.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/array/DType.h"

#include <string>

namespace kern::cuda {

/// The most dimensions that a copy kernel walks over.
inline constexpr unsigned maxCopyDims = 6;

/// "kern_copy_f32_f64_d2": `wide` kernels index with 64 bits and take more
/// than 2^31 elements.
std::string copySymbol(DType from, DType to, unsigned dims, bool wide);

/// Version and target, once before any number of kernels.
std::string copyPtxHeader();

/// One entry. Its parameters are 8-byte words: the number of elements, `dims`
/// extents (innermost first), the source's address and `dims` byte strides,
/// the destination's address and `dims` byte strides. Launched with any grid
/// of one dimension. `from` must not be complex when `to` is not.
std::string copyPtxKernel(DType from, DType to, unsigned dims, bool wide);

} // namespace kern::cuda
