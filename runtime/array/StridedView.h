//===- StridedView.h - an array that belongs to someone ---------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A view of an array in host or device memory: what a DLTensor says, checked,
// with strides in bytes.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/array/DType.h"
#include "runtime/error/Expected.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace kern {

/// Extents or strides, outermost first unless said otherwise.
using Extents = std::vector<int64_t>;

/// NumPy's limit on the number of dimensions.
inline constexpr int maxDimensions = 64;

/// True for memory that the CPU reads directly (pinned memory included).
bool isHost(DLDevice device);
inline DLDevice hostDevice() { return {kDLCPU, 0}; }
inline bool sameDevice(DLDevice a, DLDevice b) {
  return a.device_type == b.device_type && a.device_id == b.device_id;
}
/// "cpu", "cuda:0".
std::string text(DLDevice device);
/// "(4, 3)", "(3,)", "()".
std::string text(std::span<const int64_t> shape);

struct StridedView {
  DType dtype = DType::F64;
  std::byte *data = nullptr; ///< of the element at index 0, 0, …
  DLDevice device = {kDLCPU, 0};
  Extents shape;
  Extents strides; ///< in bytes, as many as `shape`

  size_t rank() const { return shape.size(); }
  int64_t count() const;
  /// True where data and strides are multiples of the element's size.
  bool isAligned() const;
};

/// The number of elements; nothing if it does not fit 63 bits.
std::optional<int64_t> checkedCount(std::span<const int64_t> shape);
/// C-contiguous strides in bytes.
Extents contiguousStrides(std::span<const int64_t> shape, size_t itemSize);
/// Dimensions of extent 1 and empty arrays satisfy both.
bool isCContiguous(const StridedView &);
bool isFContiguous(const StridedView &);

/// The type of DLPack tensors of `dtype`, and back (nothing for a type that
/// Kern does not have, several lanes included).
DLDataType toDL(DType dtype);
std::optional<DType> fromDL(DLDataType type);
/// "float32", "int4x2": for messages.
std::string text(DLDataType type);

/// Checks and converts. Strides may be NULL (C-contiguous). Refuses with
/// KERN_ERROR_TYPE an element type that Kern does not have, and with
/// KERN_ERROR_ARGUMENT too many dimensions, negative extents, sizes that
/// overflow, missing data, and devices that are neither CPU nor CUDA.
/// `what` names the tensor in messages: "argument 1 (`x`)".
Expected<StridedView> viewOf(const DLTensor *tensor, std::string_view what);

} // namespace kern
