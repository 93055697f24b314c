//===- views.hpp - non-owning views of memory --------------------*- C++
//-*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Non-owning views, and the C++ containers that they can be made from. Included
// by arrays.hpp.
//
//===----------------------------------------------------------------------===//
#ifndef KERN_VIEWS_HPP
#define KERN_VIEWS_HPP

#include "kern/elements.hpp"

#include <limits>
#include <ranges>

namespace kern {
inline namespace api {

/// Extents or strides, in elements.
using Shape = std::vector<int64_t>;

/// A non-owning, read-only view of an array. The memory must live until the
/// calls that use the view are complete.
class ConstView {
public:
  /// `strides` counts elements; empty means C-contiguous.
  ConstView(const void *data, kern_dtype dtype, Shape shape, Shape strides = {},
            Device device = cpu())
      : extents(std::move(shape)), steps(std::move(strides)) {
    tensor.data = const_cast<void *>(data);
    tensor.device = device;
    tensor.dtype = kern_dtype_to_dl(dtype);
    if (!steps.empty() && steps.size() != extents.size())
      throw Error(KERN_ERROR_ARGUMENT,
                  "a view must have as many strides as dimensions");
  }
  /// Any DLPack tensor; shape and strides are copied.
  explicit ConstView(const DLTensor &other) : tensor(other) {
    if (other.ndim < 0 || (other.ndim > 0 && !other.shape))
      throw Error(KERN_ERROR_ARGUMENT, "a tensor has no shape");
    extents.assign(other.shape, other.shape + other.ndim);
    if (other.strides)
      steps.assign(other.strides, other.strides + other.ndim);
  }

  /// Valid until this view is moved or destroyed. Not thread-safe.
  const DLTensor *get() const &KERN_LIFETIME_BOUND {
    tensor.ndim = int(extents.size());
    tensor.shape = const_cast<int64_t *>(extents.data());
    tensor.strides =
        steps.empty() ? nullptr : const_cast<int64_t *>(steps.data());
    return &tensor;
  }
  const DLTensor *get() const && = KERN_DELETE_DANGLING;
  const Shape &shape() const &KERN_LIFETIME_BOUND { return extents; }
  const Shape &shape() const && = KERN_DELETE_DANGLING;

private:
  mutable DLTensor tensor = {};
  Shape extents, steps;
};

/// A non-owning view of an array that can be written, for arguments and
/// results. As with std::span, a const View still allows its memory to be
/// written.
class View : public ConstView {
public:
  View(void *data, kern_dtype dtype, Shape shape, Shape strides = {},
       Device device = cpu())
      : ConstView(data, dtype, std::move(shape), std::move(strides), device) {}
  /// Any DLPack tensor that is not const.
  explicit View(DLTensor &other) : ConstView(other) {}
};

namespace detail {
/// The element type of a range, without const and reference.
template <typename R>
using ElementOf = std::remove_cvref_t<std::ranges::range_reference_t<R>>;

/// Ranges over contiguous memory: vectors, arrays, spans; not
/// std::vector<bool>, which holds bits.
template <typename R>
concept Contiguous =
    std::ranges::contiguous_range<R> && std::ranges::sized_range<R> &&
    Element<ElementOf<R>> &&
    !std::is_volatile_v<
        std::remove_reference_t<std::ranges::range_reference_t<R>>>;

template <typename R>
concept Writable =
    Contiguous<R> &&
    !std::is_const_v<
        std::remove_reference_t<std::ranges::range_reference_t<R>>>;

/// The view of a range of type R.
template <Contiguous R>
using ViewOf = std::conditional_t<Writable<R>, View, ConstView>;

/// A non-owning view of one dimension.
class Row {
public:
  template <Contiguous R>
  explicit Row(R &range KERN_LIFETIME_BOUND)
      : extent(int64_t(std::ranges::size(range))) {
    using T = ElementOf<R>;
    tensor.data = const_cast<T *>(std::ranges::data(range));
    tensor.device = cpu();
    tensor.dtype = kern_dtype_to_dl(dtypeOf<T>());
    tensor.ndim = 1;
  }
  /// Valid until this row is moved or destroyed.
  const DLTensor *get() const &KERN_LIFETIME_BOUND {
    tensor.shape = &extent;
    return &tensor;
  }
  const DLTensor *get() const && = KERN_DELETE_DANGLING;

private:
  mutable DLTensor tensor = {};
  mutable int64_t extent;
};

/// The number of elements of a shape.
inline int64_t elementsOf(const Shape &shape) {
  int64_t count = 1;
  bool isEmpty = false;
  for (int64_t extent : shape) {
    if (extent < 0)
      throw Error(KERN_ERROR_SHAPE,
                  "a shape has the negative extent " + std::to_string(extent));
    isEmpty |= extent == 0;
    if (extent > 0 && count > std::numeric_limits<int64_t>::max() / extent)
      throw Error(KERN_ERROR_SHAPE, "a shape has more than 2^63 elements");
    count *= extent > 0 ? extent : 1;
  }
  return isEmpty ? 0 : count;
}

/// Refuses, in one message, a range that no array can be made from.
template <typename R> constexpr bool requireRange() {
  if constexpr (Contiguous<R>)
    return true;
  else if constexpr (std::same_as<std::remove_cvref_t<R>, std::vector<bool>>)
    static_assert(never<R>, "kern: std::vector<bool> holds bits, not bools; "
                            "use kern::Array or a std::array of bool");
  else
    static_assert(never<R>,
                  "kern: this is not a contiguous range of elements: pass a "
                  "vector, array or span of bool, integers, float, double, "
                  "std::complex, kern::half or kern::bfloat16");
  return false;
}

/// The same for a temporary, which a view would outlive.
template <typename R> constexpr bool requireViewed() {
  if constexpr (requireRange<R>()) {
    if constexpr (std::ranges::borrowed_range<R>)
      return true;
    else
      static_assert(never<R>, "kern: a view of a temporary would dangle: give "
                              "the container a name, or make it a kern::Array");
  }
  return false;
}
} // namespace detail

/// A view of host memory as an array of `shape`, in C order: a View, or a
/// ConstView if the elements are const. KERN_ERROR_SHAPE if the shape does not
/// have as many elements as the memory.
template <typename R> auto view(R &&range KERN_LIFETIME_BOUND, Shape shape) {
  if constexpr (detail::requireViewed<R>()) {
    const int64_t count = detail::elementsOf(shape);
    if (std::cmp_not_equal(count, std::ranges::size(range)))
      throw Error(KERN_ERROR_SHAPE,
                  "a view's shape has " + std::to_string(count) +
                      " elements, its memory " +
                      std::to_string(std::ranges::size(range)));
    return detail::ViewOf<R>(std::ranges::data(range),
                             dtypeOf<detail::ElementOf<R>>(), std::move(shape));
  } else {
    return View(nullptr, KERN_F64, {}); // refused above
  }
}

} // namespace api
} // namespace kern

#endif
