//===- arguments.hpp - arguments of calls -----------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arguments, arrays for results, and the messages for what can be neither.
// Included by calls.hpp.
//
//===----------------------------------------------------------------------===//
#ifndef KERN_ARGUMENTS_HPP
#define KERN_ARGUMENTS_HPP

#include "kern/arrays.hpp"

#include <cstring>
#include <variant>

namespace kern {
inline namespace api {

/// A number with a type; a plain C++ number is weak.
template <Element T> struct Scalar {
  T value;
};
/// `kern::scalar<float>(x)`: an f32, typed as an array's element is.
template <Element T> Scalar<T> scalar(T value) { return {value}; }

/// `kern::range(start, stop, step)`: Python's range, an array of i64 that takes
/// no memory.
struct Range {
  kern_range numbers;
};
inline Range range(int64_t stop) { return {{0, stop, 1}}; }
inline Range range(int64_t start, int64_t stop, int64_t step = 1) {
  return {{start, stop, step}};
}

class Call;

/// One argument of a call. Converts implicitly from
/// - plain numbers, which are weak as literals are: `2`, `0.5`, std::complex
///   (bool is not weak);
/// - kern::scalar<T>(x);
/// - kern::range(start, stop, step);
/// - vectors, std::arrays, C arrays and spans, as one-dimensional host arrays;
///   kern::view() gives them a shape;
/// - kern::Array, kern::View, kern::ConstView, DLTensor;
/// - the call of another function, whose result stays on its device.
/// It refers to arrays and containers that have a name. Temporaries are moved
/// into it.
class Argument {
public:
  template <typename T>
    requires std::same_as<T, bool>
  Argument(T flag) : Argument(Scalar<bool>{flag}) {}
  template <detail::Integer T> Argument(T number) {
    if (!std::in_range<int64_t>(number))
      throw Error(KERN_ERROR_TYPE, std::to_string(number) +
                                       " is too large for a weak integer; "
                                       "use kern::scalar<uint64_t>()");
    value.kind = KERN_VALUE_WEAK_INT;
    value.as.integer = int64_t(number);
  }
  template <detail::Real T> Argument(T number) {
    value.kind = KERN_VALUE_WEAK_FLOAT;
    value.as.real = double(number);
  }
  template <detail::Real T> Argument(std::complex<T> number) {
    value.kind = KERN_VALUE_WEAK_COMPLEX;
    value.as.complex_parts[0] = double(number.real());
    value.as.complex_parts[1] = double(number.imag());
  }
  template <Element T> Argument(Scalar<T> typed) {
    value.kind = KERN_VALUE_SCALAR;
    value.dtype = dtypeOf<T>();
    std::memcpy(value.as.bits, &typed.value, sizeof typed.value);
  }
  Argument(Range range) : place(range.numbers) {
    value.kind = KERN_VALUE_RANGE;
  }
  template <detail::Contiguous R>
    requires std::ranges::borrowed_range<R>
  Argument(R &&range KERN_LIFETIME_BOUND) : place(detail::Row(range)) {}
  template <detail::Contiguous R>
    requires(!std::ranges::borrowed_range<R>)
  Argument(R &&temporary) : place(detail::adopt(std::forward<R>(temporary))) {}
  Argument(const Array &array KERN_LIFETIME_BOUND) : place(array.get()) {}
  Argument(Array &&array) : place(std::move(array)) {}
  Argument(const Array &&) = KERN_DELETE_DANGLING;
  Argument(const ConstView &view) : place(view) {}
  Argument(const DLTensor &tensor KERN_LIFETIME_BOUND) : place(&tensor) {}
  Argument(DLTensor &&tensor) : place(ConstView(tensor)) {}
  Argument(const DLTensor &&) = KERN_DELETE_DANGLING;
  inline Argument(Call &&call);

  /// Valid until this argument is moved or destroyed.
  kern_value get() const & {
    kern_value out = value;
    if (const auto *range = std::get_if<kern_range>(&place))
      out.as.range = range;
    if (out.kind != KERN_VALUE_ARRAY)
      return out;
    if (const auto *row = std::get_if<detail::Row>(&place))
      out.as.array = row->get();
    else if (const auto *view = std::get_if<ConstView>(&place))
      out.as.array = view->get();
    else if (const auto *owned = std::get_if<Array>(&place))
      out.as.array = owned->get();
    else
      out.as.array = std::get<const DLTensor *>(place);
    return out;
  }
  kern_value get() const && = KERN_DELETE_DANGLING;

private:
  kern_value value = {KERN_VALUE_ARRAY, KERN_F64, {nullptr}};
  std::variant<const DLTensor *, kern_range, detail::Row, ConstView, Array>
      place;
};

/// An array for a result. Converts implicitly from what an array argument
/// converts from, if it can be written and outlives the call: not from const
/// arrays, nor from temporaries other than views and spans.
class Output {
public:
  template <detail::Writable R>
    requires std::ranges::borrowed_range<R>
  Output(R &&range KERN_LIFETIME_BOUND) : place(detail::Row(range)) {}
  Output(Array &array KERN_LIFETIME_BOUND) : place(array.get()) {}
  Output(const View &view) : place(view) {}
  Output(DLTensor &tensor KERN_LIFETIME_BOUND) : place(&tensor) {}

  /// Valid until this output is moved or destroyed.
  const DLTensor *get() const &KERN_LIFETIME_BOUND {
    if (const auto *row = std::get_if<detail::Row>(&place))
      return row->get();
    const auto *view = std::get_if<View>(&place);
    return view ? view->get() : std::get<const DLTensor *>(place);
  }
  const DLTensor *get() const && = KERN_DELETE_DANGLING;

private:
  std::variant<const DLTensor *, detail::Row, View> place;
};

namespace detail {
template <typename T>
inline constexpr bool isArgument = std::constructible_from<Argument, T>;
template <typename T>
inline constexpr bool isOutput = std::constructible_from<Output, T>;
template <typename T>
inline constexpr bool isArray =
    Contiguous<T> || std::derived_from<std::remove_cvref_t<T>, ConstView> ||
    std::derived_from<std::remove_cvref_t<T>, Array> ||
    std::same_as<std::remove_cvref_t<T>, DLTensor>;

/// Arrays that cannot be written.
template <typename T>
inline constexpr bool isConst =
    std::is_const_v<std::remove_reference_t<T>> ||
    std::same_as<std::remove_cvref_t<T>, ConstView> ||
    (Contiguous<T> && !Writable<T>);

/// Arrays whose elements are bool, as far as their type says.
template <typename T> constexpr bool isMask() {
  if constexpr (Contiguous<T>)
    return std::same_as<ElementOf<T>, bool>;
  else
    return isArray<T> || std::same_as<T, Call> || std::same_as<T, Argument>;
}

/// Refuses, in one message, what cannot be an argument.
template <typename T> constexpr bool requireArgument() {
  using Plain = std::remove_cvref_t<T>;
  if constexpr (isArgument<T>)
    return true;
  else if constexpr (std::same_as<Plain, std::vector<bool>>)
    requireRange<T>();
  else if constexpr (std::is_pointer_v<Plain>)
    static_assert(never<T>, "kern: a pointer does not say how many elements "
                            "it points at; pass a std::span or a kern::View");
  else if constexpr (std::same_as<Plain, Call>)
    static_assert(never<T>, "kern: a call runs once; pass it as "
                            "std::move(call), or its result as a kern::Array");
  else
    static_assert(
        never<T>,
        "kern: this is not an argument: pass a number, "
        "kern::scalar<T>(), kern::range(), a kern::Array, View or ConstView, a "
        "DLTensor, another call, or a vector, array or span of bool, "
        "integers, float, double, std::complex, kern::half or "
        "kern::bfloat16");
  return false;
}

/// Refuses, in one message, what a result cannot be written to.
template <typename T> constexpr bool requireOutput() {
  using Plain = std::remove_cvref_t<T>;
  if constexpr (isOutput<T>)
    return true;
  else if constexpr (isArray<T> && isConst<T>)
    static_assert(never<T>, "kern: a result cannot be written to what is "
                            "const");
  else if constexpr (isArray<T>)
    static_assert(never<T>, "kern: a result cannot be written to a temporary, "
                            "which is gone after the call");
  else if constexpr (std::same_as<Plain, std::vector<bool>>)
    requireRange<T>();
  else
    static_assert(never<T>,
                  "kern: no result can be written to this: pass a kern::Array "
                  "or View, a DLTensor, or a vector, array or span of bool, "
                  "integers, float, double, std::complex, kern::half or "
                  "kern::bfloat16");
  return false;
}

/// Refuses, in one message, what cannot be a mask.
template <typename T> constexpr bool requireMask() {
  if constexpr (requireArgument<T>()) {
    if constexpr (isMask<T>())
      return true;
    else
      static_assert(never<T>, "kern: where() takes an array of bool");
  }
  return false;
}
} // namespace detail

} // namespace api
} // namespace kern

#endif
