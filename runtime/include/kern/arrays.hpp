//===- arrays.hpp - arrays, views, devices of Kern --------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of kern.hpp that is about data; kern.hpp includes it.
//
//===----------------------------------------------------------------------===//
#ifndef KERN_ARRAYS_HPP
#define KERN_ARRAYS_HPP

#include "kern/diagnostics.hpp"

#include <complex>
#include <concepts>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace kern {
// A namespace of its own keeps these names apart from the library's.
inline namespace api {

//===----------------------------------------------------------------------===//
// Devices, element types
//===----------------------------------------------------------------------===//

using Device = kern_device;

inline Device cpu() { return {kDLCPU, 0}; }
inline Device cuda(int index = 0) { return {kDLCUDA, index}; }
/// The first GPU, or the CPU where there is none.
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
/// Waits until all work on `device` is done. Throws what went wrong in calls
/// that had already returned.
inline void synchronize(Device device) {
  detail::check(kern_synchronize(device));
}

/// IEEE half precision as its bits; C++20 has no such type of its own.
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

using Shape = std::vector<int64_t>;

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// An array in memory that belongs to someone else: an argument or a place
/// for a result. The memory must live until the call is done.
class View {
public:
  /// `strides` counts elements; empty means C-contiguous.
  View(void *data, kern_dtype dtype, Shape shape, Shape strides = {},
       Device device = cpu())
      : extents(std::move(shape)), steps(std::move(strides)) {
    tensor.data = data;
    tensor.device = device;
    tensor.dtype = kern_dtype_to_dl(dtype);
    if (!steps.empty() && steps.size() != extents.size())
      throw Error(KERN_ERROR_ARGUMENT,
                  "a view has not as many strides as dimensions");
  }
  /// Any DLPack tensor; shape and strides are copied.
  explicit View(const DLTensor &other)
      : tensor(other), extents(other.shape, other.shape + other.ndim) {
    if (other.strides)
      steps.assign(other.strides, other.strides + other.ndim);
  }

  /// Valid as long as this view stays where it is.
  const DLTensor *get() const {
    tensor.ndim = int(extents.size());
    tensor.shape = const_cast<int64_t *>(extents.data());
    tensor.strides =
        steps.empty() ? nullptr : const_cast<int64_t *>(steps.data());
    return &tensor;
  }
  const Shape &shape() const { return extents; }

private:
  mutable DLTensor tensor = {};
  Shape extents, steps;
};

namespace detail {
/// Memory that a span can be made of: vectors, arrays, spans; not
/// std::vector<bool>, which has none.
template <typename R>
concept Contiguous =
    std::ranges::contiguous_range<R> && std::ranges::sized_range<R> &&
    Element<std::remove_cv_t<std::ranges::range_value_t<R>>>;

template <Contiguous R> View viewOfRange(R &&range) {
  using T = std::remove_cv_t<std::ranges::range_value_t<R>>;
  return View(const_cast<T *>(std::ranges::data(range)), dtypeOf<T>(),
              {int64_t(std::ranges::size(range))});
}

/// The same view without memory of its own.
class Row {
public:
  template <Contiguous R>
  explicit Row(R &&range) : extent(int64_t(std::ranges::size(range))) {
    using T = std::remove_cv_t<std::ranges::range_value_t<R>>;
    tensor.data = const_cast<T *>(std::ranges::data(range));
    tensor.device = cpu();
    tensor.dtype = kern_dtype_to_dl(dtypeOf<T>());
    tensor.ndim = 1;
  }
  /// Valid as long as this row stays where it is.
  const DLTensor *get() const {
    tensor.shape = &extent;
    return &tensor;
  }

private:
  mutable DLTensor tensor = {};
  mutable int64_t extent;
};
} // namespace detail

/// Host memory as an array of `shape`, in C order. Its size must match.
template <detail::Contiguous R> View view(R &&range, Shape shape) {
  using T = std::remove_cv_t<std::ranges::range_value_t<R>>;
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  if (count != int64_t(std::ranges::size(range)))
    throw Error(KERN_ERROR_SHAPE, "a view's shape has " +
                                      std::to_string(count) +
                                      " elements, its memory " +
                                      std::to_string(std::ranges::size(range)));
  return View(const_cast<T *>(std::ranges::data(range)), dtypeOf<T>(),
              std::move(shape));
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

/// An array that owns its memory, on the host or a GPU. Moves, does not copy;
/// copy() and to() make another.
class Array {
public:
  /// No array at all.
  Array() = default;
  /// Takes over a DLPack tensor, which is released with the array.
  explicit Array(DLManagedTensor *managed) : tensor(managed) {}
  /// A copy of C++ data: `kern::Array a(std::vector<float>{1, 2, 3});`
  template <detail::Contiguous R>
  explicit Array(const R &data, Device device = cpu())
      : Array(copyOf(detail::viewOfRange(data), device)) {}
  /// The same with a shape, in C order.
  template <detail::Contiguous R>
  Array(const R &data, Shape shape, Device device = cpu())
      : Array(copyOf(view(data, std::move(shape)), device)) {}

  /// A C-contiguous array with undefined contents.
  static Array empty(kern_dtype dtype, const Shape &shape,
                     Device device = cpu()) {
    DLManagedTensor *made = nullptr;
    detail::check(
        kern_array_new(dtype, int(shape.size()), shape.data(), device, &made));
    return Array(made);
  }
  template <Element T>
  static Array empty(const Shape &shape, Device device = cpu()) {
    return empty(dtypeOf<T>(), shape, device);
  }
  /// A `.npy` file, on the host.
  static Array read(const std::string &path) {
    DLManagedTensor *made = nullptr;
    detail::check(kern_npy_read(path.c_str(), &made));
    return Array(made);
  }
  void write(const std::string &path) const {
    detail::check(kern_npy_write(path.c_str(), get()));
  }

  explicit operator bool() const { return tensor != nullptr; }
  /// NULL if there is no array.
  const DLTensor *get() const { return tensor ? &tensor->dl_tensor : nullptr; }
  /// Gives the tensor up; the caller releases it.
  DLManagedTensor *release() { return tensor.release(); }

  Device device() const { return dl().device; }
  bool onHost() const {
    return dl().device.device_type == kDLCPU ||
           dl().device.device_type == kDLCUDAHost;
  }
  kern_dtype dtype() const {
    kern_dtype type = KERN_F64;
    detail::check(kern_dtype_from_dl(dl().dtype, &type));
    return type;
  }
  size_t rank() const { return size_t(dl().ndim); }
  std::span<const int64_t> shape() const { return {dl().shape, rank()}; }
  /// The extent of one dimension.
  int64_t shape(size_t dimension) const { return shape()[dimension]; }
  /// In elements; C-contiguous ones if the tensor has none.
  Shape strides() const {
    Shape out(rank());
    int64_t stride = 1;
    for (size_t i = rank(); i-- > 0;) {
      out[i] = dl().strides ? dl().strides[i] : stride;
      stride *= dl().shape[i];
    }
    return out;
  }
  /// The number of elements.
  int64_t size() const {
    int64_t count = 1;
    for (int64_t extent : shape())
      count *= extent;
    return count;
  }
  bool isContiguous() const {
    int64_t expected = 1;
    Shape steps = strides();
    for (size_t i = rank(); i-- > 0;) {
      if (shape()[i] != 1 && steps[i] != expected)
        return size() == 0;
      expected *= shape()[i];
    }
    return true;
  }

  /// The first element, of which `T` must be the type; on the GPU a device
  /// pointer.
  template <Element T> T *data() const {
    if (dtype() != dtypeOf<T>())
      throw Error(KERN_ERROR_TYPE,
                  "the array's elements are not of the type asked for");
    return reinterpret_cast<T *>(static_cast<char *>(dl().data) +
                                 dl().byte_offset);
  }
  /// All elements of a host array in C order. An array in another order (the
  /// result of a call on such arrays) needs copy() first.
  template <Element T> std::span<T> span() const {
    if (!onHost())
      throw Error(KERN_ERROR_ARGUMENT,
                  "the array is on a GPU; bring it to the host with to(cpu())");
    if (!isContiguous())
      throw Error(KERN_ERROR_ARGUMENT,
                  "the array is not in C order; copy() makes one that is");
    return {data<T>(), size_t(size())};
  }
  /// The value of an array of one element, wherever it is.
  template <Element T> T item() const {
    if (size() != 1)
      throw Error(KERN_ERROR_ARGUMENT, "the array has " +
                                           std::to_string(size()) +
                                           " elements, not one");
    return onHost() ? *data<T>() : *to(cpu()).data<T>();
  }

  /// A C-contiguous copy on `device`.
  Array to(Device device) const { return copyOf(dl(), device); }
  /// A C-contiguous copy on the same device.
  Array copy() const { return to(device()); }
  /// Copies `source`, of the same shape and type, into this array.
  void assign(const Array &source) {
    detail::check(kern_array_assign(get(), source.get()));
  }

private:
  struct Release {
    void operator()(DLManagedTensor *managed) const {
      if (managed->deleter)
        managed->deleter(managed);
    }
  };
  const DLTensor &dl() const {
    if (!tensor)
      throw Error(KERN_ERROR_ARGUMENT, "there is no array");
    return tensor->dl_tensor;
  }
  static Array copyOf(const View &source, Device device) {
    return copyOf(*source.get(), device);
  }
  static Array copyOf(const DLTensor &source, Device device) {
    DLManagedTensor *made = nullptr;
    detail::check(kern_array_copy(&source, device, &made));
    return Array(made);
  }

  std::unique_ptr<DLManagedTensor, Release> tensor;
};

} // namespace api
} // namespace kern

#endif
