//===- arrays.hpp - arrays that own their memory ----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Owning arrays. Included by arguments.hpp.
//
//===----------------------------------------------------------------------===//
#ifndef KERN_ARRAYS_HPP
#define KERN_ARRAYS_HPP

#include "kern/exchange.h"
#include "kern/streams.hpp"
#include "kern/views.hpp"

#include <initializer_list>
#include <memory>
#include <span>

namespace kern {
inline namespace api {

/// An array that owns its memory, on the host or a GPU. It is move-only; copy()
/// and to() make copies. As with std::vector, the elements of a const array are
/// const. Spans and pointers into an array are valid as long as it; a temporary
/// array gives none. New ones are on the CPU, or where a DeviceScope says, if
/// they name no device. One class, since its methods are what a container
/// offers.
class Array {
public:
  /// No array at all.
  Array() = default;
  /// Takes ownership of a DLPack tensor, and releases it with the array.
  explicit Array(DLManagedTensor *managed) : tensor(managed) {}
  /// The same for a tensor of DLPack 1. Throws, and leaves the tensor to the
  /// caller, if it is of a version above 1, or read-only and `isWritten`.
  static Array take(DLManagedTensorVersioned *managed, bool isWritten = true) {
    DLManagedTensor *taken = nullptr;
    detail::check(kern_tensor_from_versioned(managed, isWritten, &taken));
    return Array(taken);
  }
  /// A copy of C++ data: `kern::Array a(std::vector<float>{1, 2, 3});`
  template <detail::Contiguous R>
  explicit Array(const R &data, Device device = scopeDevice())
      : Array(copyOf(detail::Row(data), device)) {}
  /// The same with a shape, in C order.
  template <detail::Contiguous R>
  Array(const R &data, Shape shape, Device device = scopeDevice())
      : Array(copyOf(view(data, std::move(shape)), device)) {}

  /// A C-contiguous array with undefined contents.
  static Array empty(kern_dtype dtype, const Shape &shape,
                     Device device = scopeDevice()) {
    DLManagedTensor *made = nullptr;
    detail::check(
        kern_array_new(dtype, int(shape.size()), shape.data(), device, &made));
    return Array(made);
  }
  template <typename T>
  static Array empty(const Shape &shape, Device device = scopeDevice()) {
    return empty(detail::requireElement<T>(), shape, device);
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
  DLTensor *get() & KERN_LIFETIME_BOUND {
    return tensor ? &tensor->dl_tensor : nullptr;
  }
  const DLTensor *get() const &KERN_LIFETIME_BOUND {
    return tensor ? &tensor->dl_tensor : nullptr;
  }
  const DLTensor *get() const && = KERN_DELETE_DANGLING;
  /// Gives up ownership; the caller releases the tensor.
  [[nodiscard]] DLManagedTensor *release() { return tensor.release(); }
  /// The same as a tensor of DLPack 1, with these flags.
  [[nodiscard]] DLManagedTensorVersioned *releaseVersioned(uint64_t flags = 0) {
    DLManagedTensorVersioned *out = nullptr;
    detail::check(kern_tensor_to_versioned(tensor.get(), flags, &out));
    static_cast<void>(tensor.release());
    return out;
  }

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
  std::span<const int64_t> shape() const &KERN_LIFETIME_BOUND {
    return {dl().shape, rank()};
  }
  std::span<const int64_t> shape() const && = KERN_DELETE_DANGLING;
  /// The extent of one dimension.
  int64_t shape(size_t dimension) const {
    if (dimension >= rank())
      throw Error(KERN_ERROR_ARGUMENT,
                  "there is no dimension " + std::to_string(dimension) +
                      " in an array of rank " + std::to_string(rank()));
    return dl().shape[dimension];
  }
  /// In elements; those of C order if the tensor has none.
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
    for (size_t i = 0; i < rank(); ++i)
      count *= dl().shape[i];
    return count;
  }
  bool isContiguous() const {
    int64_t expected = 1;
    Shape steps = strides();
    for (size_t i = rank(); i-- > 0;) {
      if (dl().shape[i] != 1 && steps[i] != expected)
        return size() == 0;
      expected *= dl().shape[i];
    }
    return true;
  }

  /// A pointer to the first element; on a GPU a device pointer. `T` must be the
  /// element type (KERN_ERROR_TYPE).
  template <typename T> T *data() & KERN_LIFETIME_BOUND { return first<T>(); }
  template <typename T> const T *data() const &KERN_LIFETIME_BOUND {
    return first<T>();
  }
  template <typename T> const T *data() const && = KERN_DELETE_DANGLING;
  /// All elements of a host array in C order. KERN_ERROR_ARGUMENT for an array
  /// on a GPU, which needs to(cpu()), and for one in another order, which needs
  /// copy().
  template <typename T> std::span<T> span() & KERN_LIFETIME_BOUND {
    return all<T>();
  }
  template <typename T> std::span<const T> span() const &KERN_LIFETIME_BOUND {
    return all<T>();
  }
  template <typename T>
  std::span<const T> span() const && = KERN_DELETE_DANGLING;
  /// The value of an array of one element, on any device. KERN_ERROR_ARGUMENT
  /// if it has more or none.
  template <typename T> T item() const {
    if (size() != 1)
      throw Error(KERN_ERROR_ARGUMENT, "the array has " +
                                           std::to_string(size()) +
                                           " elements, not one");
    return onHost() ? *first<T>() : *to(cpu()).template first<T>();
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
  template <typename T> T *first() const {
    if (dtype() != detail::requireElement<T>())
      throw Error(KERN_ERROR_TYPE,
                  "the array's elements are not of the type asked for");
    return reinterpret_cast<T *>(static_cast<char *>(dl().data) +
                                 dl().byte_offset);
  }
  template <typename T> std::span<T> all() const {
    if (!onHost())
      throw Error(KERN_ERROR_ARGUMENT,
                  "the array is on a GPU; bring it to the host with to(cpu())");
    if (!isContiguous())
      throw Error(KERN_ERROR_ARGUMENT,
                  "the array is not in C order; copy() makes one that is");
    return {first<T>(), size_t(size())};
  }
  template <typename Source>
  static Array copyOf(const Source &source, Device device) {
    return copyOf(*source.get(), device);
  }
  static Array copyOf(const DLTensor &source, Device device) {
    DLManagedTensor *made = nullptr;
    detail::check(kern_array_copy(&source, device, &made));
    return Array(made);
  }

  std::unique_ptr<DLManagedTensor, Release> tensor;
};

namespace detail {
/// A DLPack tensor that owns a container.
template <typename C> struct Adopted {
  explicit Adopted(C &&given)
      : container(std::forward<C>(given)), row(container) {
    managed.dl_tensor = *row.get();
    managed.manager_ctx = this;
    managed.deleter = [](DLManagedTensor *self) {
      delete static_cast<Adopted *>(self->manager_ctx);
    };
  }
  Adopted(const Adopted &) = delete;
  Adopted &operator=(const Adopted &) = delete;

  std::remove_cvref_t<C> container;
  Row row;
  DLManagedTensor managed = {};
};

/// An array that takes over a temporary: a container that owns memory is moved,
/// anything else copied.
template <Contiguous R> Array adopt(R &&temporary) {
  using Plain = std::remove_cvref_t<R>;
  using List = std::initializer_list<std::ranges::range_value_t<R>>;
  if constexpr (std::is_class_v<Plain> && std::constructible_from<Plain, R> &&
                !std::same_as<Plain, List>)
    return Array(&std::make_unique<Adopted<R>>(std::forward<R>(temporary))
                      .release()
                      ->managed);
  else
    return Array(temporary, cpu());
}
} // namespace detail

} // namespace api
} // namespace kern

#endif
