//===- StridedView.h - strided views and their memory -----------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory of the host or a device, and a non-owning view of an array in it: a
// checked DLTensor with strides in bytes.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/array/DType.h"
#include "runtime/error/Expected.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace kern::runtime {

/// One number for each dimension, outermost first unless said otherwise:
/// extents, strides (in bytes) or indices.
using Extents = std::vector<int64_t>;
using Strides = std::vector<int64_t>;
using Indices = std::vector<int64_t>;

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

/// Memory of the host or a device, freed with its last owner.
class Buffer {
public:
  /// No memory.
  Buffer() = default;
  explicit Buffer(std::shared_ptr<std::byte> memory)
      : memory(std::move(memory)) {}
  /// Memory that the caller keeps alive; not freed.
  static Buffer borrowed(std::byte *address) {
    return Buffer(std::shared_ptr<std::byte>(std::shared_ptr<void>(), address));
  }
  /// Its address; on a device a device pointer.
  std::byte *data() const { return memory.get(); }
  explicit operator bool() const { return memory != nullptr; }

private:
  std::shared_ptr<std::byte> memory;
};

struct StridedView {
  DType dtype = DType::F64;
  std::byte *data = nullptr; ///< of the element at index 0, 0, …
  DLDevice device = {kDLCPU, 0};
  Extents shape;
  Strides strides; ///< in bytes, as many as `shape`

  size_t rank() const { return shape.size(); }
  int64_t count() const;
  /// True where data and strides are multiples of the element's size.
  bool isAligned() const;
};

/// The number of elements; nothing if it does not fit 63 bits.
std::optional<int64_t> checkedCount(std::span<const int64_t> shape);
/// The bytes of an array's elements, one after another. KERN_ERROR_MEMORY if
/// they do not fit 63 bits.
Expected<size_t> bytesOf(std::span<const int64_t> shape, DType dtype);
/// Calls `allocate` for the bytes of a view's elements.
template <typename Allocate>
Expected<Buffer> memoryFor(const StridedView &view, const Allocate &allocate) {
  Expected<size_t> bytes = bytesOf(view.shape, view.dtype);
  if (!bytes)
    return bytes.error();
  return allocate(*bytes);
}
/// C-contiguous strides in bytes.
Strides contiguousStrides(std::span<const int64_t> shape, size_t itemSize);
/// Dimensions of extent 1 and empty arrays satisfy both.
bool isCContiguous(const StridedView &);
bool isFContiguous(const StridedView &);

/// The DLPack type of `dtype`, and the reverse. Nothing for a type that Kern
/// lacks, or with several lanes.
DLDataType toDL(DType dtype);
std::optional<DType> fromDL(DLDataType type);
/// "float32", "int4x2": for messages.
std::string text(DLDataType type);

/// Checks a tensor and converts it. Strides may be NULL (C-contiguous).
/// KERN_ERROR_TYPE for an element type that Kern lacks; KERN_ERROR_ARGUMENT for
/// too many dimensions, negative extents, sizes that overflow, missing data,
/// and devices other than CPU and CUDA. `what` names the tensor in messages:
/// "argument 1 (`x`)".
Expected<StridedView> viewOf(const DLTensor *tensor, std::string_view what);

} // namespace kern::runtime
