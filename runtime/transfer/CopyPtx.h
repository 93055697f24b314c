//===- CopyPtx.h - PTX of strided copies ------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The PTX of kernels that copy one strided array to another and convert
// elements as runtime/array/Convert.h says. They run on every GPU from sm_75
// on.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/array/DType.h"

#include <string>

namespace kern::runtime {

/// The largest number of dimensions of a copy kernel.
inline constexpr unsigned maxCopyDims = 6;

/// The variant of a copy kernel.
struct CopyKind {
  DType from = DType::U8, to = DType::U8; ///< complex to complex alone
  unsigned dims = 1;
  bool wide = false;   ///< indexes with 64 bits: more than 2^31 elements
  bool masked = false; ///< copies where an array of bool is true
};

/// "kern_copy_f32_f64_d2", with "w" if wide and "m" if masked after it.
std::string copySymbol(const CopyKind &kind);

/// Version and target, once before any number of kernels.
std::string copyPtxHeader();

/// One entry. Its parameters are 8-byte words: the number of elements, `dims`
/// extents (innermost first), the source's address and `dims` byte strides,
/// the destination's address and `dims` byte strides, and if it is masked the
/// mask's. Launched with any grid of one dimension.
std::string copyPtxKernel(const CopyKind &kind);

} // namespace kern::runtime
