//===- RandomArrays.h - arrays to measure with ------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/artefact/Manifest.h"
#include "runtime/error/Expected.h"
#include "tools/kern/values/Handles.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kern::cli {

/// An array to be made: "f32[1024,1024]".
struct ArrayShape {
  runtime::DType dtype;
  std::vector<int64_t> shape;
  bool operator==(const ArrayShape &) const = default;
};

/// Reads "1024", "1024,1024" or "1024x1024". Every extent is at least 1, and
/// their product below 2^62. KERN_ERROR_ARGUMENT says what is wrong.
runtime::Expected<std::vector<int64_t>> parseShape(std::string_view text);

/// Whether a text is meant as an array, "T[SHAPE]".
bool looksLikeArray(std::string_view text);
/// Reads such a text. KERN_ERROR_ARGUMENT.
runtime::Expected<ArrayShape> parseArray(std::string_view text);

/// The arrays that the function is given when only shapes are named: one for
/// each input. `shapes` and `types` have one entry for all inputs or one for
/// each; without `types`, the first declared loop's, or f32 of a generic
/// function. KERN_ERROR_ARGUMENT if their number does not match the inputs, or
/// for a `dim` parameter.
runtime::Expected<std::vector<ArrayShape>>
arraysFor(const runtime::FunctionInfo &function,
          const std::vector<std::vector<int64_t>> &shapes,
          const std::vector<runtime::DType> &types);

/// A C-contiguous array of random numbers, the same on every run: floats and
/// both parts of complex numbers in [0.25, 1.25), integers in 0 … 99, bools.
runtime::Expected<Array> randomArray(const ArrayShape &array,
                                     kern_device device);

/// Bytes of all elements of an array.
double bytesOf(const DLTensor &array);

} // namespace kern::cli
