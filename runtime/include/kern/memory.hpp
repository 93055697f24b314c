//===- memory.hpp - memory of GPUs, and page-locked memory ------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What Kern holds of a memory, limits and allocators, and arrays in page-locked
// memory. Included by kern.hpp.
//
//===----------------------------------------------------------------------===//
#ifndef KERN_MEMORY_HPP
#define KERN_MEMORY_HPP

#include "kern/arrays.hpp"
#include "kern/memory.h"

#include <cstddef>
#include <span>
#include <utility>

namespace kern {
inline namespace api {

/// Bytes in use, kept for later, at most, and the limit.
using MemoryInfo = kern_memory_info;
/// Where memory comes from in place of Kern's pools.
using MemoryAllocator = kern_memory_allocator;

/// What Kern has of the memory of a GPU, cuda(n), or of page-locked memory,
/// pinned(n). The functions below take the same devices.
inline MemoryInfo memoryInfo(Device device = cuda()) {
  MemoryInfo info = {};
  info.size = sizeof info;
  detail::check(kern_memory_describe(device, &info));
  return info;
}
/// Sets `peak` of memoryInfo() to what is in use now.
inline void resetMemoryPeak(Device device = cuda()) {
  detail::check(kern_memory_reset_peak(device));
}
/// The most bytes in use at once; 0 for no limit.
inline void setMemoryLimit(Device device, uint64_t bytes) {
  detail::check(kern_memory_set_limit(device, bytes));
}
/// Gives back to the driver what is not in use; waits for a GPU.
inline void trimMemory(Device device = cuda()) {
  detail::check(kern_memory_trim(device));
}
/// Takes the memory of new arrays from `allocator`, which is copied
/// (kern_memory_set_allocator()).
inline void setMemoryAllocator(Device device, MemoryAllocator allocator) {
  allocator.size = sizeof allocator;
  detail::check(kern_memory_set_allocator(device, &allocator));
}
/// Takes it from Kern's own pools again.
inline void resetMemoryAllocator(Device device) {
  detail::check(kern_memory_set_allocator(device, nullptr));
}

/// A host array in page-locked memory, which GPUs read and write where it is,
/// at the speed of their link. An Array in all else.
class PinnedArray : public Array {
public:
  PinnedArray() = default;
  /// In C order, with undefined contents, made for GPU `index`.
  PinnedArray(kern_dtype dtype, const Shape &shape, int index = 0)
      : Array(Array::empty(dtype, shape, pinned(index))) {}
  /// The same: `auto x = kern::PinnedArray::of<float>({1 << 24});`
  template <typename T>
  static PinnedArray of(const Shape &shape, int index = 0) {
    return PinnedArray(detail::requireElement<T>(), shape, index);
  }
  /// A copy of C++ data.
  template <detail::Contiguous R>
    requires(!std::derived_from<R, Array>)
  explicit PinnedArray(const R &data, int index = 0)
      : Array(data, pinned(index)) {}
  /// A copy of an array, of any device.
  explicit PinnedArray(const Array &source, int index = 0)
      : Array(source.to(pinned(index))) {}
};

/// Page-locks memory of the program's while it lives, so that GPUs move arrays
/// in it from and to where they are.
class RegisteredMemory {
public:
  RegisteredMemory(void *memory, size_t bytes) : address(memory) {
    detail::check(kern_host_register(memory, bytes));
  }
  template <typename T>
  explicit RegisteredMemory(std::span<T> memory)
      : RegisteredMemory(memory.data(), memory.size_bytes()) {}
  RegisteredMemory(RegisteredMemory &&other) noexcept
      : address(std::exchange(other.address, nullptr)) {}
  RegisteredMemory &operator=(RegisteredMemory &&other) noexcept {
    std::swap(address, other.address);
    return *this;
  }
  ~RegisteredMemory() {
    if (address)
      kern_host_unregister(address);
  }

private:
  void *address;
};

} // namespace api
} // namespace kern

#endif
