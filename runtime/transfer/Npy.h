//===- Npy.h - NumPy's .npy files -------------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reading and writing of `.npy` (format versions 1, 2 and 3), every element
// type of Kern, C and Fortran order. bf16 is stored as `<V2`, as the packages
// that give NumPy a bf16 do.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/array/StridedView.h"

#include <string>
#include <string_view>

namespace kern::runtime {

/// The contents of a header.
struct NpyHeader {
  DType dtype = DType::F64;
  bool swapBytes = false; ///< the data are big-endian
  bool fortranOrder = false;
  Extents shape;
  size_t dataOffset = 0; ///< bytes before the data
};

/// Parses the head of a file. KERN_ERROR_IO for every malformed or truncated
/// text; KERN_ERROR_TYPE for an element type that Kern lacks. `head` is the
/// file's beginning, or all of it.
Expected<NpyHeader> parseNpyHeader(std::string_view head);

/// The bytes before the data, padded to a multiple of 64.
std::string formatNpyHeader(DType dtype, bool fortranOrder,
                            std::span<const int64_t> shape);

/// Reads a file into a new host array in the file's memory order.
/// KERN_ERROR_NOT_FOUND, KERN_ERROR_IO, KERN_ERROR_TYPE, KERN_ERROR_MEMORY.
Expected<DLManagedTensor *> readNpy(const std::string &path);

/// Writes a host array, through a temporary file beside `path` that is renamed
/// when it is complete. A path that is a device or a pipe is written directly.
Status writeNpy(const std::string &path, const StridedView &array);

} // namespace kern::runtime
