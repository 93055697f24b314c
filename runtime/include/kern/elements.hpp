//===- elements.hpp - devices, element types --------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Devices and element types. Included by views.hpp.
//
//===----------------------------------------------------------------------===//
#ifndef KERN_ELEMENTS_HPP
#define KERN_ELEMENTS_HPP

#include "kern/diagnostics.hpp"
#include "kern/threads.h"

#include <complex>
#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace kern {
// A namespace of its own keeps these names apart from the library's.
inline namespace api {

using Device = kern_device;

inline Device cpu() { return {kDLCPU, 0}; }
inline Device cuda(int index = 0) { return {kDLCUDA, index}; }
/// For new arrays and copies: memory of the host that GPUs read and write at
/// the speed of their link. It is scarce: what is page-locked cannot be paged
/// out. GPU `index` must be there.
inline Device pinned(int index = 0) { return {kDLCUDAHost, index}; }
/// Where calls on host arrays run if they ask for no device: where a
/// DeviceScope says, else what KERN_DEVICE names, else the CPU. It may be
/// allGpus() or automatic().
inline Device defaultDevice() { return kern_default_device(); }
/// The GPUs and then the CPU.
inline std::vector<Device> devices() {
  std::vector<Device> all;
  for (int i = 0; i < kern_cuda_device_count(); ++i)
    all.push_back(cuda(i));
  all.push_back(cpu());
  return all;
}
inline kern_device_info describe(Device device) {
  kern_device_info info = {};
  info.size = sizeof info;
  detail::check(kern_device_describe(device, &info));
  return info;
}
/// Waits until all work on `device` is complete. Throws the errors of calls
/// that had already returned.
inline void synchronize(Device device) {
  detail::check(kern_synchronize(device));
}

/// The most threads of a call on the CPU.
inline int threads() { return kern_get_num_threads(); }
/// Sets that number for the process, from 1 to KERN_MAX_THREADS.
inline void setThreads(int count) {
  detail::check(kern_set_num_threads(count));
}

/// IEEE half precision as its bits; C++20 has no such type.
struct half {
  uint16_t bits;
};
/// bfloat16 as its bits.
struct bfloat16 {
  uint16_t bits;
};

namespace detail {
template <typename T> inline constexpr bool isComplexFloat = false;
template <> inline constexpr bool isComplexFloat<std::complex<float>> = true;
template <> inline constexpr bool isComplexFloat<std::complex<double>> = true;

template <typename T>
concept Integer = std::integral<T> && sizeof(T) <= 8 &&
                  !std::same_as<T, bool> && !std::same_as<T, char> &&
                  !std::same_as<T, wchar_t> && !std::same_as<T, char8_t> &&
                  !std::same_as<T, char16_t> && !std::same_as<T, char32_t>;
template <typename T>
concept Real = std::same_as<T, float> || std::same_as<T, double>;
} // namespace detail

/// The C++ types that are element types: bool, the integers, float, double,
/// std::complex of these, kern::half and kern::bfloat16.
template <typename T>
concept Element = std::same_as<T, bool> || detail::Integer<T> ||
                  detail::Real<T> || detail::isComplexFloat<T> ||
                  std::same_as<T, half> || std::same_as<T, bfloat16>;

/// Kern's name for a C++ type.
template <Element T> constexpr kern_dtype dtypeOf() {
  if constexpr (std::same_as<T, bool>)
    return KERN_BOOL;
  else if constexpr (std::same_as<T, half>)
    return KERN_F16;
  else if constexpr (std::same_as<T, bfloat16>)
    return KERN_BF16;
  else if constexpr (detail::Real<T>)
    return sizeof(T) == 4 ? KERN_F32 : KERN_F64;
  else if constexpr (detail::isComplexFloat<T>)
    return sizeof(T) == 8 ? KERN_C64 : KERN_C128;
  else {
    // kern_dtype counts i8 u8 i16 u16 i32 u32 i64 u64.
    int log = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
    return kern_dtype(KERN_I8 + 2 * log + (std::is_unsigned_v<T> ? 1 : 0));
  }
}

namespace detail {
template <typename> inline constexpr bool never = false;

/// dtypeOf(), with one message for a type that is not an element type.
template <typename T> constexpr kern_dtype requireElement() {
  if constexpr (Element<T>) {
    return dtypeOf<T>();
  } else {
    static_assert(never<T>, "kern: this is not an element type; there are "
                            "bool, the integers, float, double, std::complex "
                            "of these, kern::half and kern::bfloat16");
    return KERN_F64;
  }
}
} // namespace detail

} // namespace api
} // namespace kern

#endif
